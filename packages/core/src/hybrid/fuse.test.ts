import { ConfigError } from '@mnemark/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuseReciprocalRank, fuseWeighted } from './fuse.ts'
import type { ScoredEntry } from './list-score.ts'

const vectors = [
  { id: 'a', score: 0.9 },
  { id: 'b', score: 0.4 },
]
const keywords = [
  { id: 'b', score: 1 },
  { id: 'c', score: 0.5 },
]

test('weighted fusion adds scaled scores by normalised weights', () => {
  const fused = fuseWeighted([vectors, keywords], [7, 3])
  expect(fused.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(fused.map(({ score }) => score)).toEqual([0.63, 0.58, 0.15].map((score) => expect.closeTo(score, 12)))
  expect(fused[1]?.parts).toEqual([
    { rank: 2, score: 0.4, part: expect.closeTo(0.28, 12) },
    { rank: 1, score: 1, part: expect.closeTo(0.3, 12) },
  ])
  expect(fused[2]?.parts[0]).toBeNull()
})

test('reciprocal rank fusion looks at places only and puts the first of every list at 1', () => {
  const fused = fuseReciprocalRank([vectors, keywords], [1, 1])
  expect(fused.map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  expect(fused[0]?.score).toBeCloseTo(61 / 62 / 2 + 0.5, 12)
  expect(fuseReciprocalRank([vectors], [0.2])[0]?.score).toBe(1)
})

test.each([
  ['weighted', fuseWeighted<string>([vectors, keywords], [7, 3], (list, id) => list === 0 && id === 'c'), 0.5],
  [
    'reciprocal rank',
    fuseReciprocalRank<string>([vectors, keywords], [7, 3], 60, (list, id) => list === 0 && id === 'c'),
    61 / 62,
  ],
] as const)('%s fusion: what a list is silent about is scored by the others alone, and not as 0', (_name, fused, score) => {
  const silent = fused.find(({ id }) => id === 'c')
  expect(silent?.score).toBeCloseTo(score, 12)
  expect(silent?.parts[0]).toBeNull()
})

test('B10: a hit without a perfect score in every list stays below 1', () => {
  const [both] = fuseWeighted([[{ id: 1, score: 0.95 }], [{ id: 1, score: 0.5 }]], [0.7, 0.3])
  expect(both?.score).toBeLessThan(1)
})

test('an entry without a finite score is none, and the first of two counts', () => {
  const fused = fuseReciprocalRank(
    [
      [
        { id: 'x', score: Number.NaN },
        { id: 'a', score: 2 },
        { id: 'a', score: 1 },
        { id: 'b', score: 1 },
      ],
    ],
    [1],
  )
  expect(fused.map(({ id, parts }) => [id, parts[0]?.rank])).toEqual([
    ['a', 1],
    ['b', 2],
  ])
})

const lists = fc.array(
  fc.array(fc.record({ id: fc.integer({ min: 0, max: 12 }), score: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 12,
  }),
  { minLength: 1, maxLength: 3 },
)

test.each([
  ['weighted', fuseWeighted<number>],
  ['reciprocal rank', fuseReciprocalRank<number>],
] as const)('%s fusion: scores are the sums of their parts, 0 to 1, in a total order', (_name, fuse) => {
  fc.assert(
    fc.property(lists, fc.nat(), (given, seed) => {
      const ranked: ScoredEntry<number>[][] = given.map((list) => list.toSorted((left, right) => right.score - left.score))
      const weights = ranked.map((_, list) => 1 + ((seed + list) % 5))
      const fused = fuse(ranked, weights)
      expect(new Set(fused.map(({ id }) => id))).toEqual(new Set(ranked.flat().map(({ id }) => id)))
      for (const { score, parts } of fused) {
        expect(score >= 0 && score <= 1).toBe(true)
        expect(parts.reduce((sum, part) => sum + (part?.part ?? 0), 0)).toBeCloseTo(score, 12)
      }
      expect(fused).toEqual(fused.toSorted((left, right) => right.score - left.score || left.id - right.id))
      const scaled = fuse(
        ranked,
        weights.map((weight) => weight * 10),
      )
      expect(scaled.map(({ score }) => score)).toEqual(fused.map(({ score }) => expect.closeTo(score, 12)))
    }),
  )
})

test.each([[[1]], [[1, -1]], [[0, 0]], [[Number.NaN, 1]], [[1, 1, 1]]])('refuses the weights %j for two lists', (weights) => {
  expect(() => fuseWeighted([vectors, keywords], weights)).toThrow(ConfigError)
})

test('refuses a negative rank constant', () => {
  expect(() => fuseReciprocalRank([vectors], [1], -1)).toThrow(ConfigError)
})
