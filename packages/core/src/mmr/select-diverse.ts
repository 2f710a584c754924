import { ConfigError } from '@mnemark/spec'

export interface DiverseOptions<Candidate> {
  /** Weight of relevance against novelty, 0..1; 1 is the order of relevance alone. */
  readonly lambda: number
  /** Number of picks; all candidates when there are fewer. */
  readonly limit: number
  /** 0..1, symmetric. Called at most once per pick and remaining candidate. */
  readonly similarity: (left: Candidate, right: Candidate) => number
}
export interface DiversePick<Candidate> {
  readonly candidate: Candidate
  /** λ·relevance − (1−λ)·similarity, at the moment of the pick. */
  readonly value: number
  /** Greatest similarity to earlier picks; 0 for the first pick. */
  readonly similarity: number
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998), greedy, on unscaled relevance, so that a threshold means
 * the same before and after. Returned in the order of the picks; ties go to the earlier candidate. Throws ConfigError
 * for a lambda outside 0..1.
 */
export function selectDiverse<Candidate extends { readonly relevance: number }>(
  candidates: readonly Candidate[],
  options: DiverseOptions<Candidate>,
): DiversePick<Candidate>[] {
  const { lambda, limit, similarity } = options
  if (!(lambda >= 0 && lambda <= 1)) {
    throw new ConfigError('invalid-value', `mmr.lambda: expected a number from 0 to 1, got ${String(lambda)}`)
  }
  const remaining = candidates.map((candidate) => ({ candidate, similarity: 0 }))
  const picks: DiversePick<Candidate>[] = []
  while (remaining.length > 0 && picks.length < limit) {
    const best = bestOf(remaining, lambda)
    const [picked] = remaining.splice(best.position, 1)
    if (picked === undefined) break
    picks.push({ ...picked, value: best.value })
    if (picks.length === limit) break
    for (const other of remaining) {
      other.similarity = Math.max(other.similarity, similarity(picked.candidate, other.candidate))
    }
  }
  return picks
}

function bestOf(
  remaining: readonly { readonly candidate: { readonly relevance: number }; readonly similarity: number }[],
  lambda: number,
): { readonly position: number; readonly value: number } {
  let best = { position: 0, value: Number.NEGATIVE_INFINITY }
  for (const [position, { candidate, similarity }] of remaining.entries()) {
    const value = lambda * candidate.relevance - (1 - lambda) * similarity
    if (value > best.value) best = { position, value }
  }
  return best
}
