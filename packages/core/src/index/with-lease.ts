import type { CallOptions, Lease, LeaseName, MemoryStore } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/** How long a second writer waits before it reports. */
const WRITE_WAIT_MS = 30_000
/** Interval of a holder's heartbeats; after a minute without one it counts as gone. */
const RENEW_MS = 20_000

export interface LeaseContext {
  readonly store: MemoryStore
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
export interface LeaseRequest extends CallOptions {
  readonly name: LeaseName
  /** How long to wait for another holder. */
  readonly waitMs: number
}

/** Runs `work` under a lease, which is released in the end; undefined where another process held it too long. */
export async function withLease<Result>(
  context: LeaseContext,
  request: LeaseRequest,
  work: (lease: Lease) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const { signal, name, waitMs } = request
  signal?.throwIfAborted()
  const waiting = new AbortController()
  const stop = () => waiting.abort()
  signal?.addEventListener('abort', stop, { once: true })
  context.sleep(waitMs, waiting.signal).then(stop, () => {})
  try {
    const lease = await context.store.acquireLease(name, { signal: waiting.signal })
    try {
      signal?.throwIfAborted()
      return lease ? { result: await work(lease) } : undefined
    } finally {
      await lease?.release()
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    waiting.abort()
  }
}

/** Runs `work` under the write lease. Throws StoreError `lease-held` when another process holds it for half a minute. */
export async function withWriteLease<Result>(
  context: LeaseContext,
  signal: AbortSignal | undefined,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const done = await withLease(context, { name: 'write', waitMs: WRITE_WAIT_MS, signal }, work)
  if (done) return done.result
  throw new StoreError('lease-held', 'Another process is writing the index. Wait until it is done, then try again.')
}

/** Keeps a lease alive while `work` waits for something slow. Rejects with the error of `work`. */
export async function keepAlive<Result>(
  { sleep }: Pick<LeaseContext, 'sleep'>,
  lease: Lease,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController()
  const beat = async (): Promise<void> => {
    for (;;) {
      await sleep(RENEW_MS, done.signal)
      await lease.renew().catch((error: unknown) => {
        // Two more heartbeats fit into a minute: one failed by another writer ends nothing.
        if (!StoreError.isInstance(error) || error.code !== 'busy') throw error
      })
    }
  }
  // The next write detects a lost lease.
  beat().catch(() => {})
  try {
    return await work()
  } finally {
    done.abort()
  }
}
