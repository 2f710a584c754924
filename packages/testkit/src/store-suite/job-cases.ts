import assert from 'node:assert/strict'
import { sampleJob } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { withLease } from './store-context.ts'

export const jobCases: readonly StoreCase[] = [
  {
    id: 'J1',
    title: 'jobs come back as they were put, oldest first; the same marker replaces; removal takes one',
    needs: ['jobs'],
    async run(context) {
      const store = await context.create()
      const handle = { provider: 'sample', jobId: 'batch_1', submittedAt: '2026-03-14T09:27:00Z', extra: { file: 'f1' } }
      const job = sampleJob("a'b", {
        state: 'intended',
        inputs: ['x', 'y'],
        note: 'first try',
        createdAt: '2026-03-15T00:00:00Z',
      })
      await withLease(store, 'vectors', async (lease) => {
        await store.jobs.put(lease, job)
        await store.jobs.put(lease, sampleJob('older'))
        assert.deepEqual(await store.jobs.list(), [sampleJob('older'), job])
        const submitted = { ...job, state: 'submitted' as const, handle }
        await store.jobs.put(lease, submitted)
        assert.deepEqual(await store.jobs.list(), [sampleJob('older'), submitted])
        await store.jobs.remove(lease, 'older')
        await store.jobs.remove(lease, 'unknown')
        assert.deepEqual(await store.jobs.list(), [submitted])
      })
    },
  },
  {
    id: 'J2',
    title: 'settings keep text under a key; the last one set holds; an unknown key is undefined',
    async run(context) {
      const store = await context.create()
      await withLease(store, 'write', async (lease) => {
        await store.settings.set(lease, 'recipe', '1')
        await store.settings.set(lease, 'recipe', '{"a":"\u0000 \'quoted\'"}')
        await store.settings.set(lease, '', '')
      })
      assert.equal(await store.settings.get('recipe'), '{"a":"\u0000 \'quoted\'"}')
      assert.equal(await store.settings.get(''), '')
      assert.equal(await store.settings.get('Recipe'), undefined)
    },
  },
]
