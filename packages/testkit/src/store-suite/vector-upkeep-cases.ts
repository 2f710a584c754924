import assert from 'node:assert/strict'
import type { MemoryStore } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { otherSpace, putOfInputs, sampleChunk, sampleDocument, sampleJob, space } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { change, collect, read, withLease } from './store-context.ts'
import { putVectors } from './vector-cases.ts'

const ID = fingerprint(space)
const UNIT = new Float32Array([0.6, 0.8])

function fill(store: MemoryStore, hashes: readonly string[], into = space): Promise<void> {
  return putVectors(
    store,
    hashes.map((hash) => ({ hash, vector: UNIT })),
    into,
  )
}

function fail(store: MemoryStore, hashes: readonly string[], id = ID): Promise<void> {
  const failures = hashes.map((hash) => ({ hash, reason: 'refused by the service' }))
  return withLease(store, 'vectors', (lease) => store.markFailed(lease, id, failures))
}

async function missing(
  store: MemoryStore,
  options: { after?: string; retryFailed?: boolean; limit?: number } = {},
): Promise<string[]> {
  const found = await read(store, (snapshot) => snapshot.missingInputs(ID, { limit: 100, ...options }))
  return found.map(({ hash }) => hash)
}

async function coverage(store: MemoryStore): Promise<unknown[]> {
  const spaces = await read(store, (snapshot) => snapshot.spaces())
  return spaces.map(({ space: { model }, filled, missing: left, failed, isComplete }) => ({
    model,
    filled,
    left,
    failed,
    isComplete,
  }))
}

async function kept(store: MemoryStore, hashes: readonly string[], id = ID): Promise<string[]> {
  const vectors = await read(store, (snapshot) => snapshot.vectors(id, hashes))
  return hashes.filter((hash) => vectors.has(hash))
}

function maintain(store: MemoryStore, maxUnreferencedVectors: number): Promise<void> {
  return withLease(store, 'write', (lease) => store.maintain(lease, { maxUnreferencedVectors }))
}

export const vectorUpkeepCases: readonly StoreCase[] = [
  {
    id: 'V11',
    title: 'coverage counts distinct inputs that chunks refer to: filled, failed, missing',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x', 'y', 'x']), putOfInputs('b.md', ['x', 'z', 'w'])] })
      assert.deepEqual(await coverage(store), [])
      await fill(store, ['x', 'unreferenced'])
      await fail(store, ['z', 'unreferenced too'])
      assert.deepEqual(await coverage(store), [{ model: 'sample-1', filled: 1, left: 2, failed: 1, isComplete: false }])
      await fill(store, ['y', 'w'])
      assert.deepEqual(await coverage(store), [{ model: 'sample-1', filled: 3, left: 0, failed: 1, isComplete: false }])
      await fill(store, ['z'])
      assert.deepEqual(await coverage(store), [{ model: 'sample-1', filled: 4, left: 0, failed: 0, isComplete: true }])
      await change(store, { remove: [sampleDocument('a.md'), sampleDocument('b.md')] })
      assert.deepEqual(await coverage(store), [{ model: 'sample-1', filled: 0, left: 0, failed: 0, isComplete: true }])
    },
  },
  {
    id: 'V12',
    title: 'missing inputs come by hash, a page at a time, each once with a chunk that refers to it',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['d', 'b', 'a']), putOfInputs('b.md', ['c', 'b', 'e'])] })
      assert.deepEqual(await missing(store), ['a', 'b', 'c', 'd', 'e'], 'of an unknown space every input is missing')
      await fill(store, ['c'])
      assert.deepEqual(await missing(store, { limit: 2 }), ['a', 'b'])
      assert.deepEqual(await missing(store, { limit: 2, after: 'b' }), ['d', 'e'])
      assert.deepEqual(await missing(store, { limit: 2, after: 'e' }), [])
      assert.deepEqual(await missing(store, { limit: 0 }), [])
      await read(store, async (snapshot) => {
        for (const { hash, chunkId } of await snapshot.missingInputs(ID, { limit: 10 })) {
          const [chunk] = await snapshot.chunks([chunkId])
          assert.ok(chunk?.inputs.includes(hash), `chunk ${chunkId} refers to ${hash}`)
        }
      })
    },
  },
  {
    id: 'V13',
    title: 'missing inputs leave out those of open batch jobs of that space',
    needs: ['jobs'],
    async run(context) {
      const store = await context.create()
      const states = ['intended', 'submitted', 'unknown', 'collected', 'cleaned', 'abandoned'] as const
      await change(store, { put: [putOfInputs('a.md', [...states, 'free'])] })
      await withLease(store, 'vectors', async (lease) => {
        for (const state of states) await store.jobs.put(lease, sampleJob(state, { state, inputs: [state] }))
        await store.jobs.put(lease, sampleJob('elsewhere', { space: otherSpace, inputs: ['free'] }))
      })
      assert.deepEqual(await missing(store), ['abandoned', 'cleaned', 'collected', 'free'])
      assert.deepEqual(
        await missing(store, { limit: 1, after: 'cleaned' }),
        ['collected'],
        'pages are full although jobs hide some',
      )
      assert.deepEqual(await missing(store, { retryFailed: true }), ['abandoned', 'cleaned', 'collected', 'free'])
      await withLease(store, 'vectors', (lease) => store.jobs.remove(lease, 'submitted'))
      assert.deepEqual(await missing(store), ['abandoned', 'cleaned', 'collected', 'free', 'submitted'])
    },
  },
  {
    id: 'V14',
    title: 'missing inputs leave out failed ones until they are asked for again; a vector clears the mark',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x', 'y', 'z'])] })
      await fail(store, ['x', 'y'])
      assert.deepEqual(await missing(store), ['z'], 'also before the space has its first vector')
      assert.deepEqual(await coverage(store), [], 'a space is known from its first vectors on')
      assert.deepEqual(await missing(store, { retryFailed: true }), ['x', 'y', 'z'])
      await fill(store, ['x'])
      assert.deepEqual(await missing(store, { retryFailed: true }), ['y', 'z'])
      assert.deepEqual(await coverage(store), [{ model: 'sample-1', filled: 1, left: 1, failed: 1, isComplete: false }])
      const other = await read(store, (snapshot) => snapshot.missingInputs(fingerprint(otherSpace), { limit: 9 }))
      assert.equal(other.length, 3, 'a failure belongs to one space')
    },
  },
  {
    id: 'V15',
    title: 'spaces live side by side; dropping one leaves the other',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x', 'y'])] })
      await fill(store, ['x', 'y'])
      await putVectors(store, [{ hash: 'x', vector: new Float32Array([1, 0, 0]) }], otherSpace)
      await fail(store, ['y'], fingerprint(otherSpace))
      assert.equal((await coverage(store)).length, 2)
      await withLease(store, 'vectors', (lease) => store.dropSpace(lease, fingerprint(otherSpace)))
      await withLease(store, 'vectors', (lease) => store.dropSpace(lease, 'unknown'))
      assert.deepEqual(await coverage(store), [{ model: 'sample-1', filled: 2, left: 0, failed: 0, isComplete: true }])
      const again = await read(store, (snapshot) => snapshot.missingInputs(fingerprint(otherSpace), { limit: 9 }))
      assert.deepEqual(
        again.map(({ hash }) => hash),
        ['x', 'y'],
        'its failures are gone too',
      )
      await putVectors(store, [{ hash: 'x', vector: new Float32Array([1, 0]) }], otherSpace)
    },
  },
  {
    id: 'V16',
    title: 'a text that was removed and comes back needs no new vector',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('old.md', ['x', 'y'])] })
      await fill(store, ['x', 'y'])
      await change(store, { remove: [sampleDocument('old.md')] })
      await change(store, { put: [putOfInputs('new.md', ['y', 'x', 'fresh'])] })
      assert.deepEqual(await missing(store), ['fresh'])
      const nearest = await read(store, (snapshot) => snapshot.nearest(ID, UNIT, { limit: 9 }))
      assert.equal(nearest.length, 2)
    },
  },
  {
    id: 'V17',
    title: 'B47 upkeep bounds the vectors no chunk refers to, least recently used first',
    async run(context) {
      const store = await context.create()
      const hashes = Array.from({ length: 20 }, (_, index) => `h${String(index).padStart(2, '0')}`)
      await change(store, { put: hashes.map((hash) => putOfInputs(`${hash}.md`, [hash])) })
      await fill(store, hashes)
      // Removed one by one in this order; h03 returns and is removed again, so it was used last.
      for (const hash of hashes.slice(0, 10)) await change(store, { remove: [sampleDocument(`${hash}.md`)] })
      await change(store, { put: [putOfInputs('again.md', ['h03'])] })
      await change(store, { remove: [sampleDocument('again.md')] })
      await maintain(store, 4)
      assert.deepEqual(await kept(store, hashes), ['h03', 'h07', 'h08', 'h09', ...hashes.slice(10)])
      await maintain(store, 0)
      assert.deepEqual(await kept(store, hashes), hashes.slice(10), 'what chunks refer to is never evicted')
      await maintain(store, 100)
      assert.deepEqual(await kept(store, hashes), hashes.slice(10))
    },
  },
  {
    id: 'V18',
    title: 'a text shared by two documents keeps its vector while one of them is left',
    async run(context) {
      const store = await context.create()
      const document = sampleDocument('twice.md')
      const twice = [0, 1].map((ordinal) => sampleChunk(document, ordinal, { inputs: ['shared', 'shared'] }))
      await change(store, { put: [{ document, chunks: twice }, putOfInputs('other.md', ['shared'])] })
      await putVectors(store, [
        { hash: 'shared', vector: null },
        { hash: 'cached', vector: null },
      ])
      await change(store, { remove: [document] })
      await maintain(store, 0)
      assert.deepEqual(await kept(store, ['shared', 'cached']), ['shared'])
      assert.deepEqual(await read(store, (snapshot) => collect(snapshot.exportVectors(ID))), [{ hash: 'shared', vector: null }])
      await change(store, { remove: [sampleDocument('other.md')] })
      await maintain(store, 0)
      assert.deepEqual(await kept(store, ['shared']), [])
    },
  },
  {
    id: 'V19',
    title: 'the bound holds over all spaces together',
    async run(context) {
      const store = await context.create()
      await fill(store, ['a', 'b', 'c'])
      await fill(store, ['d', 'e', 'f'], otherSpace)
      await maintain(store, 4)
      const left = [await kept(store, ['a', 'b', 'c']), await kept(store, ['d', 'e', 'f'], fingerprint(otherSpace))]
      assert.equal(left.flat().length, 4)
      assert.deepEqual(left[1], ['d', 'e', 'f'], 'the later ones stay')
    },
  },
]
