import { expect, test } from 'vitest'
import { createInMemoryStore } from '@mnemark/store-memory'
import type { ContractCase } from './contract-case.ts'
import { describeDeviations, withDeviations } from './contract-case.ts'
import { memoryStoreCases } from './memory-store-cases.ts'

const passing: ContractCase = { id: 'X1', title: 'holds', run: async () => {} }
const failing: ContractCase = { id: 'X2', title: 'does not hold', run: () => Promise.reject(new Error('it does not')) }

test('a declared deviation passes while its case fails, and fails once it passes', async () => {
  const deviations = ['X1', 'X2'].map((id) => ({ id, reason: 'the engine cannot' }))
  const [first, second] = withDeviations([passing, failing], deviations)
  await expect(first?.run()).rejects.toThrow('X1 passes now')
  await expect(second?.run()).resolves.toBeUndefined()
  expect(second?.title).toContain('the engine cannot')
})

test('a deviation needs a case and a reason', () => {
  expect(() => withDeviations([passing], [{ id: 'X9', reason: 'r' }])).toThrow(TypeError)
  expect(() => withDeviations([passing], [{ id: 'X1', reason: ' ' }])).toThrow(TypeError)
})

test('deviations are counted and printed', () => {
  expect(describeDeviations('engine', [{ id: 'X1', reason: 'r', since: '2026-11' }])).toBe(
    'engine: 1 deviation\n  X1: r (since 2026-11)',
  )
})

test('every case has an id of its own', () => {
  const ids = memoryStoreCases({ create: () => createInMemoryStore() }).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a store without a second connection or reopening must say so', async () => {
  const cases = memoryStoreCases({ create: () => createInMemoryStore() })
  const failed: string[] = []
  for (const { id, run } of cases) await run().catch(() => failed.push(id))
  expect(failed).toEqual(['L3', 'L7', 'D7', 'V24', 'C1', 'C2', 'C3', 'C4'])
})
