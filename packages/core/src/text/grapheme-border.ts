/**
 * Ranges of code units that neither extend what is before them nor are joined to what is after: between two of them there
 * always is a grapheme border, which spares the segmenter.
 */
const PLAIN: readonly (readonly [first: number, last: number])[] = [
  [0x0a, 0x0a],
  [0x20, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x58f],
  [0x5d0, 0x5ea],
  [0x621, 0x64a],
  [0x660, 0x66f],
  [0x671, 0x6d3],
  [0xe01, 0xe30],
  [0xe40, 0xe46],
  [0x2010, 0x2027],
  [0x2500, 0x257f],
  [0x3000, 0x3029],
  [0x3041, 0x3096],
  [0x30a0, 0x30ff],
  [0x3400, 0x9fff],
  [0xac00, 0xd7a3],
  [0xff01, 0xff9d],
]
const IS_PLAIN = new Uint8Array(0x10000)
for (const [first, last] of PLAIN) IS_PLAIN.fill(1, first, last + 1)

const NEAR = 64
const WINDOW = 1_024
/** Farther back no real grapheme begins; only a made-up pile of marks is then cut, at a code point. */
const REACH = 2_048
const REGIONAL_INDICATOR_HIGH = 0xd83c
const FLAG_LENGTH = 4 // two regional indicators of two units each

// `Intl.Segmenter` takes quadratic time on long strings in some versions of Node: it only ever sees bounded pieces.
// Made when first needed: most notes never do.
let segmenter: Intl.Segmenter | undefined

function graphemesOf(piece: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter.segment(piece)
}

function isPlainBorder(text: string, index: number): boolean {
  return IS_PLAIN[text.charCodeAt(index - 1)] === 1 && IS_PLAIN[text.charCodeAt(index)] === 1
}

/** Last grapheme border in (`from`, `index`]; `from`, itself a border, where one grapheme fills all of it. */
export function graphemeBorder(text: string, from: number, index: number): number {
  if (index <= from || index >= text.length || isPlainBorder(text, index)) return Math.max(from, index)
  const nearest = Math.max(from, index - NEAR)
  for (let near = index - 1; near > nearest; near--) {
    if (isPlainBorder(text, near)) return lastBorder(text, near, index)
  }
  return lastBorder(text, from, index)
}

function lastBorder(text: string, from: number, index: number): number {
  const last = codePointStart(text, Math.min(text.length, index + NEAR))
  let border = from
  let window = WINDOW
  while (border < index) {
    // The text after `index` decides whether it is a border, so every window reaches beyond it or is taken again.
    const end = Math.min(last, codePointStart(text, border + window))
    const next = lastSegment(text.slice(border, end), index - border)
    if (end === last) return border + next
    if (next === 0) window *= 2
    else border += next
  }
  return border
}

/** Start of the last segment that begins at or before `limit`. */
function lastSegment(piece: string, limit: number): number {
  return graphemesOf(piece).containing(Math.min(limit, piece.length - 1))?.index ?? 0
}

/** End of the grapheme that begins at `start`, at `end` at most; a code unit behind `start` at least. */
export function graphemeEnd(text: string, start: number, end: number = text.length): number {
  for (let window = NEAR; ; window *= 2) {
    const piece = text.slice(start, Math.min(start + window, end))
    const length = graphemesOf(piece).containing(0)?.segment.length ?? piece.length
    // A grapheme that fills its window may go on behind it.
    if (length < piece.length || start + window >= end) return start + Math.max(1, length)
  }
}

/** The last border of graphemes at or before a position. Looks at a bounded piece of the text, however long it is. */
export function graphemeFloor(text: string, position: number): number {
  if (position <= 0) return 0
  if (position >= text.length) return text.length
  return graphemeBorder(text, borderBefore(text, position), position)
}

/** The first border of graphemes at or after a position. Looks at a bounded piece of the text, however long it is. */
export function graphemeCeiling(text: string, position: number): number {
  const floor = graphemeFloor(text, position)
  if (floor >= Math.min(text.length, position)) return floor
  return graphemeEnd(text, floor, codePointStart(text, Math.min(text.length, position + REACH)))
}

/** A border at or before the position, found without the segmenter: between two plain characters, or before a flag of a run. */
function borderBefore(text: string, position: number): number {
  for (let at = position; at > 0 && position - at < REACH; at--) {
    if (isFlagHalf(text, at)) return flagStart(text, at)
    if (isPlainBorder(text, at)) return at
  }
  return position < REACH ? 0 : codePointStart(text, position - REACH)
}

/** Start of the flag at a position. Flags pair up from the start of their run, so the whole run has to be known. */
function flagStart(text: string, position: number): number {
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
