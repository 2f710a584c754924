/** An entry of a ranked list; greater scores are better. */
export interface ScoredEntry<Id> {
  readonly id: Id
  readonly score: number
}

/** Up to here a keyword score is the share of the question's maximum; above, it nears 1. */
const STRAIGHT_TO = 0.8
const LARGEST_BELOW_ONE = 1 - Number.EPSILON / 2

/**
 * A keyword score for people: `share` is a sum over the most its question could get, which headings and repeated words
 * may push above 1. Straight up to .8, then .8 + .2 (1 − e^(−(share − .8) / .2)): the order stays, and nothing reaches
 * 1. NaN and values below 0 become 0.
 */
export function keywordScore(share: number): number {
  if (!(share > 0)) return 0
  const rest = 1 - STRAIGHT_TO
  // For large shares the result would round to 1.
  return share <= STRAIGHT_TO
    ? share
    : Math.min(LARGEST_BELOW_ONE, STRAIGHT_TO + rest * -Math.expm1((STRAIGHT_TO - share) / rest))
}

/** A cosine as a score, clamped to 0..1; NaN becomes 0. A vector hit of score 0 is irrelevant and must not rank. */
export function vectorScore(similarity: number): number {
  return Number.isNaN(similarity) ? 0 : Math.min(1, Math.max(0, similarity))
}

/** Scores as shares of the greatest one, so that the best entry has 1. A list without a positive score stays unchanged. */
export function scaleByBest<Id>(list: readonly ScoredEntry<Id>[]): ScoredEntry<Id>[] {
  const best = list.reduce((greatest, entry) => (Number.isFinite(entry.score) ? Math.max(greatest, entry.score) : greatest), 0)
  return best > 0 ? list.map(({ id, score }) => ({ id, score: score / best })) : [...list]
}
