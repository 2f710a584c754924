/** Weight units in one token. */
export const TOKEN_UNITS = 100

/**
 * Units per UTF-16 code unit, [first, last, units]; later rows override earlier ones. Rates lie between those of cl100k
 * and o200k over running text of each script. Nothing weighs more than a token per code point, so a budget of one token
 * always holds something; a wide character (CJK, full-width forms, box drawing, symbols, emoji) weighs exactly one. A
 * surrogate is half of its pair.
 */
const WEIGHTS: readonly (readonly [first: number, last: number, units: number])[] = [
  [0x0000, 0xffff, 100],
  [0x0000, 0x001f, 30],
  [0x0009, 0x000a, 10],
  [0x0020, 0x0020, 10],
  [0x0021, 0x007e, 60],
  [0x0030, 0x0039, 50],
  [0x0041, 0x005a, 32],
  [0x0061, 0x007a, 22],
  [0x0080, 0x024f, 65],
  [0x0250, 0x036f, 80],
  [0x0370, 0x03ff, 60],
  [0x0400, 0x052f, 42],
  [0x0530, 0x05ff, 65],
  [0x0600, 0x08ff, 55],
  [0x0900, 0x109f, 65],
  [0x10a0, 0x10ff, 70],
  [0x1e00, 0x1fff, 80],
  [0x2000, 0x200a, 30],
  [0x2010, 0x2044, 70],
  [0xd800, 0xdfff, 50],
]

const UNITS = new Uint8Array(0x10000)
for (const [first, last, units] of WEIGHTS) UNITS.fill(units, first, last + 1)

/**
 * Units (`TOKEN_UNITS` to a token) of `text[start, end)`: a plain sum over UTF-16 code units, so that sums of parts and
 * prefix sums are exact.
 */
export function tokenUnits(text: string, start = 0, end: number = text.length): number {
  let sum = 0
  // The index is always inside the table: it holds every 16-bit code.
  for (let index = start; index < end; index++) sum += UNITS[text.charCodeAt(index)]!
  return sum
}

/**
 * Tokens a common BPE tokenizer would make of `text`, roughly; never under one per wide character. A sum of weights rounded
 * up once: `estimateTokens(a + b) <= estimateTokens(a) + estimateTokens(b)`, and a part is never above its whole.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(tokenUnits(text) / TOKEN_UNITS)
}
