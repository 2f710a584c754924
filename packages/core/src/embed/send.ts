import type { EmbeddingInput, EmbeddingProvider, EmbeddingResult, InputType } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import { attempt } from './attempt.ts'
import type { CheckedEffects } from './embed-settings.ts'
import { cancelledError } from './provider-errors.ts'
import { type RetryRules, waitBeforeRetry } from './retry.ts'
import type { SharedPause } from './shared-pause.ts'

export interface SendContext {
  readonly provider: EmbeddingProvider
  readonly inputType: InputType
  readonly timeoutMs: number
  readonly retry: RetryRules
  readonly effects: CheckedEffects
  readonly pause: SharedPause
  /** Ends requests and waits: the caller's. */
  readonly signal?: AbortSignal | undefined
  /** Ends waits only. */
  readonly waits?: AbortSignal | undefined
  readonly onAttempt?: (() => void) | undefined
}

/** Embeds one request, again and again while that may help. Rejects with the last ProviderError, or the reason that ended a wait. */
export async function send(inputs: readonly EmbeddingInput[], context: SendContext): Promise<EmbeddingResult> {
  const { provider, signal, retry, effects, pause } = context
  let startedMs: number | undefined
  let last: ProviderError | undefined
  for (let attempts = 1; ; attempts++) {
    await paused(context, () => pause.over(context.waits ?? signal))
    startedMs ??= effects.now()
    const leftMs = retry.totalMs - (effects.now() - startedMs)
    // A pause that another request brought about may have used up all the time.
    if (last !== undefined && leftMs <= 0) throw last
    try {
      context.onAttempt?.()
      const time = { timeoutMs: Math.min(context.timeoutMs, leftMs), sleep: effects.sleep }
      return await attempt(provider, { inputs, inputType: context.inputType, signal }, time)
    } catch (error) {
      if (!ProviderError.isInstance(error)) throw error
      last = error
    }
    const wait = waitBeforeRetry(last, { attempts, elapsedMs: effects.now() - startedMs }, { ...retry, random: effects.random })
    if (wait === null) throw last
    if (wait.isShared) pause.extend(effects.now() + wait.waitMs)
    else await paused(context, () => effects.sleep(wait.waitMs, context.waits ?? signal))
  }
}

async function paused({ provider, signal }: SendContext, wait: () => Promise<void>): Promise<void> {
  try {
    await wait()
  } catch (error) {
    throw signal?.aborted ? cancelledError(provider, signal.reason) : error
  }
}
