import { hasWords } from './count-words.ts'
import { type Differences, differingWords } from './differing-words.ts'
import { type LetterPairs, letterPairsOf, mayBeEqual } from './letter-pairs.ts'
import { repeatKey } from './repeat-key.ts'
import { areNearlyEqual, type Shingles, shinglesOf } from './shingles.ts'

/** A text prepared for comparing; every part is made when first needed. */
export interface ComparableText {
  readonly text: string
  /** Equal for texts that say the same. */
  readonly key: () => string
  readonly letterPairs: () => LetterPairs
  readonly shingles: () => Shingles
  readonly isLong: () => boolean
}

/** A shorter text is a fact, and one word of it may be all that matters. */
const LEAST_WORDS = 60

export function comparable(text: string): ComparableText {
  const key = once(() => repeatKey(text))
  return {
    text,
    key,
    letterPairs: once(() => letterPairsOf(text)),
    shingles: once(() => shinglesOf(key())),
    isLong: once(() => hasWords(text, LEAST_WORDS)),
  }
}

/** Cheap, and false for nearly all pairs that are neither the same nor near copies. */
export function mayBeAlike(left: ComparableText, right: ComparableText): boolean {
  return mayBeEqual(left.letterPairs(), right.letterPairs())
}

/** Where two long texts differ that have 0.9 of their shingles in common; undefined where they are no near copies of each other. */
export function nearCopyDifferences(left: ComparableText, right: ComparableText): Differences | undefined {
  if (!left.isLong() || !right.isLong()) return undefined
  return areNearlyEqual(left.shingles(), right.shingles()) ? differingWords(left.text, right.text) : undefined
}

/** Made when first needed, and kept. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
