import type { ProviderErrorCode } from '@mnemark/spec'

/** The part of `Headers` that is read here. */
export interface ResponseHeaders {
  get(name: string): string | null | undefined
}

/** A failure as an adapter knows it; `defineEmbeddingProvider` turns it into a `ProviderError`. */
export interface ServiceFailure {
  readonly status?: number | undefined
  readonly headers?: ResponseHeaders | undefined
  /** The error body, parsed or as text. Its message is shown only if it repeats no input and no secret. */
  readonly body?: unknown
  /** Set if the adapter knows better than status and body. */
  readonly code?: ProviderErrorCode | undefined
  /** The failure in our own words, without anything from the request or the reply. */
  readonly summary?: string | undefined
  /** The next step; each code has a general one. */
  readonly nextStep?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly inputIndexes?: readonly number[] | undefined
  /** True if the reply does not say which vector belongs to which input. */
  readonly isUnordered?: boolean | undefined
}

const failures = new WeakMap<object, ServiceFailure>()

/** An error that carries a failure through layers, such as an SDK, that can only throw. */
export function failureError(failure: ServiceFailure, cause?: unknown): Error {
  return noteFailure(new Error(failure.summary ?? 'the service failed', { cause }), failure)
}

/** Attaches a failure to an existing error. */
export function noteFailure<Thrown extends object>(error: Thrown, failure: ServiceFailure): Thrown {
  failures.set(error, failure)
  return error
}

/** The failure attached to this error itself. */
export function notedFailure(error: object): ServiceFailure | undefined {
  return failures.get(error)
}
