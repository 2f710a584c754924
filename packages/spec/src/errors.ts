export type ProviderErrorCode =
  | 'config'
  | 'auth'
  | 'not-found'
  | 'refused-redirect'
  | 'tls'
  | 'quota'
  | 'rate-limit'
  | 'invalid-input'
  | 'input-too-long'
  | 'unavailable'
  | 'bad-response'
  | 'cancelled'
export type StoreErrorCode =
  | 'closed'
  | 'busy'
  | 'corrupt'
  | 'space-mismatch'
  | 'schema-too-new'
  | 'engine-missing'
  | 'full'
  | 'read-only'
  | 'lease-held'
  | 'unsupported'
  | 'cancelled'
export type WorkspaceErrorCode = 'refused' | 'conflict' | 'unreadable'
export type ConfigErrorCode = 'unknown-key' | 'invalid-value' | 'unset-variable' | 'wrong-place'
export type BackendErrorCode = 'missing-program' | 'timeout' | 'bad-output' | 'denied'

export interface ErrorDetails {
  readonly cause?: unknown
}

export interface ProviderErrorDetails extends ErrorDetails {
  readonly provider: string
  /** HTTP status, if any. */
  readonly status?: number
  readonly requestId?: string
  readonly retryAfterMs?: number
  /** Indexes of the refused inputs of the request, where the service names them. */
  readonly inputIndexes?: readonly number[]
  /** True where vectors cannot be matched to inputs: sent one at a time, the same inputs may be answered. */
  readonly isUnordered?: boolean
}

const RETRYABLE: ReadonlySet<ProviderErrorCode> = new Set<ProviderErrorCode>(['rate-limit', 'unavailable'])

/**
 * Uses a symbol of the global registry instead of `instanceof`, so that two copies of this package recognise each
 * other's errors.
 */
function stamp(error: Error, family: string): void {
  Object.defineProperty(error, Symbol.for(`mnemark.error.${family}`), { value: true })
}

function isStamped(error: unknown, family: string): boolean {
  return typeof error === 'object' && error !== null && Symbol.for(`mnemark.error.${family}`) in error
}

abstract class CodedError<Code extends string> extends Error {
  readonly code: Code

  protected constructor(family: string, code: Code, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = code === 'cancelled' ? 'AbortError' : family
    this.code = code
    stamp(this, family)
  }
}

/** The service of a model refused, failed, or returned an unusable answer. Never holds keys, headers, or texts sent or received. */
export class ProviderError extends CodedError<ProviderErrorCode> {
  readonly provider: string
  readonly status?: number
  readonly requestId?: string
  readonly retryAfterMs?: number
  readonly inputIndexes?: readonly number[]
  readonly isUnordered?: boolean

  constructor(code: ProviderErrorCode, message: string, details: ProviderErrorDetails) {
    super('ProviderError', code, message, details)
    this.provider = details.provider
    if (details.status !== undefined) this.status = details.status
    if (details.requestId !== undefined) this.requestId = details.requestId
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs
    if (details.inputIndexes !== undefined) this.inputIndexes = details.inputIndexes
    if (details.isUnordered !== undefined) this.isUnordered = details.isUnordered
  }

  /** True where the same request may succeed later: `rate-limit`, `unavailable`. */
  get isRetryable(): boolean {
    return RETRYABLE.has(this.code)
  }

  static isInstance(error: unknown): error is ProviderError {
    return isStamped(error, 'ProviderError')
  }
}

/** The index could not be read or written. */
export class StoreError extends CodedError<StoreErrorCode> {
  constructor(code: StoreErrorCode, message: string, details?: ErrorDetails) {
    super('StoreError', code, message, details)
  }

  static isInstance(error: unknown): error is StoreError {
    return isStamped(error, 'StoreError')
  }
}

/** A path was refused, an edit met a changed file, or a file could not be read. Never names an absolute path outside the roots. */
export class WorkspaceError extends CodedError<WorkspaceErrorCode> {
  constructor(code: WorkspaceErrorCode, message: string, details?: ErrorDetails) {
    super('WorkspaceError', code, message, details)
  }

  static isInstance(error: unknown): error is WorkspaceError {
    return isStamped(error, 'WorkspaceError')
  }
}

/** A configuration cannot be used; the message names the key, the value and what is allowed. */
export class ConfigError extends CodedError<ConfigErrorCode> {
  constructor(code: ConfigErrorCode, message: string, details?: ErrorDetails) {
    super('ConfigError', code, message, details)
  }

  static isInstance(error: unknown): error is ConfigError {
    return isStamped(error, 'ConfigError')
  }
}

/** A backend as a whole (QMD, say) could not answer. */
export class BackendError extends CodedError<BackendErrorCode> {
  constructor(code: BackendErrorCode, message: string, details?: ErrorDetails) {
    super('BackendError', code, message, details)
  }

  static isInstance(error: unknown): error is BackendError {
    return isStamped(error, 'BackendError')
  }
}
