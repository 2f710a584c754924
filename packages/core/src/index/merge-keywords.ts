import { type CallOptions, fingerprint, type Lease } from '@mnemark/spec'
import { mergeSegments, planMerge } from '../keywords/merge-segments.ts'
import { type SyncContext, withWriteLease } from './sync-documents.ts'

/** Merges keyword segments until no tier is full, one merge a lease, so that other writers get their turn in between. */
export async function mergeKeywords(context: SyncContext, { signal }: CallOptions = {}): Promise<void> {
  for (let isFull = true; isFull; ) isFull = await withWriteLease(context, signal, (lease) => mergeOnce(context, lease))
}

async function mergeOnce({ store }: SyncContext, lease: Lease): Promise<boolean> {
  const snapshot = await store.snapshot()
  try {
    const drop = planMerge(await snapshot.segments())
    if (!drop) return false
    await store.replaceSegments(lease, drop, await mergeSegments(snapshot, drop, `m${fingerprint(drop).slice(0, 32)}`))
    return true
  } finally {
    snapshot.release()
  }
}
