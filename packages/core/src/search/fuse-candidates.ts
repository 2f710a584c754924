import { fuseReciprocalRank, fuseWeighted } from '../hybrid/fuse.ts'
import { joinOverlaps, type Place } from '../hybrid/join-overlaps.ts'
import { scaleByBest, type ScoredEntry } from '../hybrid/list-score.ts'
import { documentKey } from '../index/document-key.ts'
import type { Candidate } from './candidate.ts'
import { cutPool, leadOfName } from './keyword-candidates.ts'
import type { LoadedChunk } from './loaded-chunks.ts'
import type { SearchSettings } from './search-settings.ts'
import type { QueryVector, VectorCandidate } from './vector-candidates.ts'

export interface FusionRequest {
  readonly keywords: readonly Candidate[]
  readonly vectors: readonly VectorCandidate[]
  readonly space: QueryVector
  readonly settings: Pick<SearchSettings, 'fusion' | 'vectorWeight' | 'pool' | 'isHybrid'>
}

function placeOf({ chunk }: LoadedChunk): Place {
  return { document: documentKey(chunk.document), startLine: chunk.startLine, endLine: chunk.endLine }
}

/** The fused score of each chunk. The weight of the vectors shrinks with what the model knows of the query. */
function fusedScores(
  keywords: readonly ScoredEntry<number>[],
  vectors: readonly ScoredEntry<number>[],
  request: FusionRequest,
): ReadonlyMap<number, number> {
  const { settings, space } = request
  // One list alone keeps its own scores: scaled by a weight, none of them could pass the threshold.
  if (keywords.length === 0 || !settings.isHybrid) return new Map(vectors.map(({ id, score }) => [id, score]))
  const weight = (settings.vectorWeight ?? space.weight) * space.confidence
  const fuse = settings.fusion === 'rrf' ? fuseReciprocalRank : fuseWeighted
  return new Map(fuse([vectors, scaleByBest(keywords)], [weight, 1 - weight]).map(({ id, score }) => [id, score]))
}

/** Keyword and vector candidates as one list, best first, at most a pool of them. A file named by the query stays above all content. */
export function fuseCandidates(request: FusionRequest): readonly Candidate[] {
  const { keywords, vectors, space, settings } = request
  const loaded = new Map<number, LoadedChunk>([...vectors, ...keywords].map((entry) => [entry.chunk.id, entry]))
  const byWords = new Map(keywords.map((candidate) => [candidate.chunk.id, candidate]))
  const words = keywords.filter(({ raw }) => raw > 0).map(({ chunk, raw }) => ({ id: chunk.id, score: raw }))
  words.sort((left, right) => right.score - left.score)
  const near = joinOverlaps(
    settings.isHybrid ? words : [],
    vectors.map(({ chunk, score }) => ({ id: chunk.id, score })),
    (id) => placeOf(loaded.get(id) as LoadedChunk), // both lists were loaded
  )
  const similarities = new Map(near.map(({ id }, at) => [id, { rank: at + 1, similarity: vectors[at]?.similarity ?? 0 }]))
  const scores = fusedScores(words, near, request)
  const ids = new Set([...scores.keys(), ...keywords.filter(({ pathMatch }) => pathMatch).map(({ chunk }) => chunk.id)])
  const best = Math.max(0, ...scores.values())
  const fused = [...ids].map((id): Candidate => {
    const entry = loaded.get(id) as LoadedChunk
    const found = byWords.get(id)
    const similar = similarities.get(id)
    const content = scores.get(id) ?? 0
    const fused = found?.pathMatch ? leadOfName(found.pathMatch, { best, content }) : content
    return {
      raw: 0,
      ...found,
      chunk: entry.chunk,
      document: entry.document,
      comparable: entry.comparable,
      phraseKey: entry.phraseKey,
      ...(similar && { vectors: { ...similar, space: space.name } }),
      rank: 0,
      fused,
      score: fused,
    }
  })
  return cutPool(fused, settings.pool).map((candidate, at) => ({ ...candidate, rank: at + 1 }))
}
