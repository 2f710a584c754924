import { expect, test } from 'vitest'
import { idealGainsOf, meanMetrics, scoreRanking } from './metrics.ts'

const log2 = Math.log2

test('one gold place at rank 3 scores a third and the discount of rank 3', () => {
  const metrics = scoreRanking([[], [], [0], []], 1, [1])
  expect(metrics).toEqual({ recallAt1: 0, recallAt5: 1, recallAt10: 1, mrrAt10: 1 / 3, ndcgAt10: 0.5 })
})

test('two places of three in the first hit and none after it', () => {
  const metrics = scoreRanking([[0, 1], [1], []], 3, [2, 1])
  expect(metrics.recallAt1).toBeCloseTo(2 / 3, 12)
  expect(metrics.recallAt10).toBeCloseTo(2 / 3, 12)
  expect(metrics.mrrAt10).toBe(1)
  expect(metrics.ndcgAt10).toBeCloseTo(2 / (2 + 1 / log2(3)), 12)
})

test('a place counts once, at its first hit', () => {
  const metrics = scoreRanking([[0], [0], [0, 1]], 2, [1, 1])
  expect(metrics.recallAt5).toBe(1)
  expect(metrics.ndcgAt10).toBeCloseTo((1 + 1 / 2) / (1 + 1 / log2(3)), 12)
})

test('places at ranks 5, 6 and 11: the eleventh hit does not count', () => {
  const ranking = [[], [], [], [], [0], [1], [], [], [], [], [2]]
  const metrics = scoreRanking(ranking, 3, [1, 1, 1])
  expect([metrics.recallAt1, metrics.recallAt5, metrics.recallAt10]).toEqual([0, 1 / 3, 2 / 3])
  expect(metrics.mrrAt10).toBe(1 / 5)
  expect(metrics.ndcgAt10).toBeCloseTo((1 / log2(6) + 1 / log2(7)) / (1 + 1 / log2(3) + 1 / 2), 12)
})

test('an empty answer, and gold that no unit holds, score nothing', () => {
  const nothing = { recallAt1: 0, recallAt5: 0, recallAt10: 0, mrrAt10: 0, ndcgAt10: 0 }
  expect(scoreRanking([], 2, [1, 1])).toEqual(nothing)
  expect(scoreRanking([[], []], 1, [])).toEqual(nothing)
})

test('the best order takes the unit that holds most of what is missing', () => {
  expect(idealGainsOf([[0, 1], [1, 2, 3], [3], [4]])).toEqual([3, 1, 1])
  expect(idealGainsOf([[0], [0], [1]])).toEqual([1, 1])
  expect(idealGainsOf([])).toEqual([])
})

test('means are taken metric by metric', () => {
  const best = scoreRanking([[0]], 1, [1])
  const worst = scoreRanking([[]], 1, [1])
  expect(meanMetrics([best, worst, worst, worst])).toEqual({
    recallAt1: 0.25,
    recallAt5: 0.25,
    recallAt10: 0.25,
    mrrAt10: 0.25,
    ndcgAt10: 0.25,
  })
  expect(() => meanMetrics([])).toThrow(RangeError)
})
