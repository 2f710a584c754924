import type {
  BackendStatus,
  Degradation,
  ListQuery,
  ListReply,
  MemoryBackend,
  ReadReply,
  ReadRequest,
  SearchQuery,
  SearchReply,
  SyncOptions,
  SyncReport,
} from '@mnemark/spec'
import { BackendError, type BackendErrorCode, ProviderError, StoreError } from '@mnemark/spec'

export interface FallbackOptions {
  /** How long the primary rests after a failure, in ms; default 60,000. */
  readonly coolDownMs?: number
  readonly now?: () => number
  /** Why the primary cannot answer a search at all (a filter it does not know), else null. The secondary answers then, and the primary gets no rest. */
  readonly cannotAnswer?: (query: SearchQuery) => string | null
}

const COOL_DOWN_MS = 60_000

interface Cause {
  readonly code: BackendErrorCode
  readonly message: string
}
interface Failure extends Cause {
  readonly retryAtMs: number
}

type Attempt<Result> =
  | { readonly isAnswered: true; readonly result: Result }
  | { readonly isAnswered: false; readonly cause: Cause }

/** Only a backend that could not answer falls back; a bad question, a refused path or a cancelled call is not its fault. */
function isFailure(error: unknown): error is BackendError {
  return BackendError.isInstance(error) && error.code !== 'denied'
}

class FallbackMemory implements MemoryBackend {
  readonly specVersion = 'v1'
  readonly name: string
  readonly #primary: MemoryBackend
  readonly #secondary: MemoryBackend
  readonly #coolDownMs: number
  readonly #now: () => number
  readonly #cannotAnswer: (query: SearchQuery) => string | null
  #failure: Failure | null = null
  /** True while one call finds out whether the primary is back; the others do not wait for it. */
  #isTrialOut = false
  #lastServed: string | null = null

  constructor(primary: MemoryBackend, secondary: MemoryBackend, options: FallbackOptions) {
    this.name = primary.name
    this.#primary = primary
    this.#secondary = secondary
    this.#coolDownMs = options.coolDownMs ?? COOL_DOWN_MS
    this.#now = options.now ?? Date.now
    this.#cannotAnswer = options.cannotAnswer ?? (() => null)
  }

  async search(query: SearchQuery): Promise<SearchReply> {
    const message = this.#cannotAnswer(query)
    const attempt =
      message === null ? await this.#try(() => this.#primary.search(query)) : unanswered({ code: 'denied', message })
    if (attempt.isAnswered) return this.#served(attempt.result)
    const reply = await this.#insteadOf(attempt.cause, () => this.#secondary.search(query))
    return this.#served({ ...reply, degraded: [this.#fallback(attempt.cause), ...reply.degraded] })
  }

  async list(query: ListQuery): Promise<ListReply> {
    const attempt = await this.#try(() => this.#primary.list(query))
    if (attempt.isAnswered) return attempt.result
    const reply = await this.#insteadOf(attempt.cause, () => this.#secondary.list(query))
    return { ...reply, degraded: [this.#fallback(attempt.cause), ...reply.degraded] }
  }

  /** Asks the primary even while it rests: a backend reads files. */
  async read(request: ReadRequest): Promise<ReadReply> {
    try {
      return await this.#primary.read(request)
    } catch (error) {
      if (!isFailure(error)) throw error
      return this.#insteadOf(error, () => this.#secondary.read(request))
    }
  }

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    const attempt = await this.#try(() => this.#primary.sync(options))
    if (attempt.isAnswered) return attempt.result
    const report = await this.#insteadOf(attempt.cause, () => this.#secondary.sync(options))
    return { ...report, degraded: [this.#fallback(attempt.cause), ...report.degraded], isComplete: false }
  }

  async status(options: Parameters<MemoryBackend['status']>[0] = {}): Promise<BackendStatus> {
    const attempt = await this.#try(() => this.#primary.status(options))
    const rest = { primary: this.name, secondary: this.#secondary.name, lastServed: this.#lastServed }
    if (attempt.isAnswered)
      return { ...attempt.result, details: { ...attempt.result.details, fallback: { ...rest, failure: null } } }
    const status = await this.#insteadOf(attempt.cause, () => this.#secondary.status(options))
    const failure = this.#failure && { ...this.#failure, retryAt: new Date(this.#failure.retryAtMs).toISOString() }
    return {
      ...status,
      degraded: [this.#fallback(attempt.cause), ...status.degraded],
      details: { ...status.details, fallback: { ...rest, failure } },
    }
  }

  async close(): Promise<void> {
    const ended = await Promise.allSettled([this.#primary.close(), this.#secondary.close()])
    for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #try<Result>(call: () => Promise<Result>): Promise<Attempt<Result>> {
    const failure = this.#failure
    if (failure && (this.#isTrialOut || this.#now() < failure.retryAtMs)) return unanswered(failure)
    if (failure) this.#isTrialOut = true
    try {
      const result = await call()
      this.#failure = null
      return { isAnswered: true, result }
    } catch (error) {
      if (!isFailure(error)) throw error
      this.#failure = { message: error.message, code: error.code, retryAtMs: this.#now() + this.#coolDownMs }
      return unanswered(error)
    } finally {
      if (failure) this.#isTrialOut = false
    }
  }

  /** Where both fail, the message begins with the backend that was asked. */
  async #insteadOf<Result>(cause: Cause, call: () => Promise<Result>): Promise<Result> {
    try {
      return await call()
    } catch (error) {
      if (!isOutage(error)) throw error
      const message = `${cause.message} The ${this.#secondary.name} backend could not answer in its place: ${error.message}`
      throw new BackendError(cause.code, message, { cause: error })
    }
  }

  #fallback({ message }: Cause): Degradation {
    return {
      code: 'backend-fallback',
      message: `The ${this.#secondary.name} backend answers instead of ${this.name}. ${message}`,
    }
  }

  #served(reply: SearchReply): SearchReply {
    this.#lastServed = reply.backend
    return reply
  }
}

function unanswered({ code, message }: Cause): { readonly isAnswered: false; readonly cause: Cause } {
  return { isAnswered: false, cause: { code, message } }
}

function isOutage(error: unknown): error is Error {
  if (StoreError.isInstance(error)) return error.code !== 'closed' && error.code !== 'cancelled'
  return isFailure(error) || (ProviderError.isInstance(error) && error.code !== 'cancelled')
}

/**
 * Primary answers; when it fails (BackendError) the secondary does, with the cause as the first entry of `degraded`,
 * and the primary is tried again after the cool-down, by one call at a time. Each search, sync and status call goes to
 * one of the two only, so that the secondary keeps no index of its own fresh while it is not needed. Errors about the
 * request pass unchanged.
 */
export function withFallback(
  primary: MemoryBackend,
  secondary: MemoryBackend,
  options: FallbackOptions = {},
): MemoryBackend & AsyncDisposable {
  return new FallbackMemory(primary, secondary, options)
}
