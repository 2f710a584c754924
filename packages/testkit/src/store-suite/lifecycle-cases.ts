import assert from 'node:assert/strict'
import type { Lease, MemoryStore, SmallSegment, StoreLevel, StoreSnapshot } from '@mnemark/spec'
import { fingerprint, StoreError } from '@mnemark/spec'
import { bytesOf, putOfInputs, sampleDocument, sampleJob, samplePut, sampleSegment, space } from './sample-data.ts'
import type { StoreCase, StoreContext } from './store-context.ts'
import { blocksOf, change, collect, isStoreError, LEVELS, read, takeLease, withLease } from './store-context.ts'

const TWO = new Float32Array([0.6, 0.8])

/** Operations of other levels than `documents`. */
const LEVEL_OF: Readonly<Record<string, StoreLevel>> = {
  replaceSegments: 'keywords',
  segments: 'keywords',
  blocks: 'keywords',
  scan: 'keywords',
  putVectors: 'vectors',
  markFailed: 'vectors',
  dropSpace: 'vectors',
  spaces: 'vectors',
  missingInputs: 'vectors',
  nearest: 'vectors',
  vectors: 'vectors',
  exportVectors: 'vectors',
  'jobs.put': 'jobs',
  'jobs.remove': 'jobs',
  'jobs.list': 'jobs',
}

/** The operations of levels that a store has, or lacks. */
function operationsOf<T>(operations: Readonly<Record<string, T>>, context: StoreContext, isThere = true): readonly [string, T][] {
  return Object.entries(operations).filter(([name]) => context.has(LEVEL_OF[name] ?? 'documents') === isThere)
}

/** Every operation of a store, each as a call that works on an open one. */
const STORE_OPERATIONS: Readonly<Record<string, (store: MemoryStore, write: Lease, vectors: Lease) => Promise<unknown>>> = {
  acquireLease: (store) => store.acquireLease('write', { signal: AbortSignal.abort() }),
  snapshot: async (store) => (await store.snapshot()).release(),
  apply: (store, write) => store.apply(write, { put: [samplePut('added.md', 1)], touch: [], remove: [] }),
  replaceSegments: (store, write) => store.replaceSegments(write, [], { id: 'merged', header: bytesOf('h'), blocks: noBlocks() }),
  putVectors: (store, _, vectors) => store.putVectors(vectors, space, [{ hash: 'a', vector: TWO }]),
  markFailed: (store, _, vectors) => store.markFailed(vectors, fingerprint(space), [{ hash: 'b', reason: 'refused' }]),
  dropSpace: (store, _, vectors) => store.dropSpace(vectors, fingerprint(space)),
  'jobs.put': (store, _, vectors) => store.jobs.put(vectors, sampleJob('m')),
  'jobs.remove': (store, _, vectors) => store.jobs.remove(vectors, 'm'),
  'jobs.list': (store) => store.jobs.list(),
  'settings.get': (store) => store.settings.get('k'),
  'settings.set': (store, write) => store.settings.set(write, 'k', 'v'),
  check: (store) => store.check(),
  maintain: (store, write) => store.maintain(write, { maxUnreferencedVectors: 10 }),
}

const SNAPSHOT_OPERATIONS: Readonly<Record<string, (snapshot: StoreSnapshot) => Promise<unknown>>> = {
  counts: (snapshot) => snapshot.counts(),
  documents: (snapshot) => collect(snapshot.documents()),
  documentsOf: (snapshot) => snapshot.documentsOf([sampleDocument('a.md')]),
  chunks: (snapshot) => snapshot.chunks([1]),
  chunksOf: (snapshot) => snapshot.chunksOf(sampleDocument('a.md')),
  filter: (snapshot) => snapshot.filter({}),
  segments: (snapshot) => snapshot.segments(),
  blocks: (snapshot) => blocksOf(snapshot, 's', ['k']),
  scan: (snapshot) => collect(snapshot.scan('s')),
  spaces: (snapshot) => snapshot.spaces(),
  missingInputs: (snapshot) => snapshot.missingInputs(fingerprint(space), { limit: 1 }),
  nearest: (snapshot) => snapshot.nearest(fingerprint(space), TWO, { limit: 1 }),
  vectors: (snapshot) => snapshot.vectors(fingerprint(space), ['a']),
  exportVectors: (snapshot) => collect(snapshot.exportVectors(fingerprint(space))),
}

async function* noBlocks(): AsyncGenerator<never> {}

async function takeLeases(store: MemoryStore): Promise<[Lease, Lease]> {
  return [await takeLease(store, 'write'), await takeLease(store, 'vectors')]
}

export const lifecycleCases: readonly StoreCase[] = [
  {
    id: 'L1',
    title: 'a created store is empty and shares nothing with another',
    async run(context) {
      const first = await context.create()
      const second = await context.create()
      await change(first, { put: [samplePut('a.md', 2)] })
      await withLease(first, 'write', (lease) => first.settings.set(lease, 'k', 'v'))
      assert.deepEqual(await read(second, (snapshot) => snapshot.counts()), { documents: 0, chunks: 0 })
      assert.deepEqual(await read(second, (snapshot) => collect(snapshot.documents())), [])
      assert.deepEqual(await read(second, (snapshot) => snapshot.segments()), [])
      assert.deepEqual(await read(second, (snapshot) => snapshot.spaces()), [])
      assert.equal(await second.settings.get('k'), undefined)
      assert.deepEqual(await second.jobs.list(), [])
    },
  },
  {
    id: 'L2',
    title: 'names its contract version and its kind; an own full-text search is whole or absent',
    async run(context) {
      const store = await context.create()
      assert.equal(store.specVersion, 'v1')
      assert.match(store.kind, /^[a-z][a-z0-9-]*$/)
      if (store.nativeKeywords === undefined)
        assert.equal('nativeKeywords' in store, false, 'an absent method must not be a member')
      else assert.deepEqual(await store.nativeKeywords(['absent'], { limit: 3 }), [])
    },
  },
  {
    id: 'L10',
    title: 'says what it keeps; the rest reads as if there were none, and writing it is `unsupported`',
    async run(context) {
      const store = await context.create()
      assert.deepEqual(new Set(store.levels ?? LEVELS), new Set(context.levels), '`levels` of the store and of the target agree')
      assert.ok(context.has('documents'), 'every store keeps documents')
      const [write, vectors] = await takeLeases(store)
      for (const [name, operation] of operationsOf(STORE_OPERATIONS, context, false)) {
        if (name === 'jobs.list') assert.deepEqual(await operation(store, write, vectors), [], name)
        else await assert.rejects(() => operation(store, write, vectors), isStoreError('unsupported'), name)
      }
      await read(store, async (snapshot) => {
        for (const [name, operation] of operationsOf(SNAPSHOT_OPERATIONS, context, false)) {
          if (name === 'blocks') await assert.rejects(() => operation(snapshot), isStoreError('unsupported'), name)
          else assert.deepEqual([...((await operation(snapshot)) as Iterable<unknown>)], [], name)
        }
      })
    },
  },
  {
    id: 'L3',
    title: 'reopening keeps documents, chunks, segments, vectors, failures, jobs and settings',
    async run(context) {
      const store = await context.create()
      await fill(store, context)
      const before = await everything(store, context)
      const reopened = await context.reopen(store)
      assert.deepEqual(await everything(reopened, context), before)
    },
  },
  {
    id: 'L4',
    title: 'every operation works on an open store',
    async run(context) {
      for (const [name, operation] of operationsOf(STORE_OPERATIONS, context)) {
        const store = await context.create()
        const [write, vectors] = await takeLeases(store)
        await assert.doesNotReject(() => operation(store, write, vectors), name)
      }
      const store = await context.create()
      if (context.has('keywords')) await change(store, { segments: () => [sampleSegment('s', ['k'])] })
      for (const [name, operation] of operationsOf(SNAPSHOT_OPERATIONS, context)) {
        await assert.doesNotReject(() => read(store, operation), name)
      }
    },
  },
  {
    id: 'L5',
    title: 'every operation on a closed or closing store is refused as `closed`',
    async run(context) {
      for (const isWaiting of [true, false]) {
        const store = await context.create()
        const [write, vectors] = await takeLeases(store)
        const snapshot = await store.snapshot()
        const closing = store.close()
        if (isWaiting) await closing
        for (const [name, operation] of operationsOf(STORE_OPERATIONS, context)) {
          await assert.rejects(() => operation(store, write, vectors), isStoreError('closed'), name)
        }
        for (const [name, operation] of operationsOf(SNAPSHOT_OPERATIONS, context)) {
          await assert.rejects(() => operation(snapshot), isStoreError('closed'), name)
        }
        snapshot.release()
        await closing
      }
    },
  },
  {
    id: 'L6',
    title: 'closing twice, also at once, is closing once',
    async run(context) {
      const store = await context.create()
      await Promise.all([store.close(), store.close()])
      await store.close()
    },
  },
  {
    id: 'L7',
    title: 'closing waits for work in flight, and what was in flight is kept',
    async run(context) {
      const store = await context.create()
      const lease = await takeLease(store, 'write')
      const applied = store.apply(lease, { put: [samplePut('a.md', 3)], touch: [], remove: [] })
      await store.close()
      await applied
      const reopened = await context.reopen(store)
      assert.deepEqual(await read(reopened, (snapshot) => snapshot.counts()), { documents: 1, chunks: 3 })
    },
  },
  {
    id: 'L8',
    title: 'a used store checks as healthy, and a repair of it repairs nothing',
    async run(context) {
      const store = await context.create()
      await fill(store, context)
      assert.deepEqual(await store.check(), { isHealthy: true, problems: [], repaired: [] })
      const before = await everything(store, context)
      assert.deepEqual(await store.check({ repair: true }), { isHealthy: true, problems: [], repaired: [] })
      assert.deepEqual(await everything(store, context), before)
    },
  },
  {
    id: 'L9',
    title: 'an unfinished iteration ends as `closed` when its store closes',
    async run(context) {
      const store = await context.create()
      await change(store, { put: Array.from({ length: 600 }, (_, index) => samplePut(`${index}.md`, 0)) })
      const snapshot = await store.snapshot()
      const iterator = snapshot.documents()[Symbol.asyncIterator]()
      await iterator.next()
      await store.close()
      const drain = async (): Promise<void> => {
        while (!(await iterator.next()).done);
      }
      await assert.rejects(drain, (error) => StoreError.isInstance(error) && error.code === 'closed')
    },
  },
]

async function fill(store: MemoryStore, context: StoreContext): Promise<void> {
  const put = [samplePut('a.md', 3, { title: 'A', properties: { status: 'kept' } }), putOfInputs('b.md', ['x', 'y', 'z', 'w'])]
  const segments = (...added: readonly SmallSegment[]) => (context.has('keywords') ? { segments: () => added } : {})
  await change(store, { put, ...segments(sampleSegment('first', ['a', 'm']), sampleSegment('second', ['k'])) })
  await change(store, { remove: [sampleDocument('a.md')], ...segments(sampleSegment('third', ['t'])) })
  await withLease(store, 'vectors', async (lease) => {
    const entries = [
      { hash: 'x', vector: TWO },
      { hash: 'y', vector: null },
      { hash: 'unreferenced', vector: TWO },
    ]
    if (context.has('vectors')) {
      await store.putVectors(lease, space, entries)
      await store.markFailed(lease, fingerprint(space), [{ hash: 'z', reason: 'refused by the service' }])
    }
    if (context.has('jobs')) await store.jobs.put(lease, sampleJob('marker', { inputs: ['w'] }))
    await store.settings.set(lease, 'key', 'value')
  })
}

async function everything(store: MemoryStore, context: StoreContext): Promise<unknown> {
  const id = fingerprint(space)
  return read(store, async (snapshot) => ({
    counts: await snapshot.counts(),
    documents: await collect(snapshot.documents()),
    chunks: await snapshot.chunksOf(sampleDocument('b.md')),
    segments: await snapshot.segments(),
    blocks: context.has('keywords') ? await collect(snapshot.scan('first')) : [],
    spaces: await snapshot.spaces(),
    missing: await snapshot.missingInputs(id, { limit: 10 }),
    vectors: (await collect(snapshot.exportVectors(id))).sort((left, right) => (left.hash < right.hash ? -1 : 1)),
    jobs: await store.jobs.list(),
    setting: await store.settings.get('key'),
  }))
}
