import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { VirtualClock } from '../../../test/virtual-clock.ts'
import { type SharedAllowance, sharedAllowance } from './shared-allowance.ts'
import { TokenBudget } from './token-budget.ts'
import { tokensToday } from './token-ledger.ts'

const DAY = 86_400_000

/** Takes nothing for good. */
async function isLeft(allowance: SharedAllowance, tokens: number): Promise<boolean> {
  const isTaken = await allowance.take(tokens)
  if (isTaken) allowance.settle(tokens, 0)
  return isTaken
}

async function leaseOf(store: ReturnType<typeof createInMemoryStore>) {
  const lease = await store.acquireLease('write')
  if (!lease) throw new Error('the write lease is held')
  return lease
}

test('each kind has its own count and its own cap; a new day begins at nothing', async () => {
  const store = createInMemoryStore()
  const clock = new VirtualClock()
  const allowance = (kind: 'generate' | 'rerank') =>
    sharedAllowance({ store, kind, limit: 100, timeZone: 'UTC', now: clock.now, sleep: clock.sleep })
  const rerank = allowance('rerank')
  rerank.settle(0, 90)
  expect([await isLeft(rerank, 10), await isLeft(rerank, 11)]).toEqual([true, false])
  await clock.run(rerank.idle())
  const generate = allowance('generate')
  expect(await isLeft(generate, 100)).toBe(true)
  generate.settle(0, 40)
  await clock.run(generate.idle())
  const when = { nowMs: clock.now(), timeZone: 'UTC' }
  expect(await tokensToday(store, when)).toEqual({ embeddings: 0, generate: 40, rerank: 90 })
  // Another process on the same store adds to it.
  const other = allowance('rerank')
  expect(await isLeft(other, 11)).toBe(false)
  other.settle(0, 5)
  await clock.run(other.idle())
  expect(await tokensToday(store, when)).toMatchObject({ rerank: 95 })
  clock.pass(DAY)
  expect(await isLeft(rerank, 100)).toBe(true)
  expect(await tokensToday(store, { ...when, nowMs: clock.now() })).toEqual({ embeddings: 0, generate: 0, rerank: 0 })
})

test('the count of embeddings that an earlier version wrote is read on', async () => {
  const store = createInMemoryStore()
  const clock = new VirtualClock()
  await store.settings.set(await leaseOf(store), 'embedding.tokens', JSON.stringify({ day: '1970-01-01', used: 70 }))
  const when = { nowMs: clock.now(), timeZone: 'UTC' }
  const budget = await TokenBudget.open(store, { ...when, limit: 100 })
  expect([budget.allows(30), budget.allows(31)]).toEqual([true, false])
  expect(await tokensToday(store, when)).toEqual({ embeddings: 70, generate: 0, rerank: 0 })
})

test('while another process writes, the count is kept and written with the next', async () => {
  const store = createInMemoryStore()
  const clock = new VirtualClock()
  const rerank = sharedAllowance({ store, kind: 'rerank', limit: 100, timeZone: 'UTC', now: clock.now, sleep: clock.sleep })
  const lease = await leaseOf(store)
  rerank.settle(0, 60)
  await clock.run(rerank.idle())
  expect([await isLeft(rerank, 40), await isLeft(rerank, 41)]).toEqual([true, false])
  await lease.release()
  rerank.settle(0, 1)
  await clock.run(rerank.idle())
  expect(await tokensToday(store, { nowMs: clock.now(), timeZone: 'UTC' })).toMatchObject({ rerank: 61 })
})

test('requests on their way count: two at once do not both take the last tokens', async () => {
  const { now, sleep } = new VirtualClock()
  const rerank = sharedAllowance({ store: createInMemoryStore(), kind: 'rerank', limit: 100, timeZone: 'UTC', now, sleep })
  expect(await Promise.all([rerank.take(60), rerank.take(30), rerank.take(60)])).toEqual([true, true, false])
  rerank.settle(60, 0)
  expect(await rerank.take(70)).toBe(true)
})
