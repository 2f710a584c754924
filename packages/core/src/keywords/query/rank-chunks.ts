import { type Ranked, type TopRequest, topScores } from './top-scores.ts'
import { contribution, type WeighedTerm } from './weigh-query.ts'

/** A term in more than one of this many chunks is added last. */
const FREQUENT_FROM = 8
/** Norms are in single precision; a chunk this close to the threshold stays a candidate. */
const SLACK = 1e-6
/** Looking one chunk up in a list takes as long as walking this many of its postings. */
const ASK_COST = 8
/** With fewer candidates for each place, raising the threshold costs more than it saves. */
const FEW_CANDIDATES = 8
/** The threshold is raised again when this share of what may still be added was added. */
const THRESHOLD_SHARE = 0.15

export interface RankRequest extends Omit<TopRequest, 'ordinals'> {
  /** Length of the accumulator. */
  readonly size: number
  /** Number of live chunks: which terms count as frequent must not depend on deleted ones. */
  readonly liveCount: number
}

/**
 * Returns the `limit` chunks with the greatest sums, as `topScores` does. Adds rare terms first, then frequent ones by
 * falling weight, until the rest alone could not lift a chunk above the threshold, the score of the last place: from
 * then on only candidates are followed, fewer with every term. The result equals that of a full sum (MaxScore: Turtle
 * and Flood, "Query Evaluation: Strategies and Optimizations").
 */
export function rankChunks(terms: readonly WeighedTerm[], request: RankRequest): readonly Ranked[] {
  const { size, liveCount } = request
  const scores = new Float64Array(size)
  const isFrequent = ({ postings }: WeighedTerm) => postings.count * FREQUENT_FROM > liveCount
  for (const term of terms) if (!isFrequent(term)) term.postings.addTo(scores, term.weighing)
  const waiting = terms.filter(isFrequent).sort((left, right) => left.bound - right.bound)
  let rest = waiting.reduce((sum, term) => sum + term.bound, 0)
  let threshold = waiting.length === 0 ? 0 : thresholdOf(scores, request)
  let added = 0
  while (waiting.length > 0 && rest >= threshold) {
    const term = waiting.pop()
    if (!term) break
    term.postings.addTo(scores, term.weighing)
    rest -= term.bound
    added += term.bound
    // The threshold rises by no more than was added, so it is computed again only where it may be high enough.
    if (waiting.length > 0 && threshold + added > rest) {
      threshold = thresholdOf(scores, request)
      added = 0
    }
  }
  const candidates = waiting.length > 0 ? followCandidates(scores, waiting, { ...request, threshold }) : undefined
  return topScores(scores, { ...request, ordinals: candidates })
}

function thresholdOf(scores: Float64Array, request: RankRequest, ordinals?: Uint32Array): number {
  return (topScores(scores, { ...request, ordinals })[request.limit - 1]?.score ?? 0) * (1 - SLACK)
}

/** Adds the waiting terms, weightiest last in the list, to the candidates; returns the remaining candidates. */
function followCandidates(
  scores: Float64Array,
  waiting: WeighedTerm[],
  request: RankRequest & { readonly threshold: number },
): Uint32Array {
  let { threshold } = request
  let rest = waiting.reduce((sum, term) => sum + term.bound, 0)
  let added = 0
  let candidates = reaching(scores, threshold - rest)
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    addToCandidates(scores, candidates, term)
    rest -= term.bound
    added += term.bound
    if (added < THRESHOLD_SHARE * rest && waiting.length > 0) continue
    if (candidates.length > FEW_CANDIDATES * request.limit)
      threshold = Math.max(threshold, thresholdOf(scores, request, candidates))
    candidates = reaching(scores, threshold - rest, candidates)
    added = 0
  }
  return candidates
}

/** Chunks, all or those in `among`, with a score of at least `least`. */
function reaching(scores: Float64Array, least: number, among?: Uint32Array): Uint32Array {
  const count = among?.length ?? scores.length
  const ordinals = new Uint32Array(count)
  let length = 0
  for (let at = 0; at < count; at += 1) {
    const ordinal = among === undefined ? at : (among[at] ?? 0)
    if ((scores[ordinal] ?? 0) >= least) ordinals[length++] = ordinal
  }
  return ordinals.subarray(0, length)
}

/** With many candidates it is faster to walk the whole list; scores of other chunks are not read again. */
function addToCandidates(scores: Float64Array, candidates: Uint32Array, term: WeighedTerm): void {
  if (candidates.length * ASK_COST > term.postings.count) return term.postings.addTo(scores, term.weighing)
  for (const ordinal of candidates) scores[ordinal] = (scores[ordinal] ?? 0) + contribution(term, ordinal)
}
