import { CommandError } from '../../failure.ts'

/** A signal that also aborts after this time, with a failure that says so. */
export function withTimeLimit(signal: AbortSignal, limitMs: number): AbortSignal {
  const late = new AbortController()
  const failure = new CommandError('timed-out', `The request took longer than ${limitMs / 1_000} s.`, {
    next: 'Ask for less, or set serve.requestTimeoutSeconds higher.',
  })
  AbortSignal.timeout(limitMs).addEventListener('abort', () => late.abort(failure), { once: true })
  return AbortSignal.any([signal, late.signal])
}
