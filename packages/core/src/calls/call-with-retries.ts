import { type CallOptions, ProviderError } from '@mnemark/spec'
import type { CheckedEffects } from './call-effects.ts'
import { type RetryRules, waitBeforeRetry } from './retry.ts'
import type { Throttle } from './throttle.ts'

export interface CallContext extends CallOptions {
  readonly retry: RetryRules
  readonly effects: CheckedEffects
  readonly throttle: Throttle
  /** Ends waits only; `signal`, which is the caller's, ends requests as well. */
  readonly waits?: AbortSignal | undefined
}

/**
 * Makes one request, and makes it again while that may help. `request` gets the time that is left in ms. Rejects with
 * the last ProviderError, or the reason that ended a wait.
 */
export async function callWithRetries<Answer>(
  request: (leftMs: number) => Promise<Answer>,
  context: CallContext,
): Promise<Answer> {
  const { retry, effects, throttle } = context
  let startedMs: number | undefined
  let last: ProviderError | undefined
  for (let attempts = 1; ; attempts++) {
    await waited(context, (signal) => throttle.enter(signal))
    const nowMs = effects.now()
    startedMs ??= nowMs
    try {
      const leftMs = startedMs + retry.totalMs - nowMs
      // A pause caused by another request may have used up all the time.
      if (last !== undefined && leftMs <= 0) throw last
      const answer = await request(leftMs)
      throttle.answered()
      return answer
    } catch (error) {
      if (!ProviderError.isInstance(error)) throw error
      last = error
    } finally {
      throttle.leave()
    }
    const elapsedMs = effects.now() - startedMs
    const wait = waitBeforeRetry(last, { attempts, elapsedMs }, { ...retry, random: effects.random })
    if (wait === null) throw last
    if (wait.isShared) throttle.pause(wait.waitMs)
    else await waited(context, (signal) => effects.sleep(wait.waitMs, signal))
  }
}

async function waited({ signal, waits }: CallContext, wait: (signal: AbortSignal | undefined) => Promise<void>): Promise<void> {
  try {
    await wait(waits ?? signal)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}
