/** Characters [start, end) that match the query; a greater weight attracts the snippet more. */
export interface WeightedMatch {
  readonly start: number
  readonly end: number
  readonly weight: number
  /** Index of the query word, which counts once however often it occurs. Absent: a separate word. */
  readonly word?: number | undefined
}
/** A match whose word is known. */
export type WordMatch = WeightedMatch & { readonly word: number }

export interface MatchWindow {
  readonly start: number
  readonly end: number
  readonly matches: readonly WordMatch[]
}

/** Clips matches to the text and sorts them by start; no weight is below 0, and each has a word. */
export function orderedMatches(matches: readonly WeightedMatch[], textLength: number): WordMatch[] {
  return matches
    .map(({ start, end, weight, word }, at) => ({
      start: Math.max(0, start),
      end: Math.min(textLength, end),
      weight: weight > 0 ? weight : 0,
      word: word ?? -1 - at,
    }))
    .filter(({ start, end }) => start < end)
    .sort((left, right) => left.start - right.start || left.end - right.end)
}

/** Matches of one word with one weight. */
interface Level {
  readonly weight: number
  count: number
}

/** Total worth of some matches: the sum over the words of each word's heaviest match. */
export class DistinctWorth {
  /** Levels by word; a word has few different weights. */
  readonly #levels = new Map<number, Level[]>()
  total = 0

  add({ word, weight }: WordMatch): void {
    const levels = this.#levels.get(word)
    if (levels === undefined) {
      this.#levels.set(word, [{ weight, count: 1 }])
      this.total += weight
      return
    }
    const before = heaviest(levels)
    const level = levels.find((each) => each.weight === weight)
    if (level) level.count += 1
    else levels.push({ weight, count: 1 })
    this.total += Math.max(before, weight) - before
  }

  remove({ word, weight }: WordMatch): void {
    const levels = this.#levels.get(word) ?? []
    const before = heaviest(levels)
    const level = levels.find((each) => each.weight === weight)
    if (level) level.count -= 1
    this.total += heaviest(levels) - before
  }

  /** Whether the others have the same worth without this one. */
  canSpare({ word, weight }: WordMatch): boolean {
    return (this.#levels.get(word) ?? []).some(
      (level) => level.count > (level.weight === weight ? 1 : 0) && level.weight >= weight,
    )
  }

  static of(matches: Iterable<WordMatch>): number {
    const worth = new DistinctWorth()
    for (const match of matches) worth.add(match)
    return worth.total
  }
}

function heaviest(levels: readonly Level[]): number {
  return levels.reduce((most, { weight, count }) => (count > 0 && weight > most ? weight : most), 0)
}

/** Totals are sums of the same numbers in different orders. */
const SLACK = 1e-9

/**
 * The matches within `size` characters with the greatest total worth, in the shortest such range; the first of equals.
 * Takes ordered matches; null when there are none. A match longer than `size` is cut and the only one.
 */
export function bestWindow(matches: readonly WordMatch[], size: number): MatchWindow | null {
  const worth = new DistinctWorth()
  let best: { readonly first: number; readonly last: number; readonly width: number; readonly total: number } | undefined
  let first = 0
  let reach = 0
  for (const [last, match] of matches.entries()) {
    worth.add(match)
    reach = Math.max(reach, match.end)
    // A match that a later one repeats is not needed, now or farther on.
    for (let opening = matches[first]; opening !== undefined && first < last; opening = matches[first]) {
      if (reach - opening.start <= size && !worth.canSpare(opening)) break
      worth.remove(opening)
      first += 1
    }
    const width = Math.min(size, reach - (matches[first]?.start ?? 0))
    const { total } = worth
    const isBetter = best === undefined || total > best.total + SLACK || (total >= best.total - SLACK && width < best.width)
    if (isBetter) best = { first, last, width, total }
  }
  if (best === undefined) return null
  const start = matches[best.first]?.start ?? 0
  return { start, end: start + best.width, matches: matches.slice(best.first, best.last + 1) }
}

/** Matches as ranges, with overlapping ones merged. */
export function mergedRanges(matches: readonly WordMatch[]): (readonly [start: number, end: number])[] {
  const merged: [start: number, end: number][] = []
  for (const { start, end } of matches) {
    const last = merged.at(-1)
    if (last === undefined || start >= last[1]) merged.push([start, end])
    else last[1] = Math.max(last[1], end)
  }
  return merged
}
