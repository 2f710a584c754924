import type { CallOptions } from '@mnemark/spec'
import type { CheckedEffects } from './call-effects.ts'
import { asProviderError, providerError, type Service } from './provider-errors.ts'

export interface AttemptRules extends CallOptions {
  readonly service: Service
  readonly timeoutMs: number
  readonly sleep: CheckedEffects['sleep']
  /** For the message when the time is up. `what` is missing, such as `embeddings`; `advice` helps if the service does answer. */
  readonly late: { readonly what: string; readonly advice: string }
}

/**
 * One request under its own time-out and the caller's signal, whichever comes first; both reach the service, and
 * neither waits for a service that ignores it. Rejects with the reason of the caller's signal, or with a ProviderError:
 * `unavailable` when the time is up.
 */
export async function attempt<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  { signal, service, timeoutMs, sleep, late }: AttemptRules,
): Promise<Answer> {
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
    return await Promise.race([call(either), ended])
  } catch (error) {
    signal?.throwIfAborted()
    if (!timeIsUp.signal.aborted) throw asProviderError(service, error)
    const words = `no ${late.what} within ${timeoutMs} ms. Check that the service answers, or ${late.advice}.`
    throw providerError(service, 'unavailable', words)
  } finally {
    timer.abort()
    either.removeEventListener('abort', onAbort)
  }
}
