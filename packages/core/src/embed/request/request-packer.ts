import type { RequestLimits } from '../input/measure-input.ts'
import type { Piece } from '../input/prepare-input.ts'

export class RequestPacker {
  readonly pieces: Piece[] = []
  readonly #limits: RequestLimits
  #tokens = 0
  #bytes = 0

  constructor(limits: RequestLimits) {
    this.#limits = limits
  }

  get tokens(): number {
    return this.#tokens
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Adds the piece where the request has room for it. The first one always fits. */
  add(piece: Piece): boolean {
    const { inputs, requestTokens, requestBytes } = this.#limits
    const hasRoom =
      this.pieces.length < inputs && this.#tokens + piece.tokens <= requestTokens && this.#bytes + piece.bytes <= requestBytes
    if (!hasRoom && this.pieces.length > 0) return false
    this.pieces.push(piece)
    this.#tokens += piece.tokens
    this.#bytes += piece.bytes
    return true
  }
}
