import type { MemoryStore } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

const SETTING = 'index.repaired'
const LEASE_WAIT_MS = 5_000

/** The last repair of an index, stored in it for `doctor`. */
export interface RepairRecord {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly message: string
}

/** Records a repair. If it cannot be recorded, it was still made: no error. */
export async function rememberRepair(store: MemoryStore, message: string): Promise<void> {
  const record: RepairRecord = { at: new Date().toISOString(), message }
  try {
    const lease = await store.acquireLease('write', { signal: AbortSignal.timeout(LEASE_WAIT_MS) })
    if (lease === null) return
    try {
      await store.settings.set(lease, SETTING, JSON.stringify(record))
    } finally {
      await lease.release()
    }
  } catch (error) {
    if (!StoreError.isInstance(error)) throw error
  }
}

export async function lastRepair(store: MemoryStore): Promise<RepairRecord | null> {
  const text = await store.settings.get(SETTING)
  // Only rememberRepair writes this setting.
  return text === undefined ? null : JSON.parse(text)
}
