import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keywordScore, scaleByBest, vectorScore } from './list-score.ts'

test('B08: FTS5 ranks become scores inside (0,1) that fall with the match', () => {
  const scores = [-4.2, -2.1, -0.5].map(keywordScore)
  expect(scores).toEqual(scores.toSorted((left, right) => right - left))
  expect(new Set(scores).size).toBe(3)
  expect(scores.every((score) => score > 0 && score < 1)).toBe(true)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('B08: a rank of %s is 0', (rank) => {
  expect(keywordScore(rank)).toBe(0)
})

test('a stronger rank never scores lower', () => {
  const ranks = fc.double({ min: 0, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(ranks, ranks, (left, right) => {
      expect(Math.sign(keywordScore(-left) - keywordScore(-right)) * Math.sign(left - right)).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('a cosine is clamped and rubbish is 0', () => {
  expect([1.0000001, 0.4, -0.2, Number.NaN].map(vectorScore)).toEqual([1, 0.4, 0, 0])
})

test('scaling puts the best entry at 1 and keeps proportions', () => {
  expect(
    scaleByBest([
      { id: 'a', score: 8 },
      { id: 'b', score: 2 },
    ]),
  ).toEqual([
    { id: 'a', score: 1 },
    { id: 'b', score: 0.25 },
  ])
  expect(scaleByBest([{ id: 'a', score: 0 }])).toEqual([{ id: 'a', score: 0 }])
})
