/** Work between two pauses in which timers and other callers get their turn. */
const SLICE_MS = 25

export interface YieldContext {
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** To be called often in long work: yields to the event loop where the last yield is a slice of time ago, and rejects where the signal aborted. */
export function createYielder({ now, sleep }: YieldContext, signal?: AbortSignal): () => Promise<void> {
  let since = now()
  return async () => {
    if (now() - since < SLICE_MS) return
    await sleep(0, signal)
    signal?.throwIfAborted()
    since = now()
  }
}
