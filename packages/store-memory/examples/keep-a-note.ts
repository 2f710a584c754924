import { createInMemoryStore } from '@mnemark/store-memory'

const store = createInMemoryStore()
const lease = await store.acquireLease('write')
if (lease) {
  const id = { source: 'memory', path: 'MEMORY.md' }
  const document = { ...id, size: 9, modifiedAtMs: 0, contentHash: 'hash of the file', recipe: 'r1', isEvergreen: true }
  const chunk = {
    document: id,
    ordinal: 0,
    startLine: 1,
    endLine: 1,
    text: 'uses pnpm',
    headingTrail: [],
    attributes: {},
    inputs: ['h'],
  }
  await store.apply(lease, { put: [{ document, chunks: [chunk] }], touch: [], remove: [] })
  await lease.release()
}
const snapshot = await store.snapshot()
console.log(await snapshot.counts())
snapshot.release()
await store.close()
