import { type Ranked, topScores } from './top-scores.ts'
import { contribution, type WeighedTerm } from './weigh-query.ts'

/** A term in more than one of so many chunks is left for last. */
const FREQUENT_FROM = 8
/** Sums are kept in single precision; a chunk this close to the bar is looked at. */
const SLACK = 1e-3

export interface RankRequest {
  readonly size: number
  readonly limit: number
  readonly accepts: (ordinal: number) => boolean
}

/**
 * The `limit` chunks with the greatest sums. Rare terms are added up first; where what all frequent ones could still add does
 * not lift a chunk to the last place held by then, the frequent ones are asked of the few others only. The answer is that of
 * adding up everything.
 */
export function rankChunks(terms: readonly WeighedTerm[], request: RankRequest): readonly Ranked[] {
  const { size, limit, accepts } = request
  const scores = new Float32Array(size)
  const isFrequent = ({ postings }: WeighedTerm) => postings.count * FREQUENT_FROM > size
  for (const term of terms) if (!isFrequent(term)) term.postings.addTo(scores, term.weighing)
  const frequent = terms.filter(isFrequent)
  const bound = frequent.reduce((sum, term) => sum + term.bound, 0)
  const bar = frequent.length === 0 ? 0 : (topScores(scores, limit, accepts)[limit - 1]?.score ?? 0)
  if (bar * (1 - SLACK) <= bound) {
    for (const term of frequent) term.postings.addTo(scores, term.weighing)
    return topScores(scores, limit, accepts)
  }
  const least = (bar - bound) * (1 - SLACK)
  for (let ordinal = 0; ordinal < size; ordinal += 1) {
    const score = scores[ordinal] ?? 0
    if (score >= least) scores[ordinal] = score + frequent.reduce((sum, term) => sum + contribution(term, ordinal), 0)
    else scores[ordinal] = 0
  }
  return topScores(scores, limit, accepts)
}
