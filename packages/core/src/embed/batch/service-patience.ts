import { ProviderError } from '@mnemark/spec'
import { type BatchContext, hasTimeFor } from './batch-context.ts'

const LONGEST_MS = 60_000
/** Longest pause a run accepts from a service; for a longer one the jobs wait for a later run. */
const LONGEST_HINT_MS = 10 * 60_000
const GROWTH = 1.5
/** A wait is cut into slices, so that a run that is to stop does not sit it out. */
const SLICE_MS = 1_000

/** Waits between looks: from the poll interval to a minute, or as long as the service asks for. */
export class Backoff {
  readonly #context: BatchContext
  #waitMs: number

  constructor(context: BatchContext) {
    this.#context = context
    this.#waitMs = context.settings.pollIntervalMs
  }

  /**
   * Returns false where the deadline comes first, the service asks for longer than a run waits, or the run is to stop.
   * Rejects with the reason of the signal when that aborts.
   */
  async wait(hintMs = 0): Promise<boolean> {
    const { effects, signal, isStopping } = this.#context
    const waitMs = Math.max(this.#waitMs, hintMs)
    if (hintMs > LONGEST_HINT_MS || !hasTimeFor(this.#context, waitMs)) return false
    this.#waitMs = Math.max(this.#waitMs, Math.min(LONGEST_MS, this.#waitMs * GROWTH))
    try {
      for (let leftMs = waitMs; leftMs > 0; leftMs -= SLICE_MS) {
        if (isStopping()) return false
        await effects.sleep(Math.min(leftMs, SLICE_MS), signal)
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
    return true
  }
}

const ATTEMPTS = 5

/** Calls the service until it answers, a few times at most. Rejects with the last ProviderError. */
export async function persist<Value>(context: BatchContext, call: () => Promise<Value>): Promise<Value> {
  const backoff = new Backoff({ ...context, deadlineMs: Number.POSITIVE_INFINITY })
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!ProviderError.isInstance(error) || !error.isRetryable || attempt >= ATTEMPTS) throw error
      if ((error.retryAfterMs ?? 0) > LONGEST_HINT_MS) throw error
      // Where the run is to stop, this returns at once: the attempts that are left follow without a pause.
      await backoff.wait(error.retryAfterMs)
    }
  }
}
