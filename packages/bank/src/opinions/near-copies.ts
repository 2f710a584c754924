import { contentKey } from '../retain/fact-id.ts'

/** Least words of a text that is compared by its shingles; of a shorter one a single word may be all that matters. */
const LEAST_WORDS = 60
const WORDS_IN_SHINGLE = 3
const LEAST_SHARED = 0.9
/** Hashes of a signature, and how many of them make a band: texts that share no band are not compared. */
const HASHES = 64
const BAND = 4
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** Pairs of positions of long texts that share nine tenths of their shingles; MinHash finds who is compared. */
export function nearCopies(texts: readonly string[]): readonly (readonly [number, number])[] {
  const long = texts.flatMap((text, at) => {
    const shingles = shinglesOf(text)
    return shingles === undefined ? [] : [{ at, shingles }]
  })
  const bands = new Map<string, (typeof long)[number][]>()
  const pairs = new Map<string, readonly [number, number]>()
  for (const text of long.length < 2 ? [] : long) {
    for (const band of bandsOf(text.shingles)) {
      const others = bands.get(band) ?? []
      for (const other of others) {
        const key = `${other.at} ${text.at}`
        if (!pairs.has(key) && similarity(other.shingles, text.shingles) >= LEAST_SHARED) pairs.set(key, [other.at, text.at])
      }
      bands.set(band, [...others, text])
    }
  }
  return [...pairs.values()]
}

function shinglesOf(text: string): ReadonlySet<number> | undefined {
  const words = contentKey(text).match(UNSPACED) ?? []
  if (words.length < LEAST_WORDS) return undefined
  const shingles = new Set<number>()
  for (let at = 0; at + WORDS_IN_SHINGLE <= words.length; at += 1)
    shingles.add(hashOf(words.slice(at, at + WORDS_IN_SHINGLE).join(' ')))
  return shingles
}

function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return hash >>> 0
}

function bandsOf(shingles: ReadonlySet<number>): readonly string[] {
  const least = Array.from({ length: HASHES }, (_, seed) => {
    let smallest = 0xffff_ffff
    for (const shingle of shingles) smallest = Math.min(smallest, mixed(shingle, seed))
    return smallest
  })
  return Array.from({ length: HASHES / BAND }, (_, at) => `${at}:${least.slice(at * BAND, (at + 1) * BAND).join(' ')}`)
}

function mixed(value: number, seed: number): number {
  let hash = Math.imul(value ^ Math.imul(seed + 1, 0x9e37_79b1), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function similarity(left: ReadonlySet<number>, right: ReadonlySet<number>): number {
  let shared = 0
  for (const shingle of left) if (right.has(shingle)) shared += 1
  return shared / (left.size + right.size - shared)
}
