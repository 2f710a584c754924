import type { MemoryStore } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/** How long storing a person's answer waits for another writing process. */
const LEASE_WAIT_MS = 30_000

/** Stores a value with the index. Rejects with StoreError if it cannot. */
export async function keepSetting(store: MemoryStore, name: string, value: string): Promise<void> {
  const lease = await store.acquireLease('write', { signal: AbortSignal.timeout(LEASE_WAIT_MS) })
  if (lease === null) throw new StoreError('lease-held', 'It could not be kept with the index: another process writes to it.')
  try {
    await store.settings.set(lease, name, value)
  } finally {
    await lease.release()
  }
}
