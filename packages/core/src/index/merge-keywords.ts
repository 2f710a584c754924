import { type CallOptions, fingerprint, type Lease } from '@mnemark/spec'
import { planMerge } from '../keywords/build/plan-merge.ts'
import { decodeHeader, isOwnSegment } from '../keywords/format/segment-header.ts'
import type { SyncContext } from './documents/sync-documents.ts'
import { withWriteLease } from './with-lease.ts'
import { withSnapshot } from './with-snapshot.ts'
import { mergeSegments } from '../keywords/build/merge-segments.ts'

/** Dead chunks take space and are filtered from every list that is read, so beyond this share the whole index is merged. */
const MAX_DEAD_SHARE = 0.25

type Segments = readonly { readonly id: string; readonly header: Uint8Array }[]

function planCompaction(segments: Segments): readonly string[] | undefined {
  const headers = segments.filter(({ header }) => isOwnSegment(header)).map(({ header }) => decodeHeader(header))
  const all = headers.reduce((sum, { count }) => sum + count, 0)
  const dead = headers.reduce((sum, { removed }) => sum + removed.length, 0)
  return dead > MAX_DEAD_SHARE * all ? segments.map(({ id }) => id) : undefined
}

/**
 * Merges keyword segments until no tier is full and few chunks are dead, one merge per lease, so that other writers get
 * their turn.
 */
export async function mergeKeywords(context: SyncContext, { signal }: CallOptions = {}): Promise<void> {
  while (await hasMerge(context)) await withWriteLease(context, signal, (lease) => mergeOnce(context, lease))
}

function planOf(segments: Segments): readonly string[] | undefined {
  return planCompaction(segments) ?? planMerge(segments)
}

/** Checked without the lease, so that a sync that changed nothing needs none. */
async function hasMerge({ store }: SyncContext): Promise<boolean> {
  return withSnapshot(store, async (snapshot) => planOf(await snapshot.segments()) !== undefined)
}

async function mergeOnce({ store }: SyncContext, lease: Lease): Promise<void> {
  const snapshot = await store.snapshot()
  try {
    const drop = planOf(await snapshot.segments())
    if (!drop) return
    await store.replaceSegments(lease, drop, await mergeSegments(snapshot, drop, `m${fingerprint(drop).slice(0, 32)}`))
  } finally {
    snapshot.release()
  }
}
