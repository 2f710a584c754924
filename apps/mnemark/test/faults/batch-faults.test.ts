import { expect, test } from 'vitest'
import { killBatches } from './batch-rounds.ts'

// The short form; `pnpm test:faults` is the long one: 10,000 texts and 30 kills at each service.

test('processes killed at batch jobs send no text twice, lose none, and leave nothing at the service', {
  timeout: 600_000,
}, async () => {
  const { killed, problems } = await killBatches({ service: 'openai', texts: 200, kills: 3, seed: 20_261_130, maxRequests: 100 })
  expect(problems).toEqual([])
  expect(killed).toBeGreaterThan(0)
})
