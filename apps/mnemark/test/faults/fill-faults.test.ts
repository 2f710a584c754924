import { expect, test } from 'vitest'
import { killFills } from './fill-rounds.ts'

// The short form; `pnpm test:faults` is the long one: 800 texts, 20 kills.

test('processes killed while they fill vectors: every text gets its own, and only what was in flight is sent again', async () => {
  const { killed, problems } = await killFills({ texts: 160, kills: 3, seed: 20_261_130 })
  expect(problems).toEqual([])
  expect(killed).toBe(3)
})
