import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { createInMemoryStore } from '@mnemark/store-memory'
import { ContractFailure, contractCase, describeDeviations, withDeviations } from './contract-case.ts'
import { absentStoreCases, memoryStoreCases } from './store-suite/memory-store-cases.ts'

const passing = contractCase({ id: 'X1', title: 'holds' }, async () => {})
const failing = contractCase({ id: 'X2', title: 'does not hold' }, () => Promise.reject(new Error('it does not')))

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

const failureOf = (check: () => unknown): Promise<ContractFailure> =>
  contractCase({ id: 'X3', title: 'the count is kept' }, async () => void (await check()))
    .run()
    .then(
      () => expect.fail('it holds'),
      (error: ContractFailure) => error,
    )

test.each([
  ['a comparison', () => assert.equal(1, 2), /^X3: the count is kept\.\n[^]*1 !== 2/],
  ['a comparison with a sentence', () => assert.equal(1, 2, 'after a removal'), /\nafter a removal\nExpected 2, got 1$/],
  ['a call that should reject', () => assert.rejects(async () => {}, TypeError), /Missing expected rejection/],
  [
    'an error of the store itself',
    () => Promise.reject(new TypeError('rows is undefined')),
    /Expected no error, got TypeError: rows is undefined/,
  ],
])('%s that fails names the rule, what was expected and what came', async (_, check, message) => {
  const failure = await failureOf(check)
  expect(failure).toBeInstanceOf(ContractFailure)
  expect(failure.message).toMatch(/^X3: the count is kept\./)
  expect(failure.message).toMatch(message)
  expect(failure.cause).toBeDefined()
})

test('a store says which levels it has, and the cases of others are left out and named', () => {
  const levels = ['documents', 'keywords'] as const
  const cases = memoryStoreCases({ levels, create: () => createInMemoryStore() }).map(({ id }) => id)
  expect(cases.filter((id) => /^[VJ]/.test(id))).toEqual(['J2'])
  expect(cases).toContain('G1')
  const absent = absentStoreCases({ levels })
  expect([...absent.keys()]).toEqual(['vectors', 'jobs'])
  expect(absent.get('jobs')).toEqual(['V13', 'J1'])
  expect(absentStoreCases({}).size).toBe(0)
})
