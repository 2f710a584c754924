/** Ranking quality of one query, or the mean over many; each from 0 to 1. */
export interface Metrics {
  /** Share of the gold places inside the first hit, five hits, ten hits. */
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  /** One over the rank of the first hit with any gold place; 0 when none of ten has one. */
  readonly mrrAt10: number
  /** Discounted gain (Järvelin and Kekäläinen 2002, log2 discount) over that of the best possible order. */
  readonly ndcgAt10: number
}

const DEPTH = 10

function discountedGain(gains: readonly number[]): number {
  return gains.slice(0, DEPTH).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

/**
 * Scores one ranking. `ranking` has, for each hit in order, the gold places it holds; a place counts once, at its first hit.
 * `goldCount` is how many there are, 1 or more; `idealGains` comes from `idealGainsOf`.
 */
export function scoreRanking(ranking: readonly (readonly number[])[], goldCount: number, idealGains: readonly number[]): Metrics {
  const found = new Set<number>()
  const gains: number[] = []
  const foundUpTo: number[] = []
  for (const places of ranking.slice(0, DEPTH)) {
    const before = found.size
    for (const place of places) found.add(place)
    gains.push(found.size - before)
    foundUpTo.push(found.size)
  }
  const recallAt = (rank: number): number => (foundUpTo[Math.min(rank, foundUpTo.length) - 1] ?? 0) / goldCount
  const first = gains.findIndex((gain) => gain > 0)
  const ideal = discountedGain(idealGains)
  return {
    recallAt1: recallAt(1),
    recallAt5: recallAt(5),
    recallAt10: recallAt(10),
    mrrAt10: first < 0 ? 0 : 1 / (first + 1),
    ndcgAt10: ideal === 0 ? 0 : discountedGain(gains) / ideal,
  }
}

/**
 * Gains of the best possible order, largest first. `units` has the gold places of each unit that holds any. Where units
 * overlap, the unit with the most places still missing is taken next (greedy cover).
 */
export function idealGainsOf(units: readonly (readonly number[])[]): readonly number[] {
  const missing = new Set(units.flat())
  const gains: number[] = []
  while (missing.size > 0) {
    const counts = units.map((places) => places.filter((place) => missing.has(place)).length)
    const gain = Math.max(...counts)
    for (const place of units[counts.indexOf(gain)] ?? []) missing.delete(place)
    gains.push(gain)
  }
  return gains
}

/** Arithmetic mean of each metric. Throws RangeError for an empty list. */
export function meanMetrics(list: readonly Metrics[]): Metrics {
  if (list.length === 0) throw new RangeError('There is no query to take the mean of.')
  const mean = (name: keyof Metrics): number => list.reduce((sum, metrics) => sum + metrics[name], 0) / list.length
  return {
    recallAt1: mean('recallAt1'),
    recallAt5: mean('recallAt5'),
    recallAt10: mean('recallAt10'),
    mrrAt10: mean('mrrAt10'),
    ndcgAt10: mean('ndcgAt10'),
  }
}
