import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Lease, MemoryStore, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import type { SqliteMemoryStore } from '@mnemark/store-sqlite'
import { openSqliteStore } from '@mnemark/store-sqlite'
import type { OpenEngine, VectorEngine } from './engine.ts'
import type { VectorSet } from './vector-set.ts'
import { documentVectors } from './vector-set.ts'

const SPACE: VectorSpace = { provider: 'bench', endpoint: null, model: 'bench', requestedDimensions: null, variant: {} }
const ID = fingerprint(SPACE)
const BATCH = 2_000
const CHUNKS_A_NOTE = 10
const FILE = 'index.sqlite'

/** The store of the product; `scanMemoryBytes: 0` is a process that never holds int8 codes. */
export function mnemarkEngine(options: { readonly scanMemoryBytes?: number } = {}): VectorEngine {
  return {
    fill: async (folder, set) => {
      const store = await openSqliteStore({ path: join(folder, FILE) })
      await inBatches(set, (from, vectors) => putChunks(store, from, vectors.length))
      await maintain(store)
      const before = statSync(join(folder, FILE)).size
      await inBatches(set, (from, vectors) => putVectors(store, from, vectors))
      await maintain(store)
      await store.close()
      return statSync(join(folder, FILE)).size - before
    },
    open: async (folder) => {
      const store = await openSqliteStore({ path: join(folder, FILE), ...options })
      return openEngine(store)
    },
  }
}

/** Chunk ids count from 1 in the order in which the chunks were put. */
function openEngine(store: SqliteMemoryStore): OpenEngine {
  return {
    nearest: async (query, limit) => {
      const snapshot = await store.snapshot()
      try {
        return (await snapshot.nearest(ID, query, { limit })).map(({ chunkId }) => chunkId - 1)
      } finally {
        snapshot.release()
      }
    },
    settle: () => untilWarm(store),
    close: () => store.close(),
  }
}

async function untilWarm(store: SqliteMemoryStore): Promise<void> {
  for (;;) {
    const [space] = (await store.describeScan()).spaces
    if (!space || space.codes === '1-bit' || space.warm === space.vectors) return
    await wait(20)
  }
}

async function inBatches(set: VectorSet, put: (from: number, vectors: readonly Float32Array[]) => Promise<void>): Promise<void> {
  let batch: Float32Array[] = []
  let from = 0
  for (const vector of documentVectors(set)) {
    batch.push(vector)
    if (batch.length < BATCH) continue
    await put(from, batch)
    from += batch.length
    batch = []
  }
  if (batch.length > 0) await put(from, batch)
}

async function withLease(store: MemoryStore, work: (lease: Lease) => Promise<void>): Promise<void> {
  const lease = await store.acquireLease('write')
  if (!lease) throw new Error('The index is being written to by another process.')
  await work(lease)
  await lease.release()
}

function maintain(store: MemoryStore): Promise<void> {
  return withLease(store, (lease) => store.maintain(lease, { maxUnreferencedVectors: 0 }))
}

function putChunks(store: MemoryStore, from: number, count: number): Promise<void> {
  const put = Array.from({ length: Math.ceil(count / CHUNKS_A_NOTE) }, (_, note) => {
    const id = { source: 'memory', path: `${from + note}.md` }
    const document = { ...id, size: 1, modifiedAtMs: 1, contentHash: id.path, recipe: 'bench', isEvergreen: false }
    const first = from + note * CHUNKS_A_NOTE
    const chunks = Array.from({ length: Math.min(CHUNKS_A_NOTE, from + count - first) }, (_chunk, ordinal) => ({
      document: id,
      ordinal,
      startLine: ordinal + 1,
      endLine: ordinal + 1,
      text: 'text',
      headingTrail: [],
      attributes: {},
      inputs: [`input ${first + ordinal}`],
    }))
    return { document, chunks }
  })
  return withLease(store, (lease) => store.apply(lease, { put, touch: [], remove: [] }))
}

function putVectors(store: MemoryStore, from: number, vectors: readonly Float32Array[]): Promise<void> {
  const entries = vectors.map((vector, index) => ({ hash: `input ${from + index}`, vector }))
  return withLease(store, (lease) => store.putVectors(lease, SPACE, entries))
}
