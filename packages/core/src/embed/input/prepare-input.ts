import type { EmbeddingInput } from '@mnemark/spec'
import { estimateTokens } from '../../text/estimate-tokens.ts'
import { cutText, type PieceLimit } from './cut-text.ts'
import type { InputMeasure, RequestLimits } from './measure-input.ts'

/** The unit that is sent: an input, or a part of a text that was too long for one. */
export interface Piece {
  /** Index of the input, from 0. */
  readonly index: number
  /** The range of the input's text; 0 to 0 for media. */
  readonly start: number
  readonly end: number
  readonly content: EmbeddingInput
  /** Tokens as the provider counts, else estimated; 0 for media. */
  readonly tokens: number
  readonly bytes: number
}

export interface PreparedInput {
  /** Empty for a blank text, which needs no request, and for an input that cannot be sent. */
  readonly pieces: readonly Piece[]
  /** True where a part is not sent. */
  readonly isShortened: boolean
  readonly isTooLong: boolean
}

/** A text over the limit is sent in pieces (`split`), or its beginning alone (`cut`). */
export type Overlong = 'split' | 'cut'

export interface PreparationRules {
  readonly measure: InputMeasure
  readonly limits: RequestLimits
  readonly overlong: Overlong
}

const NOTHING: PreparedInput = { pieces: [], isShortened: false, isTooLong: false }

/** Divides an input into pieces within the limits of one. */
export function prepareInput(input: EmbeddingInput, index: number, rules: PreparationRules): PreparedInput {
  if (input.type === 'text' && input.text.trim() === '') return NOTHING
  const whole = pieceOf(input, { index, start: 0, end: input.type === 'text' ? input.text.length : 0 }, rules.measure)
  if (isWithin(whole, rules.limits)) return { ...NOTHING, pieces: [whole] }
  const prepared = cutPiece(whole, rules)
  return { ...prepared, isTooLong: prepared.pieces.length === 0 }
}

/** Divides a piece into smaller ones. Empty where nothing of it can be sent: media, or a limit below its first grapheme. */
export function cutPiece(
  { index, start, tokens, bytes, content }: Piece,
  { measure, limits, overlong }: PreparationRules,
): Pick<PreparedInput, 'pieces' | 'isShortened'> {
  if (content.type !== 'text') return { pieces: [], isShortened: true }
  const share = Math.min(limits.inputTokens / Math.max(1, tokens), limits.requestBytes / Math.max(1, bytes))
  const limit: PieceLimit = {
    guessTokens: estimateTokens(content.text) * Math.min(1, share),
    fits: (text) => measure.tokens(text) <= limits.inputTokens && measure.bytes({ type: 'text', text }) <= limits.requestBytes,
  }
  const cut = cutText(content.text, limit, overlong === 'cut' ? 1 : Infinity)
  const pieces = cut.pieces.map((range) => {
    const text = content.text.slice(range.start, range.end)
    return pieceOf({ type: 'text', text }, { index, start: start + range.start, end: start + range.end }, measure)
  })
  return { pieces, isShortened: cut.isShortened }
}

function pieceOf(content: EmbeddingInput, place: Pick<Piece, 'index' | 'start' | 'end'>, measure: InputMeasure): Piece {
  const tokens = content.type === 'text' ? measure.tokens(content.text) : 0
  return { ...place, content, tokens, bytes: measure.bytes(content) }
}

const isWithin = ({ tokens, bytes }: Piece, limits: RequestLimits): boolean =>
  tokens <= limits.inputTokens && bytes <= limits.requestBytes
