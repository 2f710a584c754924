import { hasWords } from './count-words.ts'
import { type Differences, differingWords } from './differing-words.ts'
import { type LetterPairs, letterPairsOf, mayBeEqual } from './letter-pairs.ts'
import { repeatKey } from './repeat-key.ts'
import { areNearlyEqual, type Shingles, shinglesOf } from './shingles.ts'

/** A text prepared for comparison; every part is computed when first needed. */
export interface ComparableText {
  readonly text: string
  /** Equal for repeated texts: see `repeatKey`. */
  readonly key: () => string
  readonly letterPairs: () => LetterPairs
  readonly shingles: () => Shingles
  readonly isLong: () => boolean
}

/** Least words of a long text; a shorter one is a fact, of which one word may be all that matters. */
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

/** A cheap test, false for nearly all pairs that are neither the same nor near copies. */
export function mayBeAlike(left: ComparableText, right: ComparableText): boolean {
  return mayBeEqual(left.letterPairs(), right.letterPairs())
}

/** Differences of two long texts that share 0.9 of their shingles; undefined where they are not near copies. */
export function nearCopyDifferences(left: ComparableText, right: ComparableText): Differences | undefined {
  if (!left.isLong() || !right.isLong()) return undefined
  return areNearlyEqual(left.shingles(), right.shingles()) ? differingWords(left.text, right.text) : undefined
}

/** Computes the value when first needed, and caches it. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
