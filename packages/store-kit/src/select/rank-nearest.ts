import type { TiedChunk, VectorCandidate } from '@mnemark/spec'
import { compareTied } from '@mnemark/spec'

/** A chunk that may be among the nearest, with the vectors of its inputs; null and absent ones never rank. */
export interface NearChunk extends TiedChunk {
  readonly chunkId: number
  readonly vectors: readonly (Float32Array | null | undefined)[]
}

/** The `limit` chunks nearest to `query` in the order of `StoreSnapshot.nearest`, by comparing each. */
export function rankNearest(chunks: Iterable<NearChunk>, query: Float32Array, limit: number): readonly VectorCandidate[] {
  const ranked: (NearChunk & VectorCandidate)[] = []
  for (const chunk of chunks) {
    const similarity = bestSimilarity(chunk.vectors, query)
    if (similarity !== null) ranked.push({ ...chunk, similarity })
  }
  ranked.sort((left, right) => right.similarity - left.similarity || compareTied(left, right))
  return ranked.slice(0, limit).map(({ chunkId, similarity }) => ({ chunkId, similarity }))
}

/** Similarity of a chunk's best input; null where none can rank. */
function bestSimilarity(vectors: NearChunk['vectors'], query: Float32Array): number | null {
  let best: number | null = null
  for (const vector of vectors) {
    const similarity = vector ? cosine(vector, query) : null
    if (similarity !== null && (best === null || similarity > best)) best = similarity
  }
  return best
}

/** From -1 to 1; null for a vector of zeros, which has no direction. */
export function cosine(left: Float32Array, right: Float32Array): number | null {
  let dot = 0
  let leftSquares = 0
  let rightSquares = 0
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0
    dot += value * other
    leftSquares += value * value
    rightSquares += other * other
  }
  return leftSquares > 0 && rightSquares > 0 ? dot / Math.sqrt(leftSquares * rightSquares) : null
}
