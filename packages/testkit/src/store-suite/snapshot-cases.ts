import assert from 'node:assert/strict'
import type { MemoryStore, StoreSnapshot } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { putOfInputs, sampleDocument, samplePut, sampleSegment, space } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { blocksOf, change, collect, isStoreError, read, withLease } from './store-context.ts'

const QUERY = new Float32Array([1, 0])

async function view(snapshot: StoreSnapshot): Promise<unknown> {
  const id = fingerprint(space)
  return {
    counts: await snapshot.counts(),
    documents: await collect(snapshot.documents()),
    chunks: await snapshot.chunksOf(sampleDocument('a.md')),
    size: (await snapshot.filter({})).size,
    segments: await snapshot.segments(),
    spaces: await snapshot.spaces(),
    missing: await snapshot.missingInputs(id, { limit: 9 }),
    nearest: await snapshot.nearest(id, QUERY, { limit: 9 }),
    exported: await collect(snapshot.exportVectors(id)),
  }
}

function putVector(store: MemoryStore, hash: string, vector: Float32Array): Promise<void> {
  return withLease(store, 'vectors', (lease) => store.putVectors(lease, space, [{ hash, vector }]))
}

export const snapshotCases: readonly StoreCase[] = [
  {
    id: 'N1',
    title: 'a snapshot is one committed state that later commits do not move',
    async run(context) {
      const store = await context.create()
      const segments = (id: string) => (context.has('keywords') ? { segments: () => [sampleSegment(id, ['a'])] } : {})
      await change(store, { put: [putOfInputs('a.md', ['x', 'y'])], ...segments('one') })
      if (context.has('vectors')) await putVector(store, 'x', QUERY)
      const snapshot = await store.snapshot()
      const before = await view(snapshot)
      await change(store, { put: [putOfInputs('a.md', ['z'])], ...segments('two') })
      if (context.has('vectors')) {
        await putVector(store, 'x', new Float32Array([0, 1]))
        await withLease(store, 'vectors', (lease) => store.dropSpace(lease, fingerprint(space)))
      }
      await change(store, { remove: [sampleDocument('a.md')] })
      assert.deepEqual(await view(snapshot), before)
      snapshot.release()
      assert.deepEqual(await read(store, (current) => current.counts()), { documents: 0, chunks: 0 })
    },
  },
  {
    id: 'N2',
    title: 'a snapshot not yet read is fixed at the moment it was taken',
    async run(context) {
      const store = await context.create()
      const snapshot = await store.snapshot()
      await change(store, { put: [samplePut('a.md', 1)] })
      assert.deepEqual(await snapshot.counts(), { documents: 0, chunks: 0 })
      snapshot.release()
    },
  },
  {
    id: 'N3',
    title: 'many snapshots live side by side, each with its own state, and writing goes on',
    async run(context) {
      const store = await context.create()
      const snapshots: StoreSnapshot[] = []
      for (let index = 0; index < 12; index++) {
        snapshots.push(await store.snapshot())
        await change(store, { put: [samplePut(`${index}.md`, 1)] })
      }
      const counts = await Promise.all(snapshots.map((snapshot) => snapshot.counts()))
      assert.deepEqual(
        counts.map(({ documents }) => documents),
        [...snapshots.keys()],
      )
      for (const snapshot of snapshots) snapshot.release()
      assert.equal((await read(store, (snapshot) => snapshot.counts())).documents, 12)
    },
  },
  {
    id: 'N4',
    title: 'releasing twice is releasing once; a released snapshot is `closed`, the others are not',
    async run(context) {
      const store = await context.create()
      const first = await store.snapshot()
      const second = await store.snapshot()
      first.release()
      first.release()
      await assert.rejects(() => first.counts(), isStoreError('closed'))
      await assert.rejects(() => collect(first.documents()), isStoreError('closed'))
      const third = await store.snapshot()
      await assert.rejects(() => first.counts(), isStoreError('closed'), 'not even when its connection serves another')
      assert.equal((await second.counts()).documents, 0)
      assert.equal((await third.counts()).documents, 0)
      second.release()
      third.release()
    },
  },
  {
    id: 'N5',
    title: 'an iteration goes through its own state while others read and write',
    async run(context) {
      const store = await context.create()
      await change(store, { put: Array.from({ length: 600 }, (_, index) => samplePut(`${index}.md`, 1)) })
      const snapshot = await store.snapshot()
      const seen = new Set<string>()
      for await (const { path } of snapshot.documents()) {
        if (seen.size % 200 === 0) {
          await change(store, { remove: [sampleDocument(`${599 - seen.size}.md`)] })
          assert.equal((await snapshot.chunksOf(sampleDocument(path))).length, 1)
        }
        seen.add(path)
      }
      assert.equal(seen.size, 600)
      snapshot.release()
    },
  },
  {
    id: 'N6',
    title: 'what a caller does to its own arrays afterwards does not reach the store',
    needs: ['keywords'],
    async run(context) {
      const store = await context.create()
      const vector = new Float32Array([1, 0])
      const segment = sampleSegment('s', ['a'])
      await change(store, { put: [putOfInputs('a.md', ['x'])], segments: () => [segment] })
      if (context.has('vectors')) await putVector(store, 'x', vector)
      const [block] = segment.blocks
      assert.ok(block)
      vector.fill(7)
      block.bytes.fill(7)
      await read(store, async (snapshot) => {
        const kept = (await snapshot.vectors(fingerprint(space), ['x'])).get('x')
        assert.deepEqual(kept, context.has('vectors') ? new Float32Array([1, 0]) : undefined)
        assert.deepEqual(await blocksOf(snapshot, 's', ['a']), sampleSegment('s', ['a']).blocks)
      })
    },
  },
]
