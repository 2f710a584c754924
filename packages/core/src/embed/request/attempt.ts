import type { EmbeddingProvider, EmbeddingRequest, EmbeddingResult } from '@mnemark/spec'
import type { CheckedEffects } from '../../calls/call-effects.ts'
import { guardProvider } from './guard-provider.ts'
import { asProviderError, providerError } from '../../calls/provider-errors.ts'

export interface AttemptTime {
  readonly timeoutMs: number
  readonly sleep: CheckedEffects['sleep']
}

/**
 * One request under its own time-out and the caller's signal, whichever comes first; both reach the provider, and
 * neither waits for a provider that ignores it. Rejects with the reason of the caller's signal, or with a ProviderError:
 * `unavailable` when the time is up.
 */
export async function attempt(
  provider: EmbeddingProvider,
  { signal, ...request }: EmbeddingRequest,
  { timeoutMs, sleep }: AttemptTime,
): Promise<EmbeddingResult> {
  signal?.throwIfAborted()
  const timeIsUp = new AbortController()
  const timer = new AbortController()
  const either = signal === undefined ? timeIsUp.signal : AbortSignal.any([signal, timeIsUp.signal])
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(either.reason)
  either.addEventListener('abort', onAbort, { once: true })
  sleep(timeoutMs, timer.signal).then(
    () => timeIsUp.abort(),
    () => {},
  )
  try {
    return await Promise.race([guardProvider(provider).embed({ ...request, signal: either }), ended])
  } catch (error) {
    signal?.throwIfAborted()
    if (!timeIsUp.signal.aborted) throw asProviderError(provider, error)
    const words = `no embeddings within ${timeoutMs} ms. Check that the service answers, or allow embedding more time.`
    throw providerError(provider, 'unavailable', words)
  } finally {
    timer.abort()
    either.removeEventListener('abort', onAbort)
  }
}
