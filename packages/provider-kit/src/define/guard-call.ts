import { type FailureContext, toProviderError } from '../failure/provider-failure.ts'
import { failureError } from '../failure/service-failure.ts'

export interface GuardedCall {
  readonly context: FailureContext
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  /** Undefined means that only the caller's signal ends the call. */
  readonly timeoutMs: number | undefined
  /** Names what is missing when the time is up, for the error's message. */
  readonly lateness: string
}

/** Runs one call under the caller's signal and a clock of its own. Rejects with the reason of the signal, or a ProviderError: `unavailable` by the clock. */
export async function guardCall<Value>(
  { context, signal: callerSignal, timeoutMs, lateness }: GuardedCall,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const clock = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([callerSignal, clock].filter((candidate) => candidate !== undefined))
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    // The race ends the call even if the SDK ignores the signal.
    return await Promise.race([work(signal), aborted])
  } catch (error) {
    if (!signal.aborted) throw toProviderError(error, context)
    // The combined signal carries the reason of whichever fired first.
    if (clock !== undefined && signal.reason === clock.reason) throw toProviderError(timedOut(lateness, timeoutMs), context)
    throw signal.reason
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const timedOut = (lateness: string, timeoutMs: number | undefined): Error =>
  failureError({
    code: 'unavailable',
    summary: `${lateness} within ${timeoutMs} ms`,
    nextStep: 'Check that the service answers, or allow it more time.',
  })
