const BUCKETS = 256
/**
 * Measured on conversations and articles in English, Arabic and Chinese: different chunks differ in 0.17 of their
 * letters or more.
 */
const MOST_DIFFERENCE = 0.12
/** Allowance for names of a month and a weekday, in short texts. */
const SLACK = 24

/** Longest name of a month or weekday. */
const LONGEST_DATE_WORD = 12
const REACH = 2
const BETWEEN = [...' ,.-'].map((character) => character.charCodeAt(0))

/** How often pairs of neighbouring letters of a word occur, in 256 buckets, and how many there are. */
export interface LetterPairs {
  readonly counts: Uint32Array
  readonly total: number
}

/**
 * A cheap outline that tells most pairs of texts apart, so that only the few possible repeats are normalised and
 * shingled. Digits, blanks and ASCII signs do not count, nor do short words beside a digit: they may belong to a date.
 */
export function letterPairsOf(text: string): LetterPairs {
  const counts = new Uint32Array(BUCKETS)
  let total = 0
  let end = 0
  for (let start = 0; start < text.length; start = end + 1) {
    end = countWord(text, start, 1, counts)
    if (end === start) continue
    if (end - start <= LONGEST_DATE_WORD && (isDigitNear(text, start - 1, -1) || isDigitNear(text, end, 1))) {
      countWord(text, start, -1, counts)
    } else total += end - start
  }
  return { counts, total }
}

/** Adds the letters from `start` on, or subtracts them again; returns their end. */
function countWord(text: string, start: number, by: 1 | -1, counts: Uint32Array): number {
  let previous = 0
  let at = start
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!isLetter(code)) break
    // Letter case does not count: in ASCII, Latin, Greek and Cyrillic, case changes only these bits of nearly every letter.
    const letter = code < 0x80 ? code | 0x20 : code | 0x21
    const bucket = (Math.imul(previous, 31) + letter) & (BUCKETS - 1)
    counts[bucket] = (counts[bucket] ?? 0) + by
    previous = letter
  }
  return at
}

function isLetter(code: number): boolean {
  if (code < 0xaa) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
  return !isArabicDigit(code)
}

/** Whether a digit follows within a few blanks, commas, dots or dashes, in one direction. */
function isDigitNear(text: string, from: number, step: 1 | -1): boolean {
  for (let at = from; Math.abs(at - from) <= REACH; at += step) {
    const code = text.charCodeAt(at)
    if ((code >= 0x30 && code <= 0x39) || isArabicDigit(code)) return true
    if (!BETWEEN.includes(code)) return false
  }
  return false
}

function isArabicDigit(code: number): boolean {
  return (code >= 0x660 && code <= 0x669) || (code >= 0x6f0 && code <= 0x6f9)
}

/** False only for texts that differ by more than their dates and a tenth. */
export function mayBeEqual(left: LetterPairs, right: LetterPairs): boolean {
  const limit = MOST_DIFFERENCE * (left.total + right.total) + SLACK
  if (Math.abs(left.total - right.total) > limit) return false
  let difference = 0
  // Counted loop, no iterator: this runs for every pair of a pool.
  for (let bucket = 0; bucket < BUCKETS && difference <= limit; bucket += 1) {
    difference += Math.abs((left.counts[bucket] ?? 0) - (right.counts[bucket] ?? 0))
  }
  return difference <= limit
}
