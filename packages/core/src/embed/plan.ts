import type { EmbeddingInput } from '@mnemark/spec'
import { measureFor, type PlannedProvider } from './input/measure-input.ts'
import { type Overlong, type Piece, prepareInput } from './input/prepare-input.ts'
import { RequestPacker } from './request/request-packer.ts'

export interface PlanOptions {
  /** Treatment of a text over the provider's limit. Default `split`. */
  readonly overlong?: Overlong
  /** False = one input per request. Default true. */
  readonly isGrouped?: boolean
}
export interface PlannedRequest {
  readonly pieces: readonly Piece[]
  readonly tokens: number
}
export interface EmbeddingPlan {
  /** In the order of the inputs; the pieces of one text follow each other. */
  readonly requests: readonly PlannedRequest[]
  /** Blank inputs: their vector is null, and no request is made for them. */
  readonly blank: readonly number[]
  /** Inputs that are sent in part. */
  readonly shortened: readonly number[]
  /** Inputs that no request can hold. */
  readonly tooLong: readonly number[]
  /** Tokens of all requests, as the provider counts or estimated. */
  readonly tokens: number
}

/**
 * Plans the requests that embed `inputs`: in order, each as full as the limits of the provider allow. Tokens are
 * counted by the provider where it can, else estimated with a margin (a tenth for one input, a twentieth for a
 * request). Pure.
 */
export function plan(provider: PlannedProvider, inputs: Iterable<EmbeddingInput>, options: PlanOptions = {}): EmbeddingPlan {
  const measure = measureFor(provider, options.isGrouped)
  const rules = { measure, limits: measure.limits, overlong: options.overlong ?? 'split' }
  const packers: RequestPacker[] = []
  const [blank, shortened, tooLong]: [number[], number[], number[]] = [[], [], []]
  let index = 0
  for (const input of inputs) {
    const { pieces, isShortened, isTooLong } = prepareInput(input, index, rules)
    if (isTooLong) tooLong.push(index)
    else if (pieces.length === 0) blank.push(index)
    else if (isShortened) shortened.push(index)
    for (const piece of pieces) if (!packers.at(-1)?.add(piece)) packers.push(packerWith(piece, measure.limits))
    index++
  }
  const requests = packers.map(({ pieces, tokens }) => ({ pieces, tokens }))
  return { requests, blank, shortened, tooLong, tokens: requests.reduce((sum, { tokens }) => sum + tokens, 0) }
}

function packerWith(piece: Piece, limits: ConstructorParameters<typeof RequestPacker>[0]): RequestPacker {
  const packer = new RequestPacker(limits)
  packer.add(piece)
  return packer
}
