import type { BatchJob, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { change, open, read, samplePut, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
const ID = fingerprint(space)
const job = (inputs: readonly string[]): BatchJob => ({
  marker: 'm1',
  space,
  state: 'submitted',
  inputs,
  createdAt: '2026-03-14T09:27:00Z',
})

test('inputs between those of a large job are found, as many as asked for and none twice', async () => {
  const store = await open(temporaryPath())
  await change(store, { put: [samplePut('a.md', 3_000)] })
  const hashes = Array.from({ length: 3_000 }, (_, at) => `a.md ${at}`).sort()
  const free = [2, 1_023, 1_024, 1_025, 2_047, 2_999]
  const lease = await take(store, 'vectors')
  await store.jobs.put(lease, job(hashes.filter((_, at) => !free.includes(at))))
  await lease.release()
  const wanted = free.map((at) => hashes[at])
  const missing = (limit: number, after?: string) =>
    read(store, async (snapshot) =>
      (await snapshot.missingInputs(ID, { limit, ...(after !== undefined && { after }) })).map(({ hash }) => hash),
    )
  for (const limit of [1, 2, 5, 6, 7, 5_000]) expect(await missing(limit)).toEqual(wanted.slice(0, limit))
  expect(await missing(2, wanted[2])).toEqual(wanted.slice(3, 5))
  const paged: string[] = []
  for (let page = await missing(1); page[0] !== undefined; page = await missing(1, page[0])) paged.push(page[0])
  expect(paged).toEqual(wanted)
})

test('where everything has a vector or failed, nothing is missing but to those who retry; one more input is', async () => {
  const store = await open(temporaryPath())
  await change(store, { put: [samplePut('a.md', 2)] })
  const lease = await take(store, 'vectors')
  await store.putVectors(lease, space, [{ hash: 'a.md 0', vector: new Float32Array([1, 0]) }])
  await store.markFailed(lease, ID, [{ hash: 'a.md 1', reason: 'too long' }])
  await lease.release()
  const missing = (retryFailed: boolean) =>
    read(store, async (snapshot) => (await snapshot.missingInputs(ID, { limit: 9, retryFailed })).map(({ hash }) => hash))
  expect([await missing(false), await missing(true)]).toEqual([[], ['a.md 1']])
  await change(store, { put: [samplePut('b.md', 1)] })
  expect([await missing(false), await missing(true)]).toEqual([['b.md 0'], ['a.md 1', 'b.md 0']])
  // A mark without a text in any note has no effect.
  await change(store, { put: [samplePut('a.md', 1)] })
  expect([await missing(false), await missing(true)]).toEqual([['b.md 0'], ['b.md 0']])
})
