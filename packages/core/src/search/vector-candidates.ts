import type { CallOptions, ChunkFilter, StoredChunk, StoreSnapshot } from '@mnemark/spec'
import { vectorScore } from '../hybrid/list-score.ts'
import type { KeywordQuery } from '../keywords/keyword-query.ts'
import { judgeText, markFactor } from './keyword-candidates.ts'
import { type ChunkCache, type LoadedChunk, loadChunks } from './loaded-chunks.ts'

/** The vector of a query, and the space it may be compared in. */
export interface QueryVector {
  readonly fingerprint: string
  /** Of the space, as shown to people. */
  readonly name: string
  readonly vector: Float32Array
  /** How much of the query the model knows, 0..1. */
  readonly confidence: number
  /** Where fusion starts for this embedder, 0..1. */
  readonly weight: number
}

export interface VectorCandidate extends LoadedChunk {
  /** Cosine, above 0. */
  readonly similarity: number
  /** Similarity after the factor of the chunk's marks. */
  readonly score: number
}

export interface VectorRequest extends CallOptions {
  readonly chunks: ChunkCache
  readonly query: KeywordQuery
  readonly pool: number
  readonly filter?: ChunkFilter | undefined
}

/** The chunks nearest to the query, best first; the operators of the query hold for them as for all others. */
export async function vectorCandidates(
  snapshot: StoreSnapshot,
  { fingerprint, vector }: QueryVector,
  { chunks, query, pool, filter, signal }: VectorRequest,
): Promise<readonly VectorCandidate[]> {
  const near = await snapshot.nearest(fingerprint, vector, { limit: pool, signal, ...(filter && { filter }) })
  const similarities = new Map(near.map(({ chunkId, similarity }) => [chunkId, vectorScore(similarity)]))
  const loaded = await loadChunks(
    snapshot,
    near.map(({ chunkId }) => chunkId).filter((id) => (similarities.get(id) ?? 0) > 0),
    chunks,
  )
  return loaded
    .filter((entry) => judgeText(entry, query) !== false)
    .map((entry) => {
      const similarity = similarities.get(entry.chunk.id) ?? 0
      return { ...entry, similarity, score: similarity * markFactor(entry.chunk) }
    })
    .sort((left, right) => right.score - left.score)
}

/** Which of these chunks have no vector in the space: nothing has been embedded yet, was refused, or had nothing to say. */
export async function chunksWithoutVector(
  snapshot: StoreSnapshot,
  fingerprint: string,
  chunks: readonly StoredChunk[],
): Promise<ReadonlySet<number>> {
  const stored = await snapshot.vectors(fingerprint, [...new Set(chunks.flatMap(({ inputs }) => inputs))])
  return new Set(chunks.filter(({ inputs }) => !inputs.some((hash) => stored.get(hash))).map(({ id }) => id))
}
