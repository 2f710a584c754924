import type { MemoryStore } from '@mnemark/spec'

const SETTING = 'index.lookedOverAtMs'
const LEASE_WAIT_MS = 5_000
const DAY_MS = 86_400_000
/** Checking every row takes some 20 us a chunk: 40 ms for this many. */
const ALWAYS_UP_TO_CHUNKS = 2_000

/** True if every row should be checked: always if that is quick, else once a day. */
export async function mustLookOver(store: MemoryStore, nowMs: number = Date.now()): Promise<boolean> {
  if (await isDue(store, nowMs)) return true
  const snapshot = await store.snapshot()
  try {
    return (await snapshot.counts()).chunks <= ALWAYS_UP_TO_CHUNKS
  } finally {
    snapshot.release()
  }
}

/** Records the check, if that matters. */
export async function lookedOver(store: MemoryStore, nowMs: number = Date.now()): Promise<void> {
  if (!(await isDue(store, nowMs))) return
  const lease = await store.acquireLease('write', { signal: AbortSignal.timeout(LEASE_WAIT_MS) })
  if (lease === null) return
  try {
    await store.settings.set(lease, SETTING, String(nowMs))
  } finally {
    await lease.release()
  }
}

async function isDue(store: MemoryStore, nowMs: number): Promise<boolean> {
  const lastMs = Number(await store.settings.get(SETTING)) || 0
  // A time in the future comes from a clock that was set back.
  return Math.abs(nowMs - lastMs) >= DAY_MS
}
