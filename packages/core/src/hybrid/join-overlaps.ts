import type { ScoredEntry } from './list-score.ts'

/** Position of a candidate; lines from 1, both inclusive. */
export interface Place {
  /** Equal for candidates of one document. */
  readonly document: string
  readonly startLine: number
  readonly endLine: number
}

const LEAST_SHARE = 0.5

/**
 * Joins a vector hit to a keyword hit of the same document that shares at least half of the lines of the shorter one,
 * so that one passage carries both signals and takes one place in the answer. Hits in both lists stay unchanged.
 * Returns the vector list, best first, with joined hits under the ids of their keyword hits.
 */
export function joinOverlaps<Id>(
  keywords: readonly ScoredEntry<Id>[],
  vectors: readonly ScoredEntry<Id>[],
  placeOf: (id: Id) => Place,
): ScoredEntry<Id>[] {
  const inVectors = new Set(vectors.map(({ id }) => id))
  const inKeywords = new Set(keywords.map(({ id }) => id))
  const open = Map.groupBy(
    keywords.filter(({ id }) => !inVectors.has(id)).map(({ id }) => ({ id, place: placeOf(id) })),
    ({ place }) => place.document,
  )
  const joined = new Set<Id>()
  return vectors.map((entry) => {
    if (inKeywords.has(entry.id)) return entry
    const place = placeOf(entry.id)
    const twin = open
      .get(place.document)
      ?.find((other) => !joined.has(other.id) && sharedLines(other.place, place) >= LEAST_SHARE)
    if (twin === undefined) return entry
    joined.add(twin.id)
    return { id: twin.id, score: entry.score }
  })
}

/** Share of the shorter range, 0..1. */
function sharedLines(left: Place, right: Place): number {
  const shared = Math.min(left.endLine, right.endLine) - Math.max(left.startLine, right.startLine) + 1
  const shorter = Math.min(left.endLine - left.startLine, right.endLine - right.startLine) + 1
  return Math.max(0, shared) / shorter
}
