import type { Degradation, MemoryBackend } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import type { ScanDescription, SqliteMemoryStore } from '@mnemark/store-sqlite'

/** How vectors are searched, as status shows it in `details.scan`. */
export interface ScanStatus extends ScanDescription {
  readonly extension: ExtensionStatus
}

/** sqlite-vec, for SQL queries on the index. Searches go without it. */
export interface ExtensionStatus {
  /** Null where it is switched off or not installed. */
  readonly path: string | null
  readonly version?: string
  /** Why it cannot be used. */
  readonly problem?: string
}

/** A memory whose status also says how vectors are searched, and what of them is damaged. */
export function withScanStatus(memory: MemoryBackend, store: SqliteMemoryStore): MemoryBackend {
  return {
    specVersion: memory.specVersion,
    get name() {
      return memory.name
    },
    search: (query) => memory.search(query),
    list: (query) => memory.list(query),
    sync: (options) => memory.sync(options),
    status: async (options) => {
      const status = await memory.status(options)
      const scan = await describe(store)
      const damage = damageOf(scan)
      const degraded: readonly Degradation[] =
        damage === null ? [] : [{ code: 'space-incomplete', message: `${damage} ${REPAIR}` }]
      return { ...status, degraded: [...status.degraded, ...degraded], details: { ...status.details, scan } }
    },
    read: (request) => memory.read(request),
    close: () => memory.close(),
  }
}

const REPAIR = 'mnemark index or mnemark doctor --fix repairs that.'

/** Damage that searches of this process found, in a sentence; null if there was none. */
export function damageOf({ spaces }: Pick<ScanDescription, 'spaces'>): string | null {
  const vectors = spaces.reduce((sum, { damagedVectors }) => sum + damagedVectors, 0)
  const blocks = spaces.filter(({ areBlocksDamaged }) => areBlocksDamaged).length
  const parts = [
    ...(vectors > 0 ? [`${vectors} vectors are damaged and left out of answers`] : []),
    ...(blocks > 0 ? [`the blocks of ${blocks} vector spaces are damaged, so that searches are slow`] : []),
  ]
  return parts.length === 0 ? null : `${parts.join('; ')}.`
}

async function describe(store: SqliteMemoryStore): Promise<ScanStatus> {
  await probe(store)
  return { ...(await store.describeScan()), extension: await describeExtension(store) }
}

/** One search in each space: it reads all blocks, and rows enough to know what searches meet. */
async function probe(store: SqliteMemoryStore): Promise<void> {
  const snapshot = await store.snapshot()
  try {
    for (const { fingerprint, dimensions } of await snapshot.spaces())
      if (dimensions !== null) await snapshot.nearest(fingerprint, new Float32Array(dimensions).fill(1), { limit: 1 })
  } finally {
    snapshot.release()
  }
}

/** Loads it, which is the only way to know whether it works. */
export async function describeExtension(store: SqliteMemoryStore): Promise<ExtensionStatus> {
  const { extension: path } = await store.describeScan()
  if (path === null) return { path }
  try {
    const [row] = await store.query('SELECT vec_version() AS version')
    return { path, version: String(row?.version) }
  } catch (error) {
    // TypeError: it loads, and is something else.
    if (!(error instanceof TypeError) && !(StoreError.isInstance(error) && error.code === 'engine-missing')) throw error
    return { path, problem: error.message }
  }
}
