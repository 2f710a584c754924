import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutAtGrapheme, LineCollector, type LineExcerpt, type LineWindow } from './line-collector.ts'

function collect(pieces: readonly string[], window: Partial<LineWindow>, lineEnds: 'lf' | 'cr' = 'lf'): LineExcerpt {
  const collector = new LineCollector({ from: 1, maxLines: 120, maxCharacters: 12_000, isExact: false, ...window }, lineEnds)
  const isFull = pieces.some((piece) => collector.take(piece, false))
  if (!isFull) collector.take('', true)
  return collector.finish()
}

const text = fc
  .array(fc.constantFrom('a', 'bc', '\r', '\n', '\r\n', '🇩🇪', 'e\u0301'), { maxLength: 40 })
  .map((parts) => parts.join(''))

test('the cut into pieces does not matter', () => {
  const windows = fc.record({
    from: fc.integer({ min: 1, max: 8 }),
    maxLines: fc.integer({ min: 1, max: 5 }),
    maxCharacters: fc.integer({ min: 4, max: 12 }),
    isExact: fc.boolean(),
  })
  fc.assert(
    fc.property(text, windows, fc.constantFrom('lf', 'cr'), fc.integer({ min: 1, max: 4 }), (sample, window, lineEnds, size) => {
      const pieces = sample.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
      expect(collect(pieces, window, lineEnds)).toEqual(collect([sample], window, lineEnds))
    }),
    { numRuns: 2000 },
  )
})

test('reading on from nextFrom gives every line once, and all of it at once is the text itself', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 4 }), (sample, maxLines) => {
      const lines: string[] = []
      for (let from: number | null = 1; from !== null; ) {
        const excerpt = collect([sample], { from, maxLines, maxCharacters: 1000, isExact: true })
        if (excerpt.lines > 0) lines.push(...excerpt.text.split('\n').slice(0, excerpt.lines))
        from = excerpt.nextFrom
      }
      const expected = sample.split('\n')
      if (expected.at(-1) === '') expected.pop()
      expect(lines.map((line) => line.replace(/\r+$/u, ''))).toEqual(expected.map((line) => line.replace(/\r+$/u, '')))
      expect(collect([sample], { maxLines: 1000 }).text).toBe(sample)
    }),
  )
})

test('whole lines only: a line that does not fit is left to the next reading', () => {
  expect(collect(['aaaa\nbbbb\ncccc\n'], { maxCharacters: 10 })).toMatchObject({
    text: 'aaaa\nbbbb',
    lines: 2,
    nextFrom: 3,
    isCut: false,
  })
  expect(collect(['aaaa\nbbbb\n'], { maxCharacters: 9 })).toMatchObject({ text: 'aaaa\nbbbb\n', lines: 2, nextFrom: null })
})

test('a first line that does not fit is cut between graphemes and the next reading starts below it', () => {
  const flags = '🇩🇪🇯🇵🇪🇬'
  const excerpt = collect([`${flags}\nnext\n`], { maxCharacters: 10 })
  expect(excerpt).toMatchObject({ text: '🇩🇪🇯🇵', lines: 1, nextFrom: 2, isCut: true })
  expect(collect([flags], { maxCharacters: 10 })).toMatchObject({ nextFrom: null, isCut: true })
})

test('a cut never splits a surrogate pair, also inside one enormous grapheme', () => {
  const family = `👩${'\u200d👩'.repeat(500)}`
  const cut = cutAtGrapheme(family, 1001)
  expect(cut.length).toBeLessThanOrEqual(1001)
  expect(cut.isWellFormed()).toBe(true)
})
