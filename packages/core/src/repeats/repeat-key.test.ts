import fc from 'fast-check'
import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { repeatKey } from './repeat-key.ts'

test.each([
  ['ISO stamps', '- 2026-03-14T08:03:00Z heartbeat ok', '* 2026-03-15T09:12:44+02:00 heartbeat ok'],
  ['zones', '08:03 UTC sync done', '23:59 GMT+8 sync done'],
  ['clock forms', '10:05 AM check mail', '7 pm check mail'],
  ['emphasis and brackets', '- **2026-03-14**: check mail', '- [08:03] check mail'],
  ['month names', '## Saturday, March 14, 2026\nall quiet', '## Sun, 1 February 2025\nall quiet'],
  ['Arabic', '٣ مارس ٢٠٢٦ كل شيء هادئ', '١٤ أبريل ٢٠٢٥ كل شيء هادئ'],
  ['Chinese', '2026年3月14日 上午8点3分 一切正常', '2025年12月1日 下午11点59分 一切正常'],
  ['table rows', '| 2026-03-14 | heartbeat | ok |', '| 2026-03-15 | heartbeat | ok |'],
  ['day first', '05.03.2026 check mail', '14/03/2026 check mail'],
  ['bullets', '- buy milk\n- sleep', '* buy milk\n• sleep'],
  ['line ends and spaces', 'a  b\r\nc\u00a0d', 'a b\n c d'],
  ['letter case', 'Check MAIL', 'check mail'],
  ['composition', 'caf\u00e9', 'cafe\u0301'],
])('P01: %s do not tell texts apart', (_name, left, right) => expect(repeatKey(left)).toBe(repeatKey(right)))

test.each([
  ['rent is 900 euro', 'rent is 1050 euro'],
  ['dose 5 mg', 'dose 50 mg'],
  ['invoice 4711', 'invoice 4712'],
  ['flight LH1234 at 9:05', 'flight LH1235 at 9:05'],
  ['flight at 9:05', 'flight at 9:50'],
  ['version 1.2.3', 'version 1.2.4'],
  ['port 8080', 'port 9090'],
  ['8080 is the port', '9090 is the port'],
  ['call +49 30 123', 'call +49 30 124'],
  ['temperature -5', 'temperature 5'],
  ['08:00 -5 degrees', '08:00 5 degrees'],
  ['2026-03-14 – 2026-03-16 trip', '2026-03-15 – 2026-03-16 trip'],
  ['2026-03-14 to 2026-03-16 trip', '2026-03-15 to 2026-03-16 trip'],
  ['08:00-09:00 gym', '08:00-10:00 gym'],
  ['08:00:00-09:00:00 gym', '08:00:00-10:00:00 gym'],
  ['we met on 2026-03-14', 'we met on 2026-03-15'],
  ['in March 14 people came', 'in March 15 people came'],
  ['2026 budget', '2025 budget'],
  ['2026-13-45 is odd', '2026-13-46 is odd'],
  ['3点建议已经提出', '5点建议已经提出'],
  ['2026.11.3 is installed', '2026.11.4 is installed'],
  ['5:30 min/km on the river', '5:45 min/km on the river'],
  ['7:30 hours of sleep', '6:30 hours of sleep'],
  ['1. Anna', '2. Anna'],
  ['10 5', '105'],
  ['room 5.5', 'room 55'],
  ['سعر ٣', 'سعر ٤'],
  ['मूल्य १२', 'मूल्य ३४५'],
  ['price 3', 'price ３'],
  ['价格三元', '价格五元'],
  ['ราคา ๓', 'ราคา ๔'],
  ['approved by Dana.', 'approved by Dane.'],
  ['اعتمدت من دانة', 'اعتمدت من دانا'],
  ['张三同意', '张四同意'],
  ['---', '***'],
  ['🎉', '🔥'],
  ['Развёртывание кластера завершено', 'Резервное копирование базы данных'],
  ['機械学習', '神経回路'],
  ['- [ ] call mum', '- [x] call mum'],
  ['you may go', 'you go'],
  ['Monday: bins', 'Friday: bins'],
  ['march on', 'on'],
  ['- a', '- b'],
  ['2026-03-14 10:05', '2026-03-15 11:00'],
])('P01, P02: %j and %j stay two texts', (left, right) => expect(repeatKey(left)).not.toBe(repeatKey(right)))

test('P01: whatever else a text says, a digit more or less makes it another one', () => {
  const words = fc.array(fc.constantFrom('alpha', 'بيت', '会议', 'дом', '🎉', 'кот', 'हिन्दी'), { minLength: 1, maxLength: 6 })
  const number = fc.constantFrom('1', '42', '٣٤', '१२', '3.5', '１２', '-5', '2026-03-14', '10:30')
  fc.assert(
    fc.property(words, number, number, (said, one, other) => {
      const text = (value: string) => `${said.join(' ')} ${value}`
      expect(repeatKey(text(one)) === repeatKey(text(other))).toBe(one === other)
    }),
    { seed: 4 },
  )
})

test('a text of nothing but times stands for itself', () => {
  expect(repeatKey('')).toBe(repeatKey(''))
  expect(repeatKey('- 10:05\n- 11:00')).toBe('- 10:05\n- 11:00')
})

test.each(['1-', '1', '5 ', 'mon ', '- ', 'may 1 ', '2026-03-14 ', '١٢ '])(
  'a long run of %j is normalised in linear time',
  (piece) => {
    assertGrowsLinearly((size) => repeatKey(piece.repeat(size)), 50_000)
  },
)
