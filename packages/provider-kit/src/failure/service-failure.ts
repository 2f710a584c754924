import type { ProviderErrorCode } from '@mnemark/spec'

/** The part of `Headers` that is read. */
export interface ResponseHeaders {
  get(name: string): string | null | undefined
}

/** What went wrong, as an adapter knows it; `defineEmbeddingProvider` makes the `ProviderError` of it. */
export interface ServiceFailure {
  readonly status?: number | undefined
  readonly headers?: ResponseHeaders | undefined
  /** The error body, parsed or as text. Its words enter the message only where they repeat no input and no secret. */
  readonly body?: unknown
  /** Where the adapter knows better than status and body. */
  readonly code?: ProviderErrorCode | undefined
  /** What happened, in words of our own, without anything from the request or the reply. */
  readonly summary?: string | undefined
  /** What to do about it; each code has a general one. */
  readonly nextStep?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly inputIndexes?: readonly number[] | undefined
  /** The answer does not tell which vector is whose. */
  readonly isUnordered?: boolean | undefined
}

const failures = new WeakMap<object, ServiceFailure>()

/** An error that carries a failure through layers (an SDK, say) that only know how to throw. */
export function failureError(failure: ServiceFailure, cause?: unknown): Error {
  return noteFailure(new Error(failure.summary ?? 'the service failed', { cause }), failure)
}

/** Says of an error that exists what it means. */
export function noteFailure<Thrown extends object>(error: Thrown, failure: ServiceFailure): Thrown {
  failures.set(error, failure)
  return error
}

/** The failure noted on this error itself. */
export function notedFailure(error: object): ServiceFailure | undefined {
  return failures.get(error)
}
