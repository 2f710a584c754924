import type { Word } from './words.ts'

const ASCII = /^[\0-\x7f]+$/
const START = 0x5e // ^
const END = 0x24 // $
const BITS = 7
/** Replaces all letters beyond ASCII; no word has it. */
const BEYOND_ASCII = 0x7f
const LENGTH = 4
const MASK = (1 << (BITS * LENGTH)) - 1

/**
 * Calls `visit` with the grams of `wordGrams` for an ASCII word as numbers, seven bits a letter from the left, so that
 * numbers sort like their letters. False, without a call, for any other word. A large text has millions of grams; as
 * numbers they need no strings.
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

/** Undefined for a gram beyond ASCII. */
export function packGram(gram: string): number | undefined {
  return ASCII.test(gram) ? packedFloor(gram) : undefined
}

/** At least as great as every packed gram that sorts before `gram`, and less than all others; `gram` may hold any letters. */
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
