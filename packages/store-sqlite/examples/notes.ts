import { openSqliteStore } from '@mnemark/store-sqlite'

const store = await openSqliteStore({ path: process.argv[2] ?? ':memory:' })
const lease = await store.acquireLease('write')
if (lease) {
  const document = {
    source: 'memory',
    path: 'MEMORY.md',
    size: 12,
    modifiedAtMs: 0,
    contentHash: 'hash of the file',
    recipe: 'version of the chunking',
    isEvergreen: true,
  }
  const chunk = {
    document: { source: 'memory', path: 'MEMORY.md' },
    ordinal: 0,
    startLine: 1,
    endLine: 1,
    text: 'uses pnpm',
    headingTrail: [],
    attributes: {},
    inputs: ['hash of the embedded text'],
  }
  await store.apply(lease, { put: [{ document, chunks: [chunk] }], touch: [], remove: [] })
  await lease.release()
}
const snapshot = await store.snapshot()
console.log(await snapshot.counts())
snapshot.release()
await store.close()
