import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestWindow, DistinctWorth, mergedRanges, orderedMatches } from './match-window.ts'

const matches = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: 120 }),
    weight: fc.constantFrom(0.6, 1, 3),
    word: fc.integer({ min: 0, max: 4 }),
  }),
  { maxLength: 25 },
)

test('the window is worth as much as any that fits, and none as short is worth more', () => {
  fc.assert(
    fc.property(matches, fc.integer({ min: 12, max: 80 }), (given, size) => {
      const ordered = orderedMatches(
        given.map((match) => ({ ...match, end: match.start + 4 })),
        130,
      )
      const found = bestWindow(ordered, size)
      const windows = ordered.flatMap((first, from) =>
        ordered.slice(from).map((_, length) => {
          const inside = ordered.slice(from, from + length + 1)
          return { width: Math.max(...inside.map(({ end }) => end)) - first.start, worth: DistinctWorth.of(inside) }
        }),
      )
      const fitting = windows.filter(({ width }) => width <= size)
      const most = Math.max(0, ...fitting.map(({ worth }) => worth))
      const least = Math.min(...fitting.filter(({ worth }) => worth > most - 1e-6).map(({ width }) => width))
      expect(found === null).toBe(ordered.length === 0)
      expect(found ? DistinctWorth.of(found.matches) : 0).toBeCloseTo(most, 6)
      expect(found ? found.end - found.start : least).toBe(least)
    }),
    { numRuns: 1000 },
  )
})

test('a word counts once, by its heaviest match', () => {
  const [one, other] = orderedMatches(
    [
      { start: 0, end: 3, weight: 0.6, word: 7 },
      { start: 5, end: 8, weight: 1, word: 7 },
    ],
    20,
  )
  const worth = new DistinctWorth()
  for (const match of [one, other, other]) if (match) worth.add(match)
  expect(worth.total).toBe(1)
  if (other) worth.remove(other)
  expect(worth.total).toBe(1)
  if (other) worth.remove(other)
  expect(worth.total).toBe(0.6)
})

test('matches outside the text, empty ones and negative weights do not count; overlaps are one range', () => {
  const ordered = orderedMatches(
    [
      { start: 8, end: 30, weight: -1 },
      { start: 4, end: 4, weight: 1 },
      { start: -3, end: 2, weight: 1 },
      { start: 1, end: 5, weight: 1 },
      { start: 40, end: 50, weight: 1 },
    ],
    20,
  )
  expect(ordered.map(({ start, end, weight }) => [start, end, weight])).toEqual([
    [0, 2, 1],
    [1, 5, 1],
    [8, 20, 0],
  ])
  expect(mergedRanges(ordered)).toEqual([
    [0, 5],
    [8, 20],
  ])
})
