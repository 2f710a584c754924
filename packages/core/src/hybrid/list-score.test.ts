import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keywordScore, scaleByBest, vectorScore } from './list-score.ts'

test('P15: up to .8 a keyword score is the share of what the question could get, above it nears 1', () => {
  expect([0.12, 0.2, 0.8].map(keywordScore)).toEqual([0.12, 0.2, 0.8])
  expect([1, 1.5, 3].map((share) => Number(keywordScore(share).toFixed(3)))).toEqual([0.926, 0.994, 1])
  expect([8, 100, Number.POSITIVE_INFINITY].every((share) => keywordScore(share) < 1)).toBe(true)
})

test.each([Number.NaN, Number.NEGATIVE_INFINITY, -1, 0])('B08: a share of %s is 0', (share) => {
  expect(keywordScore(share)).toBe(0)
})

test('P15: the order of shares stays, and scores differ where shares do', () => {
  const shares = fc.double({ min: 0, max: 5, noNaN: true })
  fc.assert(
    fc.property(shares, shares, (left, right) => {
      expect(Math.sign(keywordScore(left) - keywordScore(right)) * Math.sign(left - right)).toBeGreaterThanOrEqual(0)
      expect(Math.abs(left - right) < 1e-3 || keywordScore(left) !== keywordScore(right)).toBe(true)
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
