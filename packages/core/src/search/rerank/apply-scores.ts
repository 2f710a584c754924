import type { Candidate } from '../candidates/candidate.ts'
import { isAskedByName } from '../candidates/lead.ts'

/** Notes asked for by their name keep the lead of that name over all others, and those held back are not judged. */
function groupOf({ lead }: Candidate): number {
  return isAskedByName(lead) ? lead : 0
}

export function mayBeJudged({ lead }: Candidate): boolean {
  return lead >= 0
}

/**
 * The candidates in the order of their rerank scores. Those without a score keep their places, and those of one group
 * share the places, and the scores before, that they had: the best score goes with the first place. Equal rerank scores
 * keep their order.
 */
export function applyScores(aged: readonly Candidate[], scores: ReadonlyMap<number, number>): readonly Candidate[] {
  const order = [...aged]
  const groups = new Map<number, number[]>()
  for (const [place, candidate] of aged.entries()) {
    if (!scores.has(candidate.chunk.id)) continue
    const group = groupOf(candidate)
    groups.set(group, [...(groups.get(group) ?? []), place])
  }
  for (const places of groups.values()) {
    const judged = places.flatMap((place) => {
      const candidate = aged[place]
      const score = candidate && scores.get(candidate.chunk.id)
      return candidate === undefined || score === undefined ? [] : { candidate, score, rank: place + 1 }
    })
    const best = judged.map(({ candidate }) => candidate.score).sort((left, right) => right - left)
    judged.sort((left, right) => right.score - left.score || left.rank - right.rank)
    for (const [at, { candidate, score, rank }] of judged.entries()) {
      const rerank = { score, rank, before: candidate.score }
      order[places[at] ?? 0] = { ...candidate, score: best[at] ?? candidate.score, rerank }
    }
  }
  return order
}
