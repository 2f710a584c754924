import { TOKEN_UNITS, tokenUnits } from './estimate-tokens.ts'
import { codePointStart, graphemeBorder } from './grapheme-border.ts'

export type CutKind = 'sentence' | 'word' | 'grapheme'

export interface Piece {
  readonly start: number
  readonly end: number
  /** The kind of border the piece begins at; the first one begins at the line. */
  readonly kind: CutKind
}

const SPACES = /[\s\u{200b}]/u
// Marks that end a sentence when a space follows, and those of scripts without spaces.
const SPACED_ENDS: ReadonlySet<string> = new Set(['.', '!', '?', '…', '؟', '۔', '।', '॥', '։', '።'])
const FULL_ENDS: ReadonlySet<string> = new Set(['。', '！', '？', '｡'])
const CLOSERS: ReadonlySet<string> = new Set(['"', "'", ')', ']', '”', '’', '»', '」', '』', '）', '】', '》', '*', '_'])
const SENTENCE_UNITS = 16 * TOKEN_UNITS
const WORD_WINDOW = 200

let words: Intl.Segmenter | undefined

/**
 * Cuts `text[start, end)`, one line, into pieces of at most `maxUnits`: at sentence borders, else between words, else
 * between graphemes; a grapheme over the budget is cut between code points. Linear in the length of the line.
 */
export function cutLine(text: string, range: { readonly start: number; readonly end: number }, maxUnits: number): Piece[] {
  const leastSentence = Math.min(SENTENCE_UNITS, maxUnits / 4)
  const pieces: Piece[] = []
  let { start } = range
  let kind: CutKind = 'sentence'
  while (start < range.end) {
    const cut = nextCut(text, { start, end: range.end }, { maxUnits, leastSentence })
    pieces.push({ start, end: cut.end, kind })
    start = cut.end
    kind = cut.kind
  }
  return pieces
}

interface CutLimits {
  readonly maxUnits: number
  readonly leastSentence: number
}

function nextCut(text: string, range: { readonly start: number; readonly end: number }, limits: CutLimits): Omit<Piece, 'start'> {
  const { start, end } = range
  let units = 0
  let space = -1
  for (let index = start; index < end; index++) {
    const more = tokenUnits(text, index, index + 1)
    if (units + more > limits.maxUnits) return forcedCut(text, { start, index, end }, space)
    units += more
    const code = text.charCodeAt(index)
    if (code > 0x20 && code < 0x80) continue
    const character = text.charAt(index)
    const isSpace = SPACES.test(character)
    if (isSpace) space = index + 1
    if (
      units >= limits.leastSentence &&
      endsSentence(text, index, isSpace) &&
      graphemeBorder(text, start, index + 1) === index + 1
    ) {
      return { end: index + 1, kind: 'sentence' }
    }
  }
  return { end, kind: 'sentence' }
}

/** Whether a sentence ends with the character at `index`: a mark before a space, or a mark that needs none. */
function endsSentence(text: string, index: number, isSpace: boolean): boolean {
  if (!isSpace) {
    const next = text.charAt(index + 1)
    const isEnd = FULL_ENDS.has(text.charAt(index)) || (CLOSERS.has(text.charAt(index)) && FULL_ENDS.has(text.charAt(index - 1)))
    return isEnd && !FULL_ENDS.has(next) && !CLOSERS.has(next)
  }
  let mark = index - 1
  while (mark > index - 4 && CLOSERS.has(text.charAt(mark))) mark--
  return SPACED_ENDS.has(text.charAt(mark))
}

/** Cuts where the text up to `index` is all that fits. */
function forcedCut(
  text: string,
  at: { readonly start: number; readonly index: number; readonly end: number },
  space: number,
): Omit<Piece, 'start'> {
  const { start, index } = at
  if (space > start && graphemeBorder(text, start, space) === space) return { end: space, kind: 'word' }
  const word = wordBorder(text, at)
  if (word > start) return { end: word, kind: 'word' }
  const grapheme = graphemeBorder(text, start, index)
  if (grapheme > start) return { end: grapheme, kind: 'grapheme' }
  return { end: codePointBorder(text, start, index), kind: 'grapheme' }
}

/** Finds a word border in scripts without spaces, by dictionary in the last characters before the limit. */
function wordBorder(text: string, at: { readonly start: number; readonly index: number; readonly end: number }): number {
  const from = Math.max(at.start, at.index - WORD_WINDOW)
  const piece = text.slice(from, Math.min(at.end, at.index + WORD_WINDOW / 4))
  words ??= new Intl.Segmenter('en', { granularity: 'word' })
  let border = at.start
  for (const { index } of words.segment(piece)) {
    if (from + index > at.index) break
    // A border at the very start of the window may be made by the window itself.
    if (index > 0) border = from + index
  }
  return graphemeBorder(text, at.start, border) === border ? border : at.start
}

function codePointBorder(text: string, start: number, index: number): number {
  const border = codePointStart(text, index)
  if (border > start) return border
  return start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
}
