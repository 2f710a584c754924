import { statSync } from 'node:fs'
import type { MemoryStore } from '@mnemark/spec'
import type { Rescued } from '@mnemark/store-sqlite/repair'

/** Names the quarantined index whose vectors were already taken over. */
const SETTING = 'index.vectorsTakenFrom'
/** Another process may be taking them over at the moment. */
const LEASE_WAIT_MS = 30_000

/**
 * Copies the readable vectors of the newest quarantined index into its successor, once, so that no text is paid for twice. If the
 * process is killed, the next one does it. Returns the result in a sentence; null if there was nothing to do. Rejects with
 * StoreError where the successor cannot be written.
 */
export async function takeOverVectors(file: string, store: MemoryStore): Promise<string | null> {
  const { listDamagedStores, rescueVectors } = await import('@mnemark/store-sqlite/repair')
  const damaged = listDamagedStores(file)[0]?.find((path) => /\d$/.test(path))
  if (damaged === undefined) return null
  const name = nameOf(damaged)
  if ((await store.settings.get(SETTING)) === name) return null
  // The embedding lease: no text is sent while its vector is being copied.
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

/** Numbers are reused after the files were removed; the time tells them apart. */
function nameOf(path: string): string {
  const { ino, mtimeMs } = statSync(path)
  return `${path.slice(path.lastIndexOf('.damaged-') + 1)} ${ino} ${mtimeMs}`
}

function inWords({ vectors, lost }: Rescued): string | null {
  if (vectors + lost === 0) return null
  if (lost === 0) return `Its ${vectors} vectors were taken over, so no text is embedded twice.`
  return `${vectors} of its vectors were taken over; ${lost} could not be read, and their texts are embedded again.`
}
