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
 * The `limit` chunks with the greatest sums. Rare terms are added up first, then frequent ones, the weightiest first, until
 * what the rest could still add does not lift a chunk to the last place held by then: the rest is asked of the few chunks
 * near the top only. The answer is that of adding up everything (MaxScore: Turtle and Flood, "Query Evaluation: Strategies
 * and Optimizations").
 */
export function rankChunks(terms: readonly WeighedTerm[], request: RankRequest): readonly Ranked[] {
  const { size, limit, accepts } = request
  const scores = new Float32Array(size)
  const isFrequent = ({ postings }: WeighedTerm) => postings.count * FREQUENT_FROM > size
  for (const term of terms) if (!isFrequent(term)) term.postings.addTo(scores, term.weighing)
  const waiting = terms.filter(isFrequent).sort((left, right) => left.bound - right.bound)
  let rest = waiting.reduce((sum, term) => sum + term.bound, 0)
  let bar = waiting.length === 0 ? 0 : barOf(scores, request)
  let added = 0
  while (waiting.length > 0 && rest >= bar) {
    const term = waiting.pop()
    if (!term) break
    term.postings.addTo(scores, term.weighing)
    rest -= term.bound
    added += term.bound
    // The bar rises by no more than was added, so it is looked for anew only where it may be high enough.
    if (waiting.length > 0 && bar + added > rest) {
      bar = barOf(scores, request)
      added = 0
    }
  }
  if (waiting.length > 0) addToLeaders(scores, waiting, bar)
  return topScores(scores, limit, accepts)
}

function barOf(scores: Float32Array, { limit, accepts }: RankRequest): number {
  return (topScores(scores, limit, accepts)[limit - 1]?.score ?? 0) * (1 - SLACK)
}

/** `bar` is what a chunk needs in the end; the weightiest term is asked first, and no more once it is out of reach. */
function addToLeaders(scores: Float32Array, terms: readonly WeighedTerm[], bar: number): void {
  const weightiest = terms.toReversed()
  const rest = terms.reduce((sum, term) => sum + term.bound, 0)
  for (let ordinal = 0; ordinal < scores.length; ordinal += 1) {
    let score = scores[ordinal] ?? 0
    let open = rest
    for (const term of weightiest) {
      if (score + open < bar) break
      open -= term.bound
      score += contribution(term, ordinal)
    }
    scores[ordinal] = score + open < bar ? 0 : score
  }
}
