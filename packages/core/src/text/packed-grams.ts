import type { Word } from './words.ts'

const ASCII = /^[\0-\x7f]+$/
const START = 0x5e // ^
const END = 0x24 // $
const BITS = 7
/** No letter of a word: it stands for all that are not ASCII. */
const BEYOND_ASCII = 0x7f
const LENGTH = 4
const MASK = (1 << (BITS * LENGTH)) - 1

/**
 * The grams of `wordGrams` for a word in ASCII as numbers, seven bits a letter from the left, so that numbers order as their
 * letters do. False, without a call, for any other word. A
 * new text has grams by the million; as numbers they cost no string.
 */
export function eachPackedGram(
  { gramSource, script }: Pick<Word, 'gramSource' | 'script'>,
  visit: (packed: number) => void,
): boolean {
  if (script !== 'latin' || !ASCII.test(gramSource)) return false
  let packed = START
  for (let at = 0; at < gramSource.length; at += 1) {
    packed = ((packed << BITS) | gramSource.charCodeAt(at)) & MASK
    if (at + 2 >= LENGTH) visit(packed)
  }
  const last = ((packed << BITS) | END) & MASK
  visit(gramSource.length === 1 ? last << BITS : last)
  return true
}

/** Undefined for a gram that is not all ASCII. */
export function packGram(gram: string): number | undefined {
  return ASCII.test(gram) ? packedFloor(gram) : undefined
}

/** At least as great as every packed gram that orders before `gram`, and below all others; `gram` may hold any letters. */
export function packedFloor(gram: string): number {
  let packed = 0
  for (let at = 0; at < LENGTH; at += 1) {
    packed = (packed << BITS) | (at < gram.length ? Math.min(gram.charCodeAt(at), BEYOND_ASCII) : 0)
  }
  return packed
}

/** Calls `visit` with the letters of a packed gram. */
export function eachLetter(packed: number, visit: (code: number) => void): void {
  for (let shift = BITS * (LENGTH - 1); shift >= 0; shift -= BITS) {
    const code = (packed >>> shift) & BEYOND_ASCII
    if (code !== 0) visit(code)
  }
}
