import type { EmbeddingProvider, ProviderError, ProviderErrorCode } from '@mnemark/spec'
import type { InputResults } from '../input/input-results.ts'
import type { RequestLimits } from '../input/measure-input.ts'
import { cutPiece, type Piece } from '../input/prepare-input.ts'
import { providerError } from './provider-errors.ts'
import type { QueuedRequest, RequestQueue } from './request-queue.ts'
import { RequestPacker } from './request-packer.ts'

/** Refusals that one input may have brought upon its whole request. */
const ABOUT_INPUTS: ReadonlySet<ProviderErrorCode> = new Set(['invalid-input', 'input-too-long', 'bad-response'])
/** So many refusals one after the other that left nothing to try, and no answer between: it is not the inputs. */
const MAX_REFUSED_IN_A_ROW = 16
/** A text refused as too long is not made shorter than this. */
const LEAST_TOKENS = 16
/** A service that failed over what it was asked, as some do over some texts; 502 to 504 come from what stands before it. */
const OWN_FAULT = 500
/** Tries of a part of a request that was tried in full before. */
const ATTEMPTS_OF_A_PART = 2

interface Suspect {
  readonly request: QueuedRequest
  readonly error: ProviderError
}

export interface LearntLimits {
  readonly maxInputs?: number
  readonly maxRequestTokens?: number
  readonly maxInputTokens?: number
}

/**
 * What becomes of requests that were refused: the inputs named by the service fail or are cut, else the request is halved until the
 * one input is found. Where both halves are taken, the request was too large, and none so large is made again.
 */
export class Refusals {
  readonly #provider: EmbeddingProvider
  readonly #queue: RequestQueue
  readonly #results: InputResults
  /** At most one: two in a row end the run. An answer to any other request shows that it is about their inputs. */
  #suspect: Suspect | undefined
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

  /** To be told of every request that was answered. */
  accepted({ learn, halving }: QueuedRequest): void {
    this.#refusedInARow = 0
    if (learn !== undefined) this.#learn(learn)
    if (halving !== undefined && ++halving.accepted === 2) this.#learn(halving.learn)
    const suspect = this.#suspect
    this.#suspect = undefined
    if (suspect !== undefined) this.#condemn(suspect)
  }

  /** Puts back what is worth another try; answers the error that ends the run, if it does. */
  refused(request: QueuedRequest, error: ProviderError): ProviderError | undefined {
    if (ABOUT_INPUTS.has(error.code)) return this.#refusedInputs(request, error)
    if (error.code !== 'unavailable' || error.status !== OWN_FAULT) return error
    if (request.halving !== undefined && request.halving.accepted > 0) this.#condemn({ request, error })
    else if (this.#suspect === undefined) this.#suspect = { request, error }
    else return error
    return undefined
  }

  /** With nothing else left to ask, the halves of a suspect are each other's witness. */
  divideSuspect(): boolean {
    const suspect = this.#suspect
    if (suspect === undefined || suspect.request.pieces.length < 2) return false
    this.#suspect = undefined
    this.#divide(suspect.request)
    return true
  }

  /** The error of a suspect that no answer cleared or condemned. */
  get unsolved(): ProviderError | undefined {
    return this.#suspect?.error
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
    return providerError(this.#provider, error.code, words, { cause: error })
  }

  /** Where answers do not tell whose a vector is, each input gets one of its own: halves would be as unclear, or clear and wrong. */
  #goSingly(pieces: readonly Piece[]): void {
    this.#learn({ inputs: 1 })
    for (const piece of pieces.toReversed()) this.#queue.putBack({ pieces: [piece] })
  }

  #halve(pieces: readonly Piece[], { code }: ProviderError): void {
    const middle = Math.ceil(pieces.length / 2)
    const halves = [pieces.slice(0, middle), pieces.slice(middle)]
    const tokens = Math.max(1, ...halves.map((half) => half.reduce((sum, piece) => sum + piece.tokens, 0)))
    const learn = { inputs: middle, ...(code === 'input-too-long' ? { requestTokens: tokens } : {}) }
    const halving = { accepted: 0, learn }
    for (const half of halves.reverse()) this.#queue.putBack({ pieces: half, halving })
  }

  /** The service answers other requests, so it is about these inputs. */
  #condemn({ request, error }: Suspect): void {
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

  /** Puts smaller pieces of a text back that was too long; false where there are none. */
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
      ...(inputs === undefined ? {} : { inputs }),
      ...(requestTokens === undefined ? {} : { requestTokens }),
      ...(inputTokens === undefined ? {} : { inputTokens }),
    })
    const { limits } = this.#queue
    this.#learnt = {
      ...this.#learnt,
      ...(inputs === undefined ? {} : { maxInputs: limits.inputs }),
      ...(requestTokens === undefined ? {} : { maxRequestTokens: limits.requestTokens }),
      ...(inputTokens === undefined ? {} : { maxInputTokens: limits.inputTokens }),
    }
  }
}
