import { expect, test } from 'vitest'
import { graphemeBorder, graphemeFloor } from './grapheme-border.ts'

const FAMILY = '👨\u200d👩\u200d👧'

test('no window of the segmenter ends within a code point, which would end a grapheme there', () => {
  const pile = `e${'\u0301'.repeat(3_000)}`
  const start = pile.length
  for (let position = start; position < start + FAMILY.length; position++) {
    const text = `${pile}${FAMILY}.`
    expect(graphemeFloor(text, position)).toBe(start)
    expect(graphemeBorder(text, 0, position)).toBe(start)
  }
})

test.each([1_020, 1_024, 1_030])('a grapheme around code unit %i is whole, however far the last known border is', (place) => {
  const text = `${'\u{1f338}'.repeat(place / 2 - 2)}${FAMILY.repeat(20)}`
  for (let start = place - 4; start < text.length; start += FAMILY.length)
    for (let at = start; at < start + FAMILY.length; at++) expect(graphemeBorder(text, 0, at)).toBe(start)
})
