import { type Ranked, type TopRequest, topScores } from './top-scores.ts'
import { contribution, type WeighedTerm } from './weigh-query.ts'

/** A term in more than one of so many chunks is left for last. */
const FREQUENT_FROM = 8
/** Norms are kept in single precision; a chunk this close to the bar is looked at. */
const SLACK = 1e-6
/** Asking a list for one chunk takes as long as walking over so many of its postings. */
const ASK_COST = 8
/** Below so many leaders for each place, looking for a higher bar costs more than it saves. */
const FEW_LEADERS = 8
/** The bar is looked for anew when so much of what is still open was added. */
const BAR_SHARE = 0.15

export interface RankRequest extends Omit<TopRequest, 'ordinals'> {
  /** Length of the accumulator. */
  readonly size: number
  /** Chunks that live: what counts as frequent must not depend on the dead. */
  readonly liveCount: number
}

/**
 * The `limit` chunks with the greatest sums, as `topScores` says. Rare terms are added up first, then frequent ones, the weightiest first, until
 * what the rest could still add does not lift a chunk to the last place held by then: from there on only the chunks that may
 * still enter, fewer with every term, are followed. The answer is that of adding up everything (MaxScore: Turtle and Flood, "Query
 * Evaluation: Strategies and Optimizations").
 */
export function rankChunks(terms: readonly WeighedTerm[], request: RankRequest): readonly Ranked[] {
  const { size, liveCount } = request
  const scores = new Float64Array(size)
  const isFrequent = ({ postings }: WeighedTerm) => postings.count * FREQUENT_FROM > liveCount
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
  const leaders = waiting.length > 0 ? followLeaders(scores, waiting, { ...request, bar }) : undefined
  return topScores(scores, { ...request, ordinals: leaders })
}

function barOf(scores: Float64Array, request: RankRequest, ordinals?: Uint32Array): number {
  return (topScores(scores, { ...request, ordinals })[request.limit - 1]?.score ?? 0) * (1 - SLACK)
}

/** Adds the waiting terms, weightiest last in the list, to the chunks that may still enter; returns those. */
function followLeaders(
  scores: Float64Array,
  waiting: WeighedTerm[],
  request: RankRequest & { readonly bar: number },
): Uint32Array {
  let { bar } = request
  let rest = waiting.reduce((sum, term) => sum + term.bound, 0)
  let added = 0
  let leaders = reaching(scores, bar - rest)
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    addToLeaders(scores, leaders, term)
    rest -= term.bound
    added += term.bound
    if (added < BAR_SHARE * rest && waiting.length > 0) continue
    if (leaders.length > FEW_LEADERS * request.limit) bar = Math.max(bar, barOf(scores, request, leaders))
    leaders = reaching(scores, bar - rest, leaders)
    added = 0
  }
  return leaders
}

/** Those of some chunks, or of all, that have a score from `least` on. */
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

/** Of many leaders it is quicker to walk the whole list; what it adds to other chunks is not looked at again. */
function addToLeaders(scores: Float64Array, leaders: Uint32Array, term: WeighedTerm): void {
  if (leaders.length * ASK_COST > term.postings.count) return term.postings.addTo(scores, term.weighing)
  for (const ordinal of leaders) scores[ordinal] = (scores[ordinal] ?? 0) + contribution(term, ordinal)
}
