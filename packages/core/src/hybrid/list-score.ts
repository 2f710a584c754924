/** An entry of a ranked list; greater scores are better. */
export interface ScoredEntry<Id> {
  readonly id: Id
  readonly score: number
}

/**
 * A keyword score for a list that stands alone: r/(1+r) with r = |rank|, from 0 up to 1, growing with r.
 * FTS5 ranks are negative, the stronger match the further below 0, so the sign is dropped. A rank that is not finite is 0.
 */
export function keywordScore(rank: number): number {
  if (!Number.isFinite(rank)) return 0
  const strength = Math.abs(rank)
  return strength / (1 + strength)
}

/** A cosine as a score: clamped to 0..1, not a number is 0. A vector hit of score 0 says nothing and must not rank. */
export function vectorScore(similarity: number): number {
  return Number.isNaN(similarity) ? 0 : Math.min(1, Math.max(0, similarity))
}

/** Scores as shares of the greatest one, so that the best entry has 1. A list without a positive score stays as it is. */
export function scaleByBest<Id>(list: readonly ScoredEntry<Id>[]): ScoredEntry<Id>[] {
  const best = list.reduce((greatest, entry) => (Number.isFinite(entry.score) ? Math.max(greatest, entry.score) : greatest), 0)
  return best > 0 ? list.map(({ id, score }) => ({ id, score: score / best })) : [...list]
}
