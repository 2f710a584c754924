/** Characters that never join a neighbour: between two of them there is always a border of graphemes. */
const STANDS_ALONE =
  /^[\n\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u03ff\u0400-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u064a\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/u
const REGIONAL_INDICATOR_HIGH = 0xd83c
const FLAG_LENGTH = 4 // two regional indicators of two units each
/** Farther back no real grapheme begins; only a made-up pile of marks is then cut, at a code point. */
const REACH = 2048

let segmenter: Intl.Segmenter | undefined

/** User-perceived characters of a short text. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** The last border of graphemes at or before a position. Looks at a bounded piece of the text, however long it is. */
export function graphemeFloor(text: string, position: number): number {
  return borderAround(text, position).floor
}

/** The first border of graphemes at or after a position. */
export function graphemeCeiling(text: string, position: number): number {
  return borderAround(text, position).ceiling
}

function borderAround(text: string, position: number): { readonly floor: number; readonly ceiling: number } {
  if (position <= 0) return { floor: 0, ceiling: 0 }
  if (position >= text.length) return { floor: text.length, ceiling: text.length }
  const from = safeStart(text, position)
  if (from === position) return { floor: position, ceiling: position }
  const piece = text.slice(from, codePointStart(text, Math.min(text.length, position + REACH)))
  const grapheme = graphemesOf(piece).containing(position - from)
  if (grapheme === undefined) return { floor: position, ceiling: position }
  const floor = from + grapheme.index
  return { floor, ceiling: floor === position ? position : floor + grapheme.segment.length }
}

/** A border at or before the position, found without analysing: between two characters that stand alone, or before a run of flags. */
function safeStart(text: string, position: number): number {
  for (let at = position; at > 0 && position - at < REACH; at -= 1) {
    if (isFlagHalf(text, at)) return startOfFlag(text, at)
    if (STANDS_ALONE.test(text.charAt(at)) && STANDS_ALONE.test(text.charAt(at - 1))) return at
  }
  return position < REACH ? 0 : codePointStart(text, position - REACH)
}

/** Start of the flag at a position. Flags pair up from the start of their run, so the whole run has to be known. */
function startOfFlag(text: string, position: number): number {
  let start = codePointStart(text, position)
  while (start >= 2 && isFlagHalf(text, start - 2)) start -= 2
  return start + Math.floor((position - start) / FLAG_LENGTH) * FLAG_LENGTH
}

function isFlagHalf(text: string, position: number): boolean {
  const start = codePointStart(text, position)
  if (text.charCodeAt(start) !== REGIONAL_INDICATOR_HIGH) return false
  const low = text.charCodeAt(start + 1)
  return low >= 0xdde6 && low <= 0xddff
}

/** The position itself, or one before where it would part a surrogate pair. */
export function codePointStart(text: string, position: number): number {
  const isLow = (text.charCodeAt(position) & 0xfc00) === 0xdc00
  return isLow && (text.charCodeAt(position - 1) & 0xfc00) === 0xd800 ? position - 1 : position
}
