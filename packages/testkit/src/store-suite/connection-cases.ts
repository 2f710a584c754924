import assert from 'node:assert/strict'
import { fingerprint } from '@mnemark/spec'
import { putOfInputs, samplePut, sampleSegment, space } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { change, collect, isStoreError, read, takeLease, withLease } from './store-context.ts'

export const connectionCases: readonly StoreCase[] = [
  {
    id: 'C1',
    title: 'a second connection sees what the first commits, and both write in turn',
    async run(context) {
      const first = await context.create()
      const second = await context.openSecond(first)
      const segments = (id: string) => (context.has('keywords') ? { segments: () => [sampleSegment(id, ['a'])] } : {})
      for (let round = 0; round < 5; round++) {
        await change(first, {
          put: [samplePut(`first-${round}.md`, 1)],
          ...segments(`first-${round}`),
        })
        await change(second, {
          put: [samplePut(`second-${round}.md`, 1)],
          ...segments(`second-${round}`),
        })
        const counts = { documents: 2 * (round + 1), chunks: 2 * (round + 1) }
        assert.deepEqual(await read(first, (snapshot) => snapshot.counts()), counts)
        assert.deepEqual(await read(second, (snapshot) => snapshot.counts()), counts)
        const listed = await read(first, (snapshot) => snapshot.segments())
        assert.equal(listed.length, context.has('keywords') ? counts.documents : 0)
      }
      const ids = await read(first, async (snapshot) => {
        const documents = await collect(snapshot.documents())
        return (await Promise.all(documents.map((document) => snapshot.chunksOf(document)))).flat().map(({ id }) => id)
      })
      assert.equal(new Set(ids).size, 10, 'two writers never give one id')
    },
  },
  {
    id: 'C2',
    title: 'a snapshot of one connection is not moved by the other',
    async run(context) {
      const first = await context.create()
      const second = await context.openSecond(first)
      await change(first, { put: [putOfInputs('a.md', ['x'])] })
      const snapshot = await second.snapshot()
      await change(first, { put: [putOfInputs('a.md', ['y', 'z'])] })
      if (context.has('vectors'))
        await withLease(first, 'vectors', (lease) => first.putVectors(lease, space, [{ hash: 'x', vector: null }]))
      assert.deepEqual(await snapshot.counts(), { documents: 1, chunks: 1 })
      const missing = await snapshot.missingInputs(fingerprint(space), { limit: 5 })
      assert.deepEqual(
        missing.map(({ hash }) => hash),
        context.has('vectors') ? ['x'] : [],
      )
      snapshot.release()
      assert.deepEqual(await read(second, (current) => current.counts()), { documents: 1, chunks: 2 })
    },
  },
  {
    id: 'C3',
    title: 'a lease held through one connection is not given through the other, until it is free',
    async run(context) {
      const first = await context.create()
      const second = await context.openSecond(first)
      const lease = await takeLease(first, 'write')
      const controller = new AbortController()
      const refused = second.acquireLease('write', { signal: controller.signal })
      await first.apply(lease, { put: [samplePut('a.md', 1)], touch: [], remove: [] })
      controller.abort()
      assert.equal(await refused, null)
      const waiting = second.acquireLease('write')
      await lease.release()
      const given = await waiting
      assert.ok(given)
      await second.apply(given, { put: [samplePut('b.md', 1)], touch: [], remove: [] })
      assert.equal((await read(first, (snapshot) => snapshot.counts())).documents, 2)
    },
  },
  {
    id: 'C4',
    title: 'closing a store gives back its leases, and does not close the other connection',
    async run(context) {
      const first = await context.create()
      const second = await context.openSecond(first)
      await takeLease(first, 'write')
      await takeLease(first, 'vectors')
      await first.close()
      await change(second, { put: [samplePut('a.md', 1)] })
      await withLease(second, 'vectors', (lease) => second.settings.set(lease, 'k', 'v'))
      assert.equal(await second.settings.get('k'), 'v')
      await assert.rejects(() => first.snapshot(), isStoreError('closed'))
    },
  },
]
