import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatKey } from './repeat-key.ts'

test.each([
  ['ISO stamps', '- 2026-03-14T08:03:00Z heartbeat ok', '* 2026-03-15T09:12:44Z heartbeat ok'],
  ['zones', '08:03 UTC sync done', '23:59 GMT+8 sync done'],
  ['clock forms', '10:05 AM check mail', '7 pm check mail'],
  ['month names', '## Saturday, March 14, 2026\nall quiet', '## Sun, 1 February 2025\nall quiet'],
  ['ordinals', 'On 3rd of May all quiet', 'On May 21st all quiet'],
  ['Arabic', '٣ مارس ٢٠٢٦ كل شيء هادئ', '١٤ نيسان ٢٠٢٥ كل شيء هادئ'],
  ['Chinese', '2026年3月14日 上午8点3分 一切正常', '2025年12月1日 下午11点59分 一切正常'],
  ['Devanagari digits', 'मूल्य १२', 'मूल्य ३४५'],
  ['numbered lists', '1. buy milk\n2. sleep', '- buy milk\n- sleep'],
  ['line ends and spaces', 'a  b\r\nc', 'a b\nc'],
  ['composition', 'caf\u00e9', 'cafe\u0301'],
])('%s do not tell texts apart', (_name, left, right) => expect(repeatKey(left)).toBe(repeatKey(right)))

test.each([
  ['---', '***'],
  ['🎉', '🔥'],
  ['Развёртывание кластера завершено', 'Резервное копирование базы данных'],
  ['機械学習', '神経回路'],
  ['- [ ] call mum', '- [x] call mum'],
  ['you may go', 'you go'],
  ['meeting Monday', 'meeting Friday'],
  ['march on', 'on'],
  ['- a', '- b'],
])('B12: %j and %j stay two texts', (left, right) => expect(repeatKey(left)).not.toBe(repeatKey(right)))

test('texts of nothing but times are equal only when they are the same', () => {
  expect(repeatKey('2026-03-14 10:05')).not.toBe(repeatKey('2026-03-15 11:00'))
  expect(repeatKey('8080')).not.toBe(repeatKey('9090'))
  expect(repeatKey('')).toBe(repeatKey(''))
})

test('digits of any script never matter, letters always do', () => {
  const words = fc.array(fc.constantFrom('alpha', 'بيت', '会议', 'дом', '🎉', 'кот', 'हिन्दी'), { minLength: 1, maxLength: 6 })
  const number = fc.constantFrom('1', '42', '٣٤', '१२', '3.5', '１２')
  fc.assert(
    fc.property(words, words, number, number, (left, right, one, other) => {
      expect(repeatKey(`${one} ${left.join(' ')} ${other}`)).toBe(left.join(''))
      expect(repeatKey(left.join(' ')) === repeatKey(right.join(' '))).toBe(left.join('') === right.join(''))
    }),
  )
})

test.each(['1-', '1', '5 ', 'mon ', '- ', 'may 1 ', '2026-03-14 ', '١٢ '])(
  'a long run of %j is normalised in linear time',
  (piece) => {
    const started = performance.now()
    repeatKey(piece.repeat(50_000))
    expect(performance.now() - started).toBeLessThan(2000)
  },
)
