import type { ChangeSet, Lease, LeaseName, MemoryStore, SmallSegment, StoreSnapshot } from '@mnemark/spec'
import { expect, onTestFinished } from 'vitest'
import type { SqliteStoreOptions } from '../index.ts'
import { openSqliteStore } from '../index.ts'

/** Opens a store that closes with the test. */
export async function open(path: string, options: Omit<SqliteStoreOptions, 'path'> = {}): Promise<MemoryStore> {
  const store = await openSqliteStore({ path, ...options })
  onTestFinished(() => store.close())
  return store
}

export function samplePut(path: string, chunkCount = 1): ChangeSet['put'][number] {
  const document = { source: 'memory', path, size: 1, modifiedAtMs: 1, contentHash: path, recipe: 'r', isEvergreen: false }
  const chunks = Array.from({ length: chunkCount }, (_, ordinal) => ({
    document: { source: 'memory', path },
    ordinal,
    startLine: ordinal + 1,
    endLine: ordinal + 1,
    text: `line ${ordinal} of ${path} `.repeat(40),
    headingTrail: ['Top'],
    attributes: {},
    inputs: [`${path} ${ordinal}`],
  }))
  return { document, chunks }
}

export function sampleSegment(id: string, firstKeys: readonly string[]): SmallSegment {
  return { id, header: new Uint8Array([1]), blocks: firstKeys.map((firstKey) => ({ firstKey, bytes: new Uint8Array([7]) })) }
}

export async function take(store: MemoryStore, name: LeaseName = 'write'): Promise<Lease> {
  const lease = await store.acquireLease(name, { signal: AbortSignal.timeout(30_000) })
  expect(lease).not.toBeNull()
  if (!lease) throw new Error('no lease')
  return lease
}

export async function change(store: MemoryStore, changes: Partial<ChangeSet>): Promise<void> {
  const lease = await take(store)
  await store.apply(lease, { put: [], touch: [], remove: [], ...changes })
  await lease.release()
}

export async function read<T>(store: MemoryStore, work: (snapshot: StoreSnapshot) => Promise<T>): Promise<T> {
  const snapshot = await store.snapshot()
  try {
    return await work(snapshot)
  } finally {
    snapshot.release()
  }
}

export function countDocuments(store: MemoryStore): Promise<number> {
  return read(store, async (snapshot) => (await snapshot.counts()).documents)
}
