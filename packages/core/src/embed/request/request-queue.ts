import type { EmbeddingInput } from '@mnemark/spec'
import type { InputMeasure, RequestLimits } from '../input/measure-input.ts'
import { type Overlong, type Piece, type PreparedInput, prepareInput } from '../input/prepare-input.ts'
import { RequestPacker } from './request-packer.ts'

/** Two halves of a request that was refused whole: when both are accepted, its size was the reason. */
export interface Halving {
  accepted: number
  readonly learn: Partial<RequestLimits>
}
export interface QueuedRequest {
  readonly pieces: readonly Piece[]
  readonly halving?: Halving
  /** Limits that are known once the request is accepted. */
  readonly learn?: Partial<RequestLimits>
  /** Default: the attempts of the run. */
  readonly attempts?: number
}

export type InputSource = Iterable<EmbeddingInput> | AsyncIterable<EmbeddingInput>

/** Requests, packed when they are taken, so that limits learnt meanwhile apply; parts of refused ones come first. */
export class RequestQueue {
  readonly #measure: InputMeasure
  readonly #overlong: Overlong
  readonly #onInput: (index: number, prepared: PreparedInput) => void
  readonly #source: AsyncIterator<EmbeddingInput> | Iterator<EmbeddingInput>
  readonly #again: QueuedRequest[] = []
  #limits: RequestLimits
  #waiting: Piece[] = []
  #count = 0
  #isExhausted = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    source: InputSource,
    rules: { readonly measure: InputMeasure; readonly overlong: Overlong },
    onInput: (index: number, prepared: PreparedInput) => void,
  ) {
    this.#measure = rules.measure
    this.#overlong = rules.overlong
    this.#limits = rules.measure.limits
    this.#onInput = onInput
    this.#source = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  }

  get limits(): RequestLimits {
    return this.#limits
  }

  /** Inputs read from the source so far. */
  get count(): number {
    return this.#count
  }

  learn(limits: Partial<RequestLimits>): void {
    this.#limits = {
      inputs: Math.min(this.#limits.inputs, limits.inputs ?? Infinity),
      inputTokens: Math.min(this.#limits.inputTokens, limits.inputTokens ?? Infinity),
      requestTokens: Math.min(this.#limits.requestTokens, limits.requestTokens ?? Infinity),
      requestBytes: Math.min(this.#limits.requestBytes, limits.requestBytes ?? Infinity),
    }
  }

  /** Puts a request before all others. */
  putBack(request: QueuedRequest): void {
    this.#again.push(request)
  }

  /** Undefined when nothing is left. Rejects with what the source throws. */
  take(): Promise<QueuedRequest | undefined> {
    // One reader at a time: the source is an iterator.
    const request = this.#last.then(() => this.#again.pop() ?? this.#pack())
    this.#last = request.catch(() => {})
    return request
  }

  async close(): Promise<void> {
    if (this.#isExhausted) return
    this.#isExhausted = true
    await this.#source.return?.()
  }

  async #pack(): Promise<QueuedRequest | undefined> {
    const packer = new RequestPacker(this.#limits)
    for (;;) {
      const [piece] = this.#waiting
      if (piece === undefined) {
        if (!(await this.#read())) break
      } else {
        if (!packer.add(piece)) break
        this.#waiting.shift()
      }
    }
    return packer.pieces.length === 0 ? undefined : { pieces: packer.pieces }
  }

  /** Reads one input into the waiting pieces. */
  async #read(): Promise<boolean> {
    if (this.#isExhausted) return false
    const next = await this.#source.next()
    if (next.done) {
      this.#isExhausted = true
      return false
    }
    const index = this.#count++
    const prepared = prepareInput(next.value, index, this)
    this.#waiting = [...prepared.pieces]
    this.#onInput(index, prepared)
    return true
  }

  get measure(): InputMeasure {
    return this.#measure
  }

  get overlong(): Overlong {
    return this.#overlong
  }
}
