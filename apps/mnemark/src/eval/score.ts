import type { SearchHit } from '@mnemark/spec'
import type { Place, Question } from './question.ts'

/** Quality of one answer, or the mean of many; each from 0 to 1. */
export interface Score {
  /** Share of the right places in the first hit, five hits, ten hits. */
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  /** One over the rank of the first right hit among ten; 0 without one. */
  readonly mrrAt10: number
  /** Gain discounted by the logarithm of the rank, over that of the best order. */
  readonly ndcgAt10: number
}

type Hit = Pick<SearchHit, 'path' | 'startLine' | 'endLine'>

/** Scores the first ten hits of one answer. A place counts once, at its first hit. */
export function scoreAnswer(hits: readonly Hit[], { gold }: Pick<Question, 'gold'>): Score {
  const missing = new Set(gold)
  const gains = hits.slice(0, 10).map((hit) => {
    const held = [...missing].filter((place) => holds(hit, place))
    for (const place of held) missing.delete(place)
    return held.length
  })
  const recallAt = (rank: number): number => gains.slice(0, rank).reduce((sum, gain) => sum + gain, 0) / gold.length
  const first = gains.findIndex((gain) => gain > 0)
  const best = discounted(gold.slice(0, 10).map(() => 1))
  return {
    recallAt1: recallAt(1),
    recallAt5: recallAt(5),
    recallAt10: recallAt(10),
    mrrAt10: first === -1 ? 0 : 1 / (first + 1),
    // Several places in one hit can be better than one in each.
    ndcgAt10: Math.min(1, discounted(gains) / best),
  }
}

function holds({ path, startLine, endLine }: Hit, place: Place): boolean {
  if (path !== place.path) return false
  if (place.lines === undefined) return true
  const [first, last] = place.lines
  return startLine <= last && endLine >= first
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

/** The mean of each figure; zeros for an empty list. */
export function meanScore(scores: readonly Score[]): Score {
  const mean = (read: (score: Score) => number): number =>
    scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + read(score), 0) / scores.length
  return {
    recallAt1: mean(({ recallAt1 }) => recallAt1),
    recallAt5: mean(({ recallAt5 }) => recallAt5),
    recallAt10: mean(({ recallAt10 }) => recallAt10),
    mrrAt10: mean(({ mrrAt10 }) => mrrAt10),
    ndcgAt10: mean(({ ndcgAt10 }) => ndcgAt10),
  }
}
