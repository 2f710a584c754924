import { expect, test } from 'vitest'
import { fuseWeighted } from './fuse.ts'
import { splitByThreshold } from './threshold.ts'

test('B10: a perfect keyword-only hit below the threshold is kept, behind everything that passed', () => {
  const fused = fuseWeighted(
    [
      [
        { id: 'near', score: 0.6 },
        { id: 'far', score: 0.2 },
      ],
      [{ id: 'exact', score: 1 }],
    ],
    [0.7, 0.3],
  )
  const candidates = fused.map((entry) => ({ ...entry, hasKeywordMatch: entry.parts[1] !== null }))
  const { passed, kept, dropped } = splitByThreshold(candidates, 0.35)
  expect(passed.map(({ id }) => id)).toEqual(['near'])
  expect(kept.map(({ id }) => id)).toEqual(['exact'])
  expect(dropped.map(({ id }) => id)).toEqual(['far'])
})

test('a keyword match above the threshold passes like any other', () => {
  const { passed } = splitByThreshold([{ score: 0.35, hasKeywordMatch: true }], 0.35)
  expect(passed).toHaveLength(1)
})
