/** `score` is the fused score before decay: age must not turn a found note into a missing one. */
export interface ThresholdCandidate {
  readonly score: number
  readonly hasKeywordMatch: boolean
}

/**
 * passed: at or above the threshold. kept: below it, but with words of the query, so it fills places that are left.
 * dropped: below it, similar only.
 */
export type ThresholdOutcome = 'passed' | 'kept' | 'dropped'

export function thresholdOutcome(candidate: ThresholdCandidate, minScore: number): ThresholdOutcome {
  if (candidate.score >= minScore) return 'passed'
  return candidate.hasKeywordMatch ? 'kept' : 'dropped'
}

/** Candidates by outcome, each group in the given order. Kept ones come after all that passed. */
export function splitByThreshold<Candidate extends ThresholdCandidate>(
  candidates: readonly Candidate[],
  minScore: number,
): Readonly<Record<ThresholdOutcome, Candidate[]>> {
  const groups: Record<ThresholdOutcome, Candidate[]> = { passed: [], kept: [], dropped: [] }
  for (const candidate of candidates) groups[thresholdOutcome(candidate, minScore)].push(candidate)
  return groups
}
