/** Jaccard: shared members over all members, 0..1. Two empty sets have nothing to compare: 0. */
export function jaccard<Member>(left: ReadonlySet<Member>, right: ReadonlySet<Member>): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left]
  if (small.size === 0) return 0
  let shared = 0
  for (const member of small) if (large.has(member)) shared += 1
  return shared / (small.size + large.size - shared)
}

const LARGEST_BELOW_ONE = 1 - Number.EPSILON / 2

/** A text with its analysed tokens. */
export interface TokenisedText {
  readonly text: string
  readonly tokens: ReadonlySet<string>
}

/** Jaccard over tokens, but exactly 1 for equal texts, even without tokens, and for no others. */
export function tokenSimilarity(left: TokenisedText, right: TokenisedText): number {
  return left.text === right.text ? 1 : Math.min(jaccard(left.tokens, right.tokens), LARGEST_BELOW_ONE)
}

/** The cosine of two unit vectors, 0..1. */
export function cosineSimilarity(left: Float32Array, right: Float32Array): number {
  let sum = 0
  for (let at = 0; at < left.length; at++) sum += (left[at] ?? 0) * (right[at] ?? 0)
  return Math.min(1, Math.max(0, sum))
}
