import type { MemoryStore, StoreSnapshot } from '@mnemark/spec'

/** Runs `work` on one committed state, which is released in the end. */
export async function withSnapshot<Result>(
  store: MemoryStore,
  work: (snapshot: StoreSnapshot) => Promise<Result>,
): Promise<Result> {
  const snapshot = await store.snapshot()
  try {
    return await work(snapshot)
  } finally {
    snapshot.release()
  }
}
