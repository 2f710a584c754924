import { ProviderError } from '@mnemark/spec'
import { cancelledError } from '../provider-errors.ts'
import { type BatchContext, hasTimeFor } from './batch-context.ts'

const LONGEST_MS = 60_000
const LONGEST_HINT_MS = 10 * 60_000
const GROWTH = 1.5
/** A run that is to stop does not sit out a wait. */
const SLICE_MS = 1_000

/** The waits between looks: from the poll interval to a minute, or as long as the service asks for. */
export class Backoff {
  readonly #context: BatchContext
  #waitMs: number

  constructor(context: BatchContext) {
    this.#context = context
    this.#waitMs = context.settings.pollIntervalMs
  }

  /** False where the time to wait is over before, or the run is to stop. Rejects with `cancelled` when the signal aborts. */
  async wait(hintMs = 0): Promise<boolean> {
    const { effects, signal, provider, isStopping } = this.#context
    const waitMs = Math.max(this.#waitMs, Math.min(hintMs, LONGEST_HINT_MS))
    if (!hasTimeFor(this.#context, waitMs)) return false
    this.#waitMs = Math.max(this.#waitMs, Math.min(LONGEST_MS, this.#waitMs * GROWTH))
    try {
      for (let leftMs = waitMs; leftMs > 0; leftMs -= SLICE_MS) {
        if (isStopping()) return false
        await effects.sleep(Math.min(leftMs, SLICE_MS), signal)
      }
    } catch (error) {
      throw signal?.aborted ? cancelledError(provider, signal.reason) : error
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
      await backoff.wait(error.retryAfterMs)
    }
  }
}
