import { ProviderError } from '@mnemark/spec'
import type { Piece } from './prepare-input.ts'

/** The vector of a part of an input's text, [start, end). */
export interface EmbeddedPiece {
  readonly start: number
  readonly end: number
  readonly vector: Float32Array | null
}
export type InputResult =
  | {
      readonly index: number
      readonly status: 'embedded'
      /**
       * Null where there is nothing to embed. For an input in pieces, the mean of their vectors, weighted by length and
       * scaled to unit length.
       */
      readonly vector: Float32Array | null
      /** Present where the input was sent in more than one piece. */
      readonly pieces?: readonly EmbeddedPiece[]
      /** True where a part of the input is not in the vector. */
      readonly isShortened: boolean
      /** Queries only: how much of the query the model knows, 0..1. */
      readonly confidence?: number
    }
  | {
      readonly index: number
      readonly status: 'failed'
      /** The reason, without the text. One refused piece fails its input: the rest cannot represent all of a text. */
      readonly error: ProviderError
    }

interface OpenInput {
  readonly index: number
  open: number
  isShortened: boolean
  refused: number
  readonly parts: (EmbeddedPiece & { readonly confidence?: number })[]
  error?: ProviderError
}

/** Joins the results of pieces, in any order, to results of inputs. */
export class InputResults {
  readonly #open = new Map<number, OpenInput>()
  #finished: InputResult[] = []

  begin(index: number, pieces: number, isShortened: boolean): void {
    const input: OpenInput = { index, open: pieces, isShortened, refused: 0, parts: [] }
    if (pieces === 0) this.#finished.push({ index, status: 'embedded', vector: null, isShortened })
    else this.#open.set(index, input)
  }

  /** Fails an input that is not sent. */
  refuse(index: number, error: ProviderError): void {
    this.#finished.push({ index, status: 'failed', error })
  }

  succeed({ index, start, end }: Piece, vector: Float32Array | null, confidence?: number): void {
    this.#close(index, (input) => input.parts.push({ start, end, vector, ...(confidence !== undefined && { confidence }) }))
  }

  fail({ index }: Piece, error: ProviderError): void {
    this.#close(index, (input) => {
      input.error ??= error
      input.refused += 1
    })
  }

  /** Replaces a piece by smaller ones. */
  divide({ index }: Piece, pieces: number, isShortened: boolean): void {
    const input = this.#open.get(index)
    if (input === undefined) return
    input.open += pieces - 1
    input.isShortened ||= isShortened
  }

  /** Inputs finished since the last call. */
  drain(): readonly InputResult[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  #close(index: number, change: (input: OpenInput) => void): void {
    const input = this.#open.get(index)
    if (input === undefined) return
    change(input)
    input.open--
    if (input.open > 0) return
    this.#open.delete(index)
    this.#finished.push(resultOf(input))
  }
}

function resultOf({ index, parts, isShortened, refused, error }: OpenInput): InputResult {
  if (error !== undefined) return { index, status: 'failed', error: errorOf(error, refused, refused + parts.length) }
  const ordered = parts.toSorted((left, right) => left.start - right.start)
  const [first] = ordered
  if (ordered.length === 1 && first !== undefined) {
    const { vector, confidence } = first
    return { index, status: 'embedded', vector, isShortened, ...(confidence !== undefined && { confidence }) }
  }
  const pieces = ordered.map(({ start, end, vector }) => ({ start, end, vector }))
  return { index, status: 'embedded', vector: meanVector(pieces), pieces, isShortened }
}

function errorOf(error: ProviderError, refused: number, pieces: number): ProviderError {
  if (pieces === 1) return error
  const { provider, status } = error
  const words = `${refused} of the ${pieces} pieces of the text were refused: ${error.message}`
  return new ProviderError(error.code, words, { provider, cause: error, ...(status !== undefined && { status }) })
}

/** Unit length; null where no piece has a vector. */
function meanVector(pieces: readonly EmbeddedPiece[]): Float32Array | null {
  const filled = pieces.flatMap(({ start, end, vector }) => (vector === null ? [] : [{ vector, weight: end - start }]))
  const [first] = filled
  if (first === undefined) return null
  const sum = new Float64Array(first.vector.length)
  for (const { vector, weight } of filled) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + weight * value
  const length = Math.hypot(...sum)
  // Pieces that cancel each other out leave no direction: the first one, which holds the context, is used.
  return length > 1e-6 * filled.reduce((total, { weight }) => total + weight, 0)
    ? Float32Array.from(sum, (value) => value / length)
    : first.vector
}
