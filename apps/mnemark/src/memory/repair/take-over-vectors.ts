import { statSync } from 'node:fs'
import type { MemoryStore } from '@mnemark/spec'
import type { Rescued } from '@mnemark/store-sqlite/repair'

/** Names the set-aside index whose vectors are in this one already. */
const SETTING = 'index.vectorsTakenFrom'
/** Another process may be taking them over just now. */
const LEASE_WAIT_MS = 30_000

/**
 * Takes the vectors that can be read in the newest index that was set aside into its successor, once, so that no text is paid for twice.
 * A process that was killed at it leaves the work to the next one. Returns what came of it in a sentence; null where nothing did. Rejects with StoreError where the successor cannot be written.
 */
export async function takeOverVectors(file: string, store: MemoryStore): Promise<string | null> {
  const { listDamagedStores, rescueVectors } = await import('@mnemark/store-sqlite/repair')
  const damaged = listDamagedStores(file)[0]?.find((path) => /\d$/.test(path))
  if (damaged === undefined) return null
  const name = nameOf(damaged)
  if ((await store.settings.get(SETTING)) === name) return null
  // The lease of embedding: nobody sends a text whose vector is on its way.
  const lease = await store.acquireLease('vectors', { signal: AbortSignal.timeout(LEASE_WAIT_MS) })
  if (lease === null) return null
  try {
    if ((await store.settings.get(SETTING)) === name) return null
    const rescued = await rescueVectors(damaged, store, lease)
    await store.settings.set(lease, SETTING, name)
    return inWords(rescued)
  } finally {
    await lease.release()
  }
}

/** Numbers are given again after the files were removed; another file has another time. */
function nameOf(path: string): string {
  const { ino, mtimeMs } = statSync(path)
  return `${path.slice(path.lastIndexOf('.damaged-') + 1)} ${ino} ${mtimeMs}`
}

function inWords({ vectors, lost }: Rescued): string | null {
  if (vectors + lost === 0) return null
  if (lost === 0) return `Its ${vectors} vectors were taken over, so no text is embedded twice.`
  return `${vectors} of its vectors were taken over; ${lost} could not be read, and their texts are embedded again.`
}
