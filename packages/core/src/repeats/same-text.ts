import { mayBeEqual, type Outline, outlineOf } from './outline.ts'
import { repeatKey } from './repeat-key.ts'
import { areNearlyEqual, type Shingles, shinglesOf } from './shingles.ts'

/** A text prepared for comparing; every part is made when first needed. */
export interface ComparableText {
  readonly text: string
  readonly outline: () => Outline
  readonly key: () => string
  readonly shingles: () => Shingles
}

export function comparable(text: string): ComparableText {
  const key = once(() => repeatKey(text))
  return { text, outline: once(() => outlineOf(text)), key, shingles: once(() => shinglesOf(key())) }
}

/** Equal without dates, times, digits, bullets and white space, or with at least 0.9 of their shingles in common. */
export function areSameText(left: ComparableText, right: ComparableText): boolean {
  if (!mayBeEqual(left.outline(), right.outline())) return false
  return left.key() === right.key() || areNearlyEqual(left.shingles(), right.shingles())
}

/** Made when first needed, and kept. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
