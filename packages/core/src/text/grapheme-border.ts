/**
 * Ranges of code units that neither extend what is before them nor are joined to what is after: between two of them there
 * always is a grapheme border, which spares the segmenter.
 */
const PLAIN: readonly (readonly [first: number, last: number])[] = [
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

// `Intl.Segmenter` takes quadratic time on long strings in some versions of Node: it only ever sees bounded pieces.
// Made when first needed: most notes never do.
let segmenter: Intl.Segmenter | undefined

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
  let border = from
  let window = WINDOW
  while (border < index) {
    // What comes after `index` decides whether it is a border, so every window reaches beyond it or is taken again.
    const end = Math.min(text.length, border + window, index + NEAR)
    const next = lastSegment(text.slice(border, end), index - border)
    if (end === index + NEAR || end === text.length) return border + next
    if (next === 0) window *= 2
    else border += next
  }
  return border
}

/** Start of the last segment that begins at or before `limit`. */
function lastSegment(piece: string, limit: number): number {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  let last = 0
  for (const { index } of segmenter.segment(piece)) {
    if (index > limit) break
    last = index
  }
  return last
}
