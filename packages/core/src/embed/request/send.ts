import type { EmbeddingInput, EmbeddingProvider, EmbeddingResult, InputType } from '@mnemark/spec'
import { attempt } from '../../calls/attempt.ts'
import { type CallContext, callWithRetries } from '../../calls/call-with-retries.ts'
import { guardProvider } from './guard-provider.ts'

export interface SendContext extends CallContext {
  readonly provider: EmbeddingProvider
  readonly inputType: InputType
  readonly timeoutMs: number
  readonly onAttempt?: (() => void) | undefined
}

const LATE = { what: 'embeddings', advice: 'allow embedding more time' }

/** Embeds one request and retries while that may help. Rejects with the last ProviderError, or the reason that ended a wait. */
export function send(inputs: readonly EmbeddingInput[], context: SendContext): Promise<EmbeddingResult> {
  const { provider, inputType, signal, effects } = context
  return callWithRetries((leftMs) => {
    context.onAttempt?.()
    return attempt((both) => guardProvider(provider).embed({ inputs, inputType, signal: both }), {
      service: provider.space,
      timeoutMs: Math.min(context.timeoutMs, leftMs),
      sleep: effects.sleep,
      late: LATE,
      signal,
    })
  }, context)
}
