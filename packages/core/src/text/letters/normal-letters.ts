import type { Edit } from './edited-text.ts'

/**
 * Characters that join the one before them to one letter, or change places with it: marks, the voice marks of
 * half-width kana, vowels and final consonants of Hangul, sara am of Thai and Lao with their last vowel alone.
 */
const JOINS =
  /[\p{M}\u0e32\u0e33\u0eb2\u0eb3\u1160-\u11ff\u200d\u314f-\u3163\u3187-\u318e\ud7b0-\ud7fb\uff9e\uff9f\uffc2-\uffdc]/u
/** More than any word has; a thousand marks on one letter would be sorted at quadratic cost (UAX #15, stream-safe text). */
const MAX_CLUSTER = 32

/**
 * Invisible characters that no word needs: soft hyphens, marks of direction, variation selectors except that of emoji.
 * Joiners and breaks stay.
 */
const UNSEEN = /[\u00ad\u034f\u061c\u180b-\u180f\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0e\ufeff\u{e0100}-\u{e01ef}]/gu
/**
 * Signs that represent letters or digits of their own, and do not continue the word or number before them: ™ is no
 * ending, 2½ is not 21.
 */
const APART = /^[\u00bc-\u00be\u2116\u2120\u2122\u2150-\u215f\u2189]$/
const DIGITS = /(?![0-9])\p{Nd}/gu

/** Sequences that readers see as one letter and Unicode's normalisation does not. */
const LETTERS: readonly (readonly [pattern: RegExp, letter: string])[] = [
  // The Unicode Standard 12.9, Malayalam: chillu letters, encoded apart since 5.1, with a joiner before.
  [/ണ്\u200d/g, 'ൺ'],
  [/ന്\u200d/g, 'ൻ'],
  [/[രറ]്\u200d/g, 'ർ'],
  [/ല്\u200d/g, 'ൽ'],
  [/ള്\u200d/g, 'ൾ'],
  [/ക്\u200d/g, 'ൿ'],
  // 12.2, Bengali: khanda ta, encoded apart since 4.1.
  [/ত্\u200d/g, 'ৎ'],
  // 16.1, Thai, and 16.2, Lao: sara am in one or two code points, its tone before or after; dictionaries hold the one.
  [/\u0e4d([\u0e48-\u0e4b]?)\u0e32/g, '$1\u0e33'],
  [/\u0e33([\u0e48-\u0e4b])/g, '$1\u0e33'],
  [/\u0ecd([\u0ec8-\u0ecb]?)\u0eb2/g, '$1\u0eb3'],
  [/\u0eb3([\u0ec8-\u0ecb])/g, '$1\u0eb3'],
]
/** The first code unit of a vowel of Thai or Lao that is often typed twice for the one beside it (16.1). */
const DOUBLED: ReadonlyMap<number, string> = new Map([
  [0x0e40, '\u0e41'],
  [0x0ec0, '\u0ec1'],
])

export function asciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0
  if (codePoint < 0x80) return digit
  // Decimal digits are in runs of ten from zero, so the value is the distance from the first of the run.
  let zero = codePoint
  while (codePoint - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((codePoint - zero) % 10)
}

/** Sequences that NFKC keeps, but that this module normalises. */
const READ_OTHERWISE = new RegExp(
  String.raw`${UNSEEN.source}|(?![0-9])\p{Nd}|[\u09cd\u0d4d]\u200d|[\u0e4d\u0ecd\u2044]|\u0e40{2}|\u0ec0{2}`,
  'u',
)

function normalised(cluster: string): string {
  let text = cluster.replace(UNSEEN, '').normalize('NFKC').replace(DIGITS, asciiDigit).replaceAll('\u2044', '/')
  if (APART.test(cluster)) return ` ${text} `
  for (const [pattern, letter] of LETTERS) text = text.replace(pattern, letter)
  return text
}

const MAX_CACHED_CLUSTERS = 20_000
const clusters = new Map<string, string>()

/** `normalised` with a bounded memory: a script has a few thousand clusters. */
function normalisedOnce(cluster: string): string {
  const known = clusters.get(cluster)
  if (known !== undefined) return known
  if (clusters.size >= MAX_CACHED_CLUSTERS) clusters.clear()
  const found = normalised(cluster)
  clusters.set(cluster, found)
  return found
}

const JOINING = 1
const CHANGED = 2
const KNOWN = 4
/** Traits of each code unit, computed on first use: whether it joins the one before it, and whether it changes when alone. */
const traits = new Uint8Array(0x10000)

function traitsOf(code: number): number {
  const known = traits[code] ?? 0
  if (known !== 0) return known
  const character = String.fromCharCode(code)
  const found = KNOWN | (JOINS.test(character) ? JOINING : 0) | (normalised(character) === character ? 0 : CHANGED)
  traits[code] = found
  return found
}

function isLeading(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function joinsAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0x80) return false
  if (isLeading(code)) return JOINS.test(String.fromCodePoint(text.codePointAt(at) ?? 0))
  return (traitsOf(code) & JOINING) !== 0
}

function characterEnd(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}

function clusterEnd(text: string, start: number): number {
  let end = characterEnd(text, start)
  while (end < text.length && end - start < MAX_CLUSTER && joinsAt(text, end)) end = characterEnd(text, end)
  return end
}

/**
 * Edits that give every letter one form: NFKC across borders where it composes, digits in ASCII, and the sequences
 * above. Linear.
 */
export function letterEdits(text: string): readonly Edit[] {
  const edits: Edit[] = []
  if (text.normalize('NFKC') === text && !READ_OTHERWISE.test(text)) return edits
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const next = text.charCodeAt(at + 1)
    if (code < 0x80 && !(next >= 0x80)) {
      at += 1
      continue
    }
    const twice = code === next ? DOUBLED.get(code) : undefined
    const end = twice === undefined ? clusterEnd(text, at) : at + 2
    if (end > at + 1 || (code >= 0x80 && (traitsOf(code) & CHANGED) !== 0)) {
      const cluster = text.slice(at, end)
      const read = twice ?? normalisedOnce(cluster)
      if (read !== cluster) edits.push({ start: at, end, text: read })
    }
    at = end
  }
  return edits
}
