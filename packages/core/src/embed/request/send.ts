import { type EmbeddingInput, type EmbeddingProvider, type EmbeddingResult, type InputType, ProviderError } from '@mnemark/spec'
import { attempt } from './attempt.ts'
import type { CheckedEffects } from '../../calls/call-effects.ts'
import { type RetryRules, waitBeforeRetry } from '../../calls/retry.ts'
import type { Throttle } from '../../calls/throttle.ts'

export interface SendContext {
  readonly provider: EmbeddingProvider
  readonly inputType: InputType
  readonly timeoutMs: number
  readonly retry: RetryRules
  readonly effects: CheckedEffects
  readonly throttle: Throttle
  /** Ends requests and waits; set by the caller. */
  readonly signal?: AbortSignal | undefined
  /** Ends waits only. */
  readonly waits?: AbortSignal | undefined
  readonly onAttempt?: (() => void) | undefined
}

/** Embeds one request and retries while that may help. Rejects with the last ProviderError, or the reason that ended a wait. */
export async function send(inputs: readonly EmbeddingInput[], context: SendContext): Promise<EmbeddingResult> {
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
      return await attemptWithin(inputs, context, leftMs)
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

async function attemptWithin(
  inputs: readonly EmbeddingInput[],
  { provider, inputType, signal, effects, throttle, ...context }: SendContext,
  leftMs: number,
): Promise<EmbeddingResult> {
  context.onAttempt?.()
  const time = { timeoutMs: Math.min(context.timeoutMs, leftMs), sleep: effects.sleep }
  const result = await attempt(provider, { inputs, inputType, signal }, time)
  throttle.answered()
  return result
}

async function waited({ signal, waits }: SendContext, wait: (signal: AbortSignal | undefined) => Promise<void>): Promise<void> {
  try {
    await wait(waits ?? signal)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}
