import { cutLine } from '../../text/cut-line.ts'
import { graphemeBorder, graphemeEnd } from '../../text/grapheme-border.ts'
import { TOKEN_UNITS, tokenUnits } from '../../text/estimate-tokens.ts'

export interface PieceLimit {
  fits(piece: string): boolean
  /** Estimated tokens to try first; where the pieces do not fit, fewer are tried. */
  readonly guessTokens: number
}
export interface TextRange {
  readonly start: number
  readonly end: number
}
export interface TextCut {
  readonly pieces: readonly TextRange[]
  /** True where something was left out: a single grapheme that does not fit by itself. */
  readonly isShortened: boolean
}

const SHRINK = 0.8

/**
 * Ranges of `text`, in order, that each fit: ended at sentences, else between words, else between graphemes, never
 * inside one. At most `most` pieces. Blank pieces are left out.
 */
export function cutText(text: string, limit: PieceLimit, most: number = Number.POSITIVE_INFINITY): TextCut {
  const pieces: TextRange[] = []
  let isShortened = false
  let start = 0
  while (start < text.length) {
    if (pieces.length >= most) return { pieces, isShortened: isShortened || text.slice(start).trim() !== '' }
    const end = nextEnd(text, start, limit)
    if (end === undefined) isShortened = true
    else if (text.slice(start, end).trim() !== '') pieces.push({ start, end })
    start = end ?? graphemeEnd(text, start)
  }
  return { pieces, isShortened }
}

/** The end of the piece that begins at `start`; undefined where not even one grapheme fits. */
function nextEnd(text: string, start: number, limit: PieceLimit): number | undefined {
  let budget = Math.max(0, Math.floor(limit.guessTokens * TOKEN_UNITS))
  for (;;) {
    const end = borderWithin(text, start, budget)
    if (end === start) {
      const single = graphemeEnd(text, start)
      return limit.fits(text.slice(start, single)) ? single : undefined
    }
    if (limit.fits(text.slice(start, end))) return end
    budget = Math.floor(Math.min(budget, tokenUnits(text, start, end)) * SHRINK)
  }
}

/** The best border within the next `budget` units from `start`; `start` where they hold no grapheme. */
function borderWithin(text: string, start: number, budget: number): number {
  let units = 0
  let end = start
  while (end < text.length) {
    units += tokenUnits(text, end, end + 1)
    if (units > budget) break
    end++
  }
  if (end === text.length) return end
  if (end === start) return start
  // The text is one character over the budget: the last piece begins after the last sentence, else at the word or
  // grapheme too many.
  const last = cutLine(text, { start, end: end + 1 }, budget).at(-1)
  const border = last === undefined || last.start > end ? end : last.start
  return graphemeBorder(text, start, border) === border ? border : start
}

/**
 * The longest end of `text` that fits, from a nearby sentence or word on, else from a grapheme. Empty where the last
 * grapheme alone does not fit.
 */
export function endOfText(text: string, limit: PieceLimit): string {
  let budget = Math.max(0, Math.floor(limit.guessTokens * TOKEN_UNITS))
  for (;;) {
    const start = tailStart(text, budget)
    const tail = text.slice(start)
    if (tail === '' || limit.fits(tail)) return tail
    budget = Math.floor(Math.min(budget, tokenUnits(tail)) * SHRINK)
  }
}

function tailStart(text: string, budget: number): number {
  let units = 0
  let start = text.length
  while (start > 0) {
    units += tokenUnits(text, start - 1, start)
    if (units > budget) break
    start--
  }
  if (start === 0 || start === text.length) return start
  const before = graphemeBorder(text, 0, start)
  const border = before === start ? start : graphemeEnd(text, before)
  return niceStart(text, border)
}

/** The first sentence, else the first word, in the first quarter of the remaining text. */
function niceStart(text: string, from: number): number {
  const near = from + Math.floor((text.length - from) / 4)
  const sentence = cutLine(text, { start: from, end: near }, tokenUnits(text, from, near))[1]
  if (sentence !== undefined) return sentence.start
  if (/\s/.test(text.charAt(from - 1))) return from
  const space = text.slice(from, near).search(/\s/)
  return space === -1 || graphemeBorder(text, from, from + space + 1) !== from + space + 1 ? from : from + space + 1
}
