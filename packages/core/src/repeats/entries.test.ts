import { expect, test } from 'vitest'
import { entriesOf } from './entries.ts'
import { wordingOf } from './wording.ts'

function textsOf(text: string, unindexed?: readonly (readonly [number, number])[]): string[] {
  return entriesOf(text, unindexed).map((entry) => entry.text)
}

test.each([
  ['bullets of every form', '- a 1\n* b 2\n+ c 3\n• d 4\n1. e 5', ['- a 1', '* b 2', '+ c 3', '• d 4', '1. e 5']],
  ['rows without the line of dashes', '| a | 1 |\n|---|---|\n| b | 2 |', ['| a | 1 |', '| b | 2 |']],
  ['sentences', 'One is 1. Two is 2! 三是3。四是4。', ['One is 1.', 'Two is 2!', '三是3。', '四是4。']],
  ['no end of a sentence inside a number or an abbreviation', 'See no. 5 and 1.5 of it.', ['See no. 5 and 1.5 of it.']],
  ['Arabic and Hindi sentences', 'هل هي 5؟ نعم 6. यह ७ है। वह ८ है।', ['هل هي 5؟', 'نعم 6.', 'यह ७ है।', 'वह ८ है।']],
  ['lines of a fence', '```\na = 1. B\nc = 2\n```\nafter 3', ['a = 1. B', 'c = 2', 'after 3']],
  ['no headings and rules', '# One 1\n\ntwo 2\n\n---\n\nthree 3', ['two 2', 'three 3']],
  ['Windows line ends', '- a 1\r\n- b 2\r\n', ['- a 1', '- b 2']],
])('an entry is a bullet, a row, a line of a fence, else a sentence: %s', (_name, text, entries) => {
  expect(textsOf(text)).toEqual(entries)
})

test('a long line goes on in the next where that begins in the middle of a sentence', () => {
  const start = 'The rent of the flat near the river in the old town is'
  expect(textsOf(`${start}\n900 euro`)).toEqual([`${start}\n900 euro`])
  expect(textsOf(`${start} 900 euro\nWater is 30 euro`)).toEqual([`${start} 900 euro`, 'Water is 30 euro'])
  expect(textsOf('- rent is 900 euro\n  paid by card')).toEqual(['- rent is 900 euro', 'paid by card'])
})

test('what is not indexed is in no entry', () => {
  const text = '- rent is 900 euro <!-- was 800 -->\n<!-- 1 2 3 -->\n- water is 30 euro'
  const from = text.indexOf('<!-- was')
  const second = text.indexOf('<!-- 1')
  expect(
    textsOf(text, [
      [from, from + '<!-- was 800 -->'.length],
      [second, second + '<!-- 1 2 3 -->'.length],
    ]).map((entry) => entry.trimEnd()),
  ).toEqual(['- rent is 900 euro', '- water is 30 euro'])
})

test.each([
  ['- Rent is **900 euro**.', 'rent is \u0001', ['900 euro']],
  ['* 2026-06-01: rent is €1 050,50', 'rent is \u0001', ['€1 050,50']],
  ['freezer at −18 °C', 'freezer at \u0001', ['−18 °C']],
  ['flat 5-7 in room-5', 'flat \u0001 in room-\u0001', ['5-7', 'room-5']],
  ['flight LH1234 leaves', 'flight lh\u0001 leaves', ['LH1234']],
  ['dose 5mg of it', 'dose \u0001 of it', ['5mg']],
  ['房租是９００元', '房租是\u0001', ['９００元']],
  ['rent is ٩٠٠ يورو', 'rent is \u0001', ['٩٠٠ يورو']],
  ['paid 50 % of ~3 parts', 'paid \u0001 of \u0001 parts', ['50 %', '~3']],
])('the values of %j are one sign each in its wording', (entry, text, values) => {
  expect(wordingOf(entry)).toMatchObject({ text, values })
})

test.each([
  'rent is due',
  '5 euro',
  'it is 5',
  'invoice 4711',
  '2026-03-14',
  '- 08:00',
  '| 1 | 2 |',
  `x1 ${'word '.repeat(500)}`,
])('there are no versions of %j: it has no value, or too few words, or is no entry any more', (entry) =>
  expect(wordingOf(entry)).toBeUndefined(),
)

test.each(['1 ', '1.', '. ', '.  ', '- 1\n', '| 1 ', '?! ', '5 euro ', '2026-01-01 ', '€ ', '(', '**1', 'mon ', '一1。'])(
  'a long run of %j is read',
  (piece) => {
    const text = piece.repeat(100_000)
    expect(() => entriesOf(text).map((entry) => wordingOf(entry.text))).not.toThrow()
  },
)
