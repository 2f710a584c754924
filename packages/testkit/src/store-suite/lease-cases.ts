import assert from 'node:assert/strict'
import type { StoreLevel } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { bytesOf, sampleJob, samplePut, space } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { isStoreError, read, takeLease } from './store-context.ts'

const NOTHING = { put: [], touch: [], remove: [] }

async function* noBlocks(): AsyncGenerator<never> {}

export const leaseCases: readonly StoreCase[] = [
  {
    id: 'E1',
    title: 'a held lease is not given again: the second waits until its signal ends, then gets null',
    async run(context) {
      const store = await context.create()
      const held = await takeLease(store, 'write')
      const controller = new AbortController()
      let isSettled = false
      const second = store.acquireLease('write', { signal: controller.signal }).finally(() => {
        isSettled = true
      })
      await store.settings.get('anything')
      assert.equal(isSettled, false, 'it waits')
      controller.abort()
      assert.equal(await second, null)
      await store.apply(held, NOTHING)
    },
  },
  {
    id: 'E2',
    title: 'a released lease goes to the one that waits',
    async run(context) {
      const store = await context.create()
      const first = await takeLease(store, 'write')
      const waiting = store.acquireLease('write')
      await first.release()
      const second = await waiting
      assert.equal(second?.name, 'write')
      assert.notEqual(second?.owner, first.owner)
      await first.release()
      assert.ok(second)
      await store.apply(second, NOTHING)
    },
  },
  {
    id: 'E3',
    title: '`write` and `vectors` are independent',
    async run(context) {
      const store = await context.create()
      const vectors = await takeLease(store, 'vectors')
      const write = await takeLease(store, 'write')
      await store.apply(write, { ...NOTHING, put: [samplePut('a.md', 1)] })
      await write.release()
      await store.settings.set(vectors, 'k', 'v')
      assert.equal(vectors.name, 'vectors')
    },
  },
  {
    id: 'E4',
    title: 'no write without a lease that is held: a released one is `lease-held`, and nothing is written',
    async run(context) {
      const store = await context.create()
      const write = await takeLease(store, 'write')
      const vectors = await takeLease(store, 'vectors')
      await write.release()
      await vectors.release()
      const writes: readonly (readonly [level: StoreLevel, write: () => Promise<void>])[] = [
        ['documents', () => store.apply(write, { ...NOTHING, put: [samplePut('a.md', 1)] })],
        ['keywords', () => store.replaceSegments(write, [], { id: 's', header: bytesOf('h'), blocks: noBlocks() })],
        ['vectors', () => store.putVectors(vectors, space, [{ hash: 'x', vector: null }])],
        ['vectors', () => store.markFailed(vectors, fingerprint(space), [{ hash: 'x', reason: 'r' }])],
        ['vectors', () => store.dropSpace(vectors, fingerprint(space))],
        ['jobs', () => store.jobs.put(vectors, sampleJob('m'))],
        ['jobs', () => store.jobs.remove(vectors, 'm')],
        ['documents', () => store.settings.set(write, 'k', 'v')],
        ['documents', () => store.maintain(write, { maxUnreferencedVectors: 0 })],
      ]
      for (const [level, attempt] of writes) if (context.has(level)) await assert.rejects(attempt, isStoreError('lease-held'))
      assert.equal((await read(store, (snapshot) => snapshot.counts())).documents, 0)
      assert.deepEqual(await read(store, (snapshot) => snapshot.segments()), [])
      assert.deepEqual(await read(store, (snapshot) => snapshot.spaces()), [])
      assert.deepEqual(await store.jobs.list(), [])
      assert.equal(await store.settings.get('k'), undefined)
    },
  },
  {
    id: 'E5',
    title: 'documents and segments change under the `write` lease only',
    async run(context) {
      const store = await context.create()
      const vectors = await takeLease(store, 'vectors')
      await assert.rejects(() => store.apply(vectors, NOTHING), isStoreError('lease-held'))
      const segment = { id: 's', header: bytesOf('h'), blocks: noBlocks() }
      if (context.has('keywords'))
        await assert.rejects(() => store.replaceSegments(vectors, [], segment), isStoreError('lease-held'))
    },
  },
  {
    id: 'E6',
    title: 'a held lease is renewed; a released one is not; releasing twice is releasing once',
    async run(context) {
      const store = await context.create()
      const lease = await takeLease(store, 'vectors')
      await lease.renew()
      await lease.release()
      await lease.release()
      await assert.rejects(() => lease.renew(), isStoreError('lease-held'))
    },
  },
  {
    id: 'E7',
    title: 'a signal that has ended before the call takes no lease',
    async run(context) {
      const store = await context.create()
      assert.equal(await store.acquireLease('write', { signal: AbortSignal.abort() }), null)
      await takeLease(store, 'write')
    },
  },
  {
    id: 'E8',
    title: 'one that waits for a lease is refused as `closed` when its store closes',
    async run(context) {
      const store = await context.create()
      await takeLease(store, 'write')
      const waiting = assert.rejects(() => store.acquireLease('write'), isStoreError('closed'))
      await store.close()
      await waiting
    },
  },
  {
    id: 'E9',
    title: 'a lease of another store opens nothing here',
    async run(context) {
      const store = await context.create()
      const foreign = await takeLease(await context.create(), 'write')
      const held = await takeLease(store, 'write')
      assert.notEqual(foreign.owner, held.owner)
      await assert.rejects(() => store.apply(foreign, NOTHING), isStoreError('lease-held'))
    },
  },
]
