import { documentKey } from '@mnemark/spec'
import { fuseReciprocalRank, fuseWeighted } from '../../hybrid/fuse.ts'
import { joinOverlaps, type Place } from '../../hybrid/join-overlaps.ts'
import { scaleByBest, type ScoredEntry } from '../../hybrid/list-score.ts'
import type { Candidate } from './candidate.ts'
import { cutPool, leadOf, withLead } from './lead.ts'
import type { LoadedChunk } from './loaded-chunks.ts'
import type { SearchSettings } from '../search-settings.ts'
import type { QueryVector, VectorCandidate } from './vector-candidates.ts'

export interface FusionRequest {
  readonly keywords: readonly Candidate[]
  readonly vectors: readonly VectorCandidate[]
  /** Candidates by words that have no vector in the space. */
  readonly withoutVector: ReadonlySet<number>
  readonly space: QueryVector
  readonly settings: Pick<SearchSettings, 'fusion' | 'vectorWeight' | 'minScore' | 'pool' | 'vectorsOnly'>
}

function placeOf({ chunk }: LoadedChunk): Place {
  return { document: documentKey(chunk.document), startLine: chunk.startLine, endLine: chunk.endLine }
}

const VECTORS = 0

type Fused = Pick<Candidate, 'listScore' | 'fused'> & Pick<Candidate, 'fusion'>

/**
 * Orders candidates by the joined scores of both lists. These are shares of the best in this list, so they are not
 * comparable across questions, and a good keyword hit would look worse with a provider. The shown score is the one by
 * words, moved by the weight of the vectors towards a greater similarity, and no less than any score ranked below.
 */
function fuseScores(
  words: readonly ScoredEntry<number>[],
  near: readonly ScoredEntry<number>[],
  request: FusionRequest,
): ReadonlyMap<number, Fused> {
  const { settings, space, withoutVector } = request
  // A single list keeps its own scores: scaled by a weight, none of them could pass the threshold.
  if (words.length === 0 || settings.vectorsOnly)
    return new Map(near.map(({ id, score }) => [id, { listScore: score, fused: score }]))
  // The weight of the vectors shrinks with the model's confidence in the query.
  const weight = (settings.vectorWeight ?? space.weight) * space.confidence
  const isSilent = (list: number, id: number) => list === VECTORS && withoutVector.has(id)
  const [lists, weights] = [
    [near, scaleByBest(words)],
    [weight, 1 - weight],
  ] as const
  const joined =
    settings.fusion === 'rrf' ? fuseReciprocalRank(lists, weights, undefined, isSilent) : fuseWeighted(lists, weights, isSilent)
  const similarityOf = new Map(near.map(({ id, score }) => [id, score]))
  const wordsOf = new Map(request.keywords.map((candidate) => [candidate.chunk.id, candidate.words]))
  const fused = new Map<number, Fused>()
  let below = 0
  for (const { id, score: listScore } of joined.toReversed()) {
    const byWords = wordsOf.get(id) ?? 0
    const vectorWeight = isSilent(VECTORS, id) ? 0 : weight
    const similarity = similarityOf.get(id) ?? 0
    const own = byWords + vectorWeight * Math.max(0, similarity - byWords)
    // A candidate that the threshold will drop raises no other.
    if (byWords > 0 || listScore >= settings.minScore) below = Math.max(below, own)
    fused.set(id, {
      listScore,
      fused: Math.max(below, own),
      fusion: { vectorWeight, words: byWords, vectors: similarity, listScore },
    })
  }
  return fused
}

/**
 * Keyword and vector candidates as one list, best first, at most the size of the pool. A file named by the query ranks
 * above all content.
 */
export function fuseCandidates(request: FusionRequest): readonly Candidate[] {
  const { keywords, vectors, space, settings } = request
  const loaded = new Map<number, LoadedChunk>([...vectors, ...keywords].map((entry) => [entry.chunk.id, entry]))
  const byWords = new Map(keywords.map((candidate) => [candidate.chunk.id, candidate]))
  const words = keywords.filter(({ raw }) => raw > 0).map(({ chunk, raw }) => ({ id: chunk.id, score: raw }))
  words.sort((left, right) => right.score - left.score)
  const near = joinOverlaps(
    settings.vectorsOnly ? [] : words,
    vectors.map(({ chunk, score }) => ({ id: chunk.id, score })),
    (id) => placeOf(loaded.get(id) as LoadedChunk), // both lists were loaded
  )
  const similarities = new Map(near.map(({ id }, at) => [id, { rank: at + 1, similarity: vectors[at]?.similarity ?? 0 }]))
  const scores = fuseScores(words, near, request)
  const ids = new Set([...scores.keys(), ...keywords.filter(({ nameMatch }) => nameMatch).map(({ chunk }) => chunk.id)])
  const joined = [...ids].map((id): Candidate => {
    const entry = loaded.get(id) as LoadedChunk
    const found = byWords.get(id)
    const similar = similarities.get(id)
    const { fused, listScore, fusion } = scores.get(id) ?? { fused: 0, listScore: 0 }
    return {
      raw: 0,
      possible: 0,
      words: 0,
      ...found,
      chunk: entry.chunk,
      document: entry.document,
      comparable: entry.comparable,
      phraseKey: entry.phraseKey,
      ...(similar && { vectors: { ...similar, space: space.name } }),
      lead: leadOf(entry.chunk, found?.nameMatch),
      rank: 0,
      ...(fusion && { fusion }),
      listScore,
      fused,
      score: fused,
    }
  })
  return cutPool(withLead(joined), settings.pool).map((candidate, at) => ({ ...candidate, score: candidate.fused, rank: at + 1 }))
}
