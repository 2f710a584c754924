import type { EmbeddingProvider, ProviderError, ProviderErrorCode } from '@mnemark/spec'
import type { InputResults } from '../input/input-results.ts'
import type { RequestLimits } from '../input/measure-input.ts'
import { cutPiece, type Piece } from '../input/prepare-input.ts'
import { providerError } from '../../calls/provider-errors.ts'
import type { QueuedRequest, RequestQueue } from './request-queue.ts'
import { RequestPacker } from './request-packer.ts'

/** Refusals that may concern only one input of the request. */
const ABOUT_INPUTS: ReadonlySet<ProviderErrorCode> = new Set(['invalid-input', 'input-too-long', 'bad-response'])
/** After this many refusals in a row that left nothing to retry, with no answer between, the inputs are not the cause. */
const MAX_REFUSED_IN_A_ROW = 16
/** A text refused as too long is not cut below this. */
const LEAST_TOKENS = 16
/**
 * Status of a service that failed on the request itself, as some do on some texts; 502 to 504 come from a proxy in
 * front of it.
 */
const OWN_FAULT = 500
/** Attempts for a part of a request that was tried in full before. */
const ATTEMPTS_OF_A_PART = 2

interface Quarantined {
  readonly request: QueuedRequest
  readonly error: ProviderError
}

export interface LearntLimits {
  readonly maxInputs?: number
  readonly maxRequestTokens?: number
  readonly maxInputTokens?: number
}

/**
 * Handles refused requests: the inputs named by the service fail or are cut, else the request is halved until the one
 * input is found. Where both halves are accepted, the request was too large, and none so large is made again.
 */
export class Refusals {
  readonly #provider: EmbeddingProvider
  readonly #queue: RequestQueue
  readonly #results: InputResults
  /**
   * The quarantined request, at most one: two in a row end the run. An answer to any other request shows that its
   * inputs are the cause.
   */
  #quarantined: Quarantined | undefined
  #refusedInARow = 0
  #learnt: LearntLimits = {}

  constructor(provider: EmbeddingProvider, queue: RequestQueue, results: InputResults) {
    this.#provider = provider
    this.#queue = queue
    this.#results = results
  }

  get learnt(): LearntLimits {
    return this.#learnt
  }

  /** Called for every answered request. */
  accepted({ learn, halving }: QueuedRequest): void {
    this.#refusedInARow = 0
    if (learn !== undefined) this.#learn(learn)
    if (halving !== undefined && ++halving.accepted === 2) this.#learn(halving.learn)
    const quarantined = this.#quarantined
    this.#quarantined = undefined
    if (quarantined !== undefined) this.#reject(quarantined)
  }

  /** Puts back parts worth another try; returns the error that ends the run, if one does. */
  refused(request: QueuedRequest, error: ProviderError): ProviderError | undefined {
    if (ABOUT_INPUTS.has(error.code)) return this.#refusedInputs(request, error)
    if (error.code !== 'unavailable' || error.status !== OWN_FAULT) return error
    if (request.halving !== undefined && request.halving.accepted > 0) this.#reject({ request, error })
    else if (this.#quarantined === undefined) this.#quarantined = { request, error }
    else return error
    return undefined
  }

  /** With no other request left, each half of the quarantined one tests the other. */
  divideQuarantined(): boolean {
    const quarantined = this.#quarantined
    if (quarantined === undefined || quarantined.request.pieces.length < 2) return false
    this.#quarantined = undefined
    this.#divide(quarantined.request)
    return true
  }

  /** The error of a quarantined request that no answer released or rejected. */
  get unsolved(): ProviderError | undefined {
    return this.#quarantined?.error
  }

  #refusedInputs({ pieces }: QueuedRequest, error: ProviderError): ProviderError | undefined {
    if (error.isUnordered === true && pieces.length > 1) {
      this.#goSingly(pieces)
      return undefined
    }
    const named = new Set(pieces.length === 1 ? [0] : error.inputIndexes)
    const isNamed = [...named].every((index) => Number.isInteger(index) && index >= 0 && index < pieces.length)
    if (named.size === 0 || !isNamed) {
      this.#halve(pieces, error)
      return undefined
    }
    const rest = pieces.filter((_, index) => !named.has(index))
    if (rest.length > 0) this.#queue.putBack({ pieces: rest })
    const failed = pieces.filter((piece, index) => named.has(index) && !this.#cut(piece, error))
    for (const piece of failed) this.#results.fail(piece, error)
    if (failed.length === 0 || ++this.#refusedInARow < MAX_REFUSED_IN_A_ROW) return undefined
    const words = `${MAX_REFUSED_IN_A_ROW} refusals in a row. Check model, dimensions and base URL. The last one: ${error.message}`
    return providerError(this.#provider.space, error.code, words, { cause: error })
  }

  /**
   * Where vectors cannot be matched to inputs, each input gets its own request: halves would be as unclear, or clear
   * and wrong.
   */
  #goSingly(pieces: readonly Piece[]): void {
    this.#learn({ inputs: 1 })
    for (const piece of pieces.toReversed()) this.#queue.putBack({ pieces: [piece] })
  }

  #halve(pieces: readonly Piece[], { code }: ProviderError): void {
    const middle = Math.ceil(pieces.length / 2)
    const halves = [pieces.slice(0, middle), pieces.slice(middle)]
    const tokens = Math.max(1, ...halves.map((half) => half.reduce((sum, piece) => sum + piece.tokens, 0)))
    const learn = { inputs: middle, ...(code === 'input-too-long' && { requestTokens: tokens }) }
    const halving = { accepted: 0, learn }
    for (const half of halves.reverse()) this.#queue.putBack({ pieces: half, halving })
  }

  /** Rejects a request: the service answers others, so its inputs are the cause. */
  #reject({ request, error }: Quarantined): void {
    const [piece] = request.pieces
    if (request.pieces.length > 1) this.#divide(request)
    else if (piece !== undefined) this.#results.fail(piece, error)
  }

  #divide({ pieces }: QueuedRequest): void {
    const middle = Math.ceil(pieces.length / 2)
    const halving = { accepted: 0, learn: {} }
    for (const half of [pieces.slice(middle), pieces.slice(0, middle)])
      this.#queue.putBack({ pieces: half, halving, attempts: ATTEMPTS_OF_A_PART })
  }

  /** Puts back smaller pieces of a text that was too long; false where there are none. */
  #cut(piece: Piece, { code }: ProviderError): boolean {
    const { limits, measure, overlong } = this.#queue
    const inputTokens = piece.tokens > limits.inputTokens ? limits.inputTokens : Math.floor(piece.tokens / 2)
    if (code !== 'input-too-long' || inputTokens < LEAST_TOKENS) return false
    const { pieces, isShortened } = cutPiece(piece, { measure, limits: { ...limits, inputTokens }, overlong })
    if (pieces.length === 0) return false
    this.#results.divide(piece, pieces.length, isShortened)
    const requests: RequestPacker[] = []
    for (const smaller of pieces) {
      if (requests.at(-1)?.add(smaller)) continue
      const packer = new RequestPacker(limits)
      packer.add(smaller)
      requests.push(packer)
    }
    for (const request of requests.reverse()) this.#queue.putBack({ pieces: request.pieces, learn: { inputTokens } })
    return true
  }

  #learn({ inputs, requestTokens, inputTokens }: Partial<RequestLimits>): void {
    this.#queue.learn({
      ...(inputs !== undefined && { inputs }),
      ...(requestTokens !== undefined && { requestTokens }),
      ...(inputTokens !== undefined && { inputTokens }),
    })
    const { limits } = this.#queue
    this.#learnt = {
      ...this.#learnt,
      ...(inputs !== undefined && { maxInputs: limits.inputs }),
      ...(requestTokens !== undefined && { maxRequestTokens: limits.requestTokens }),
      ...(inputTokens !== undefined && { maxInputTokens: limits.inputTokens }),
    }
  }
}
