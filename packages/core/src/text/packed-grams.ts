import type { Word } from './words.ts'

const ASCII = /^[\0-\x7f]+$/
const START = 0x5e // ^
const END = 0x24 // $
const BITS = 7
const LENGTH = 4
const MASK = (1 << (BITS * LENGTH)) - 1

/**
 * The grams of `wordGrams` for a word in ASCII as numbers, seven bits a letter. False, without a call, for any other word. A
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
  visit(((packed << BITS) | END) & MASK)
  return true
}

/** Undefined for a gram that is not all ASCII. */
export function packGram(gram: string): number | undefined {
  if (!ASCII.test(gram)) return undefined
  let packed = 0
  for (let at = 0; at < gram.length; at += 1) packed = (packed << BITS) | gram.charCodeAt(at)
  return packed
}

export function unpackGram(packed: number): string {
  let gram = ''
  for (let rest = packed; rest > 0; rest >>>= BITS) gram = String.fromCharCode(rest & 0x7f) + gram
  return gram
}
