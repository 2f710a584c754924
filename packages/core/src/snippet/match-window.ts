/** Characters [start, end) that answer the query; a greater weight draws the snippet more. */
export interface WeightedMatch {
  readonly start: number
  readonly end: number
  readonly weight: number
}
export interface MatchWindow {
  readonly start: number
  readonly end: number
  /** The heaviest match of the window, the first of equals. */
  readonly best: WeightedMatch
}

/** Sorted and free of overlaps: matches that overlap become one with the greatest of their weights. */
export function mergedMatches(matches: readonly WeightedMatch[], textLength: number): WeightedMatch[] {
  const inside = matches
    .map(({ start, end, weight }) => ({
      start: Math.max(0, start),
      end: Math.min(textLength, end),
      weight: weight > 0 ? weight : 0,
    }))
    .filter(({ start, end }) => start < end)
    .sort((left, right) => left.start - right.start)
  const merged: WeightedMatch[] = []
  for (const match of inside) {
    const last = merged.at(-1)
    if (last === undefined || match.start >= last.end) merged.push(match)
    else merged[merged.length - 1] = { ...last, end: Math.max(last.end, match.end), weight: Math.max(last.weight, match.weight) }
  }
  return merged
}

/**
 * The run of matches that fits into `size` characters with the greatest weight; the shorter, then the earlier of equals.
 * Takes merged matches; null when there are none. A match longer than `size` stands alone, cut.
 */
export function densestWindow(matches: readonly WeightedMatch[], size: number): MatchWindow | null {
  let found: { readonly first: number; readonly end: number; readonly weight: number; readonly width: number } | null = null
  let end = 0
  let weight = 0
  for (const [first, match] of matches.entries()) {
    if (end <= first) {
      end = first + 1
      weight = match.weight
    }
    for (let next = matches[end]; next !== undefined && next.end - match.start <= size; next = matches[end]) {
      weight += next.weight
      end += 1
    }
    const width = Math.min(size, (matches[end - 1]?.end ?? match.end) - match.start)
    if (found === null || weight > found.weight || (weight === found.weight && width < found.width))
      found = { first, end, weight, width }
    weight -= match.weight
  }
  if (found === null) return null
  const inside = matches.slice(found.first, found.end)
  const best = inside.reduce((heaviest, match) => (match.weight > heaviest.weight ? match : heaviest))
  return { start: inside[0]?.start ?? 0, end: (inside[0]?.start ?? 0) + found.width, best }
}
