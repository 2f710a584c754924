import type { CallOptions, ChunkFilter, StoredChunk, StoreSnapshot } from '@mnemark/spec'
import { vectorScore } from '../../hybrid/list-score.ts'
import type { KeywordQuery } from '../../keywords/query/keyword-query.ts'
import { judgeText, markFactor } from './keyword-candidates.ts'
import { type ChunkCache, type LoadedChunk, loadChunks } from './loaded-chunks.ts'

/** The vector of a query, and the space it may be compared in. */
export interface QueryVector {
  readonly fingerprint: string
  /** Name of the space, as shown to people. */
  readonly name: string
  readonly vector: Float32Array
  /** How much of the query the model knows, 0..1. */
  readonly confidence: number
  /** Weight from which fusion starts for this embedder, 0..1. */
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
  readonly filter?: ChunkFilter | undefined
}

/** Results of `nearest`, with the chunks that may be shown. */
interface Near {
  readonly similarities: ReadonlyMap<number, number>
  readonly loaded: readonly LoadedChunk[]
}

/**
 * The vector side of one search. It reads the store ahead of need, so that a remote one is awaited in parallel with the
 * keywords.
 */
export class NearChunks {
  readonly space: QueryVector
  readonly #snapshot: StoreSnapshot
  readonly #request: VectorRequest
  readonly #found = new Map<number, Promise<Near>>()
  readonly #near = new Set<number>()
  /** Vectors by the hash of their input, where there are any. */
  readonly #looked = new Map<string, Promise<ReadonlyMap<string, Float32Array | null>>>()

  constructor(snapshot: StoreSnapshot, space: QueryVector, request: VectorRequest) {
    this.#snapshot = snapshot
    this.space = space
    this.#request = request
  }

  /** Starts the search for the nearest chunks; callers that need the result await it, and get its error. */
  lookFor(pool: number): Promise<Near> {
    const known = this.#found.get(pool)
    if (known) return known
    const found = this.#find(pool)
    found.catch(() => {})
    this.#found.set(pool, found)
    return found
  }

  async #find(pool: number): Promise<Near> {
    const { chunks, filter, signal } = this.#request
    const { fingerprint, vector } = this.space
    const near = await this.#snapshot.nearest(fingerprint, vector, { limit: pool, signal, ...(filter && { filter }) })
    for (const { chunkId } of near) this.#near.add(chunkId)
    const similarities = new Map(near.map(({ chunkId, similarity }) => [chunkId, vectorScore(similarity)]))
    const shown = near.map(({ chunkId }) => chunkId).filter((id) => (similarities.get(id) ?? 0) > 0)
    return { similarities, loaded: await loadChunks(this.#snapshot, shown, chunks) }
  }

  /** The chunks nearest to the query, best first; the operators of the query apply to them as to all others. */
  async candidates(query: KeywordQuery, pool: number): Promise<readonly VectorCandidate[]> {
    const { similarities, loaded } = await this.lookFor(pool)
    return loaded
      .filter((entry) => judgeText(entry, query) !== false)
      .map((entry) => {
        const similarity = similarities.get(entry.chunk.id) ?? 0
        return { ...entry, similarity, score: similarity * markFactor(entry.chunk) }
      })
      .sort((left, right) => right.score - left.score)
  }

  /** Starts the check which of these chunks have a vector; the nearest have one. */
  lookUp(chunks: readonly StoredChunk[]): void {
    const inputs = chunks.flatMap(({ id, inputs }) => (this.#near.has(id) ? [] : inputs))
    const unknown = [...new Set(inputs)].filter((hash) => !this.#looked.has(hash))
    if (unknown.length === 0) return
    const looked = this.#snapshot.vectors(this.space.fingerprint, unknown)
    looked.catch(() => {})
    for (const hash of unknown) this.#looked.set(hash, looked)
  }

  /** Chunks without a vector in the space: not embedded yet, refused, or blank. */
  async withoutVector(chunks: readonly StoredChunk[]): Promise<ReadonlySet<number>> {
    this.lookUp(chunks)
    const without = new Set<number>()
    for (const { id, inputs } of chunks) {
      const vectors = await Promise.all(inputs.map(async (hash) => (await this.#looked.get(hash))?.get(hash)))
      if (!this.#near.has(id) && !vectors.some((vector) => vector)) without.add(id)
    }
    return without
  }
}
