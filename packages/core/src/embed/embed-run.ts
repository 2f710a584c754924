import { type EmbeddingProvider, type EmbeddingResult, ProviderError } from '@mnemark/spec'
import type { EmbedOptions, EmbedSummary } from './embed-options.ts'
import { count, effectsOf, positive } from '../calls/call-effects.ts'
import { timeoutMsFor } from './embed-settings.ts'
import { type InputResult, InputResults } from './input/input-results.ts'
import { measureFor } from './input/measure-input.ts'
import { providerError } from '../calls/provider-errors.ts'
import { Refusals } from './request/refusals.ts'
import { type InputSource, type QueuedRequest, RequestQueue } from './request/request-queue.ts'
import { type SendContext, send } from './request/send.ts'
import { Throttle } from '../calls/throttle.ts'

export type RunOptions = EmbedOptions & { readonly onResults: (results: readonly InputResult[]) => void | Promise<void> }

/** One run over inputs: workers take requests until nothing is left, or the service cannot continue. */
export class EmbedRun {
  readonly #provider: EmbeddingProvider
  readonly #options: RunOptions
  readonly #results = new InputResults()
  readonly #queue: RequestQueue
  readonly #refusals: Refusals
  readonly #concurrency: number
  /** Aborts requests in flight and waits. */
  readonly #halt = new AbortController()
  /** Aborts waits only. */
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #context: SendContext
  readonly #totals = { embedded: 0, failed: 0, requests: 0, tokens: 0 }
  #usage: EmbedSummary['usage']
  #answers = { withUsage: 0, withoutUsage: 0 }
  #stoppedBy: ProviderError | undefined
  #delivery: Promise<void> = Promise.resolve()

  constructor(provider: EmbeddingProvider, inputs: InputSource, options: RunOptions) {
    this.#provider = provider
    this.#options = options
    this.#concurrency = count('concurrency', options.concurrency ?? Math.max(1, provider.limits.concurrency))
    this.#queue = this.#createQueue(inputs)
    this.#refusals = new Refusals(provider, this.#queue, this.#results)
    this.#signal = options.signal === undefined ? this.#halt.signal : AbortSignal.any([options.signal, this.#halt.signal])
    this.#context = this.#createContext()
  }

  async run(): Promise<EmbedSummary> {
    const failures: unknown[] = []
    const worker = (): Promise<void> =>
      this.#work().catch((error: unknown) => {
        failures.push(error)
        this.#halt.abort(error)
      })
    await Promise.all(Array.from({ length: this.#concurrency }, worker))
    await this.#queue.close()
    // Later failures are consequences of the first one in the other workers.
    if (failures.length > 0) throw failures[0]
    await this.#deliver()
    const stoppedBy = this.#stoppedBy ?? this.#refusals.unsolved
    return {
      ...this.#totals,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      learnt: this.#refusals.learnt,
      ...(stoppedBy === undefined ? {} : { stoppedBy }),
    }
  }

  #createQueue(inputs: InputSource): RequestQueue {
    const rules = { measure: measureFor(this.#provider, this.#options.isGrouped), overlong: this.#options.overlong ?? 'split' }
    return new RequestQueue(inputs, rules, (index, { pieces, isShortened, isTooLong }) => {
      if (!isTooLong) return this.#results.begin(index, pieces.length, isShortened)
      const words = 'the input is larger than a request may be, and cannot be cut.'
      this.#results.refuse(index, providerError(this.#provider.space, 'input-too-long', words))
    })
  }

  #createContext(): SendContext {
    const { attempts = 6, totalMs = 900_000, longestWaitMs = 120_000, inputType, timeouts } = this.#options
    const effects = effectsOf(this.#options)
    return {
      provider: this.#provider,
      inputType,
      timeoutMs: timeoutMsFor(this.#provider, inputType, timeouts),
      retry: {
        attempts: count('attempts', attempts),
        totalMs: positive('totalMs', totalMs),
        longestWaitMs: positive('longestWaitMs', longestWaitMs),
      },
      effects,
      throttle: new Throttle(effects, this.#concurrency),
      signal: this.#signal,
      waits: AbortSignal.any([this.#signal, this.#stop.signal]),
      onAttempt: () => this.#totals.requests++,
    }
  }

  async #work(): Promise<void> {
    while (this.#stoppedBy === undefined) {
      this.#signal.throwIfAborted()
      const request = await this.#queue.take()
      if (request !== undefined) await this.#process(request)
      else if (!this.#refusals.divideQuarantined()) return
    }
  }

  async #process(request: QueuedRequest): Promise<void> {
    const { retry } = this.#context
    const context = { ...this.#context, retry: { ...retry, attempts: request.attempts ?? retry.attempts } }
    const inputs = request.pieces.map(({ content }) => content)
    try {
      this.#accept(request, await send(inputs, context))
    } catch (error) {
      // A stopped run accepts results, but retries nothing.
      if (this.#stoppedBy !== undefined && !this.#signal.aborted) return
      if (!ProviderError.isInstance(error) || error.code === 'cancelled') throw error
      const end = this.#refusals.refused(request, error)
      if (end !== undefined) this.#end(end)
    }
    await this.#deliver()
  }

  #end(error: ProviderError): void {
    this.#stoppedBy = error
    this.#stop.abort(error)
  }

  #accept(request: QueuedRequest, { vectors, confidence, usage }: EmbeddingResult): void {
    const { pieces } = request
    for (const [at, piece] of pieces.entries()) this.#results.succeed(piece, vectors[at] ?? null, confidence?.[at])
    this.#totals.tokens += pieces.reduce((sum, { tokens }) => sum + tokens, 0)
    this.#answers[usage === undefined ? 'withoutUsage' : 'withUsage']++
    const { withUsage, withoutUsage } = this.#answers
    const inputTokens = (this.#usage?.inputTokens ?? 0) + (usage?.inputTokens ?? 0)
    if (withUsage > 0) this.#usage = { inputTokens, isComplete: withoutUsage === 0 }
    this.#refusals.accepted(request)
  }

  /** One call of `onResults` at a time; each worker waits for its own. */
  async #deliver(): Promise<void> {
    const finished = this.#results.drain()
    if (finished.length === 0) return
    const delivery = this.#delivery.then(() => this.#options.onResults(finished))
    this.#delivery = delivery.catch(() => {})
    await delivery
    for (const { status } of finished) this.#totals[status]++
    this.#options.onProgress?.({ ...this.#totals })
  }
}
