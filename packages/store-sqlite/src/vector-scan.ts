import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VectorCandidate } from '@mnemark/spec'
import type { Connection } from './connection.ts'
import { assertNotAborted, vectorFrom } from './values.ts'

/** Vectors between two looks at the signal and at other work of the process. */
const PAGE = 1_000

export interface ScanOptions {
  readonly space: number
  readonly query: Float32Array
  readonly limit: number
  readonly isWanted: (chunkId: number) => boolean
  readonly signal: AbortSignal | undefined
}

/** Runs work on the snapshot's connection; throws once the snapshot is gone. */
export type Read = <T>(work: (connection: Connection) => T) => T

/** The nearest chunks by exact cosine over all vectors of a space. */
export async function scanNearest(read: Read, options: ScanOptions): Promise<VectorCandidate[]> {
  const scored = await scoreInputs(read, options)
  scored.sort((left, right) => right.similarity - left.similarity)
  return read((connection) => bestChunks(connection, scored, options))
}

interface ScoredInput {
  readonly input: number
  readonly similarity: number
}

async function scoreInputs(read: Read, { space, query, signal }: ScanOptions): Promise<ScoredInput[]> {
  const queryLength = Math.hypot(...query)
  const scored: ScoredInput[] = []
  if (queryLength === 0) return scored
  const sql = `SELECT input, vector FROM vectors WHERE space = ? AND input > ? ORDER BY input LIMIT ${PAGE}`
  for (let last = 0; ; ) {
    assertNotAborted(signal)
    const rows = read((connection) => connection.rows<{ input: number; vector: Uint8Array | null }>(sql, space, last))
    for (const { input, vector } of rows) {
      const similarity = vector && cosine(vectorFrom(vector), query, queryLength)
      if (similarity !== null) scored.push({ input, similarity })
    }
    if (rows.length < PAGE) return scored
    last = rows.at(-1)?.input ?? last
    await nextTurn()
  }
}

/** Null for a vector without direction. */
function cosine(vector: Float32Array, query: Float32Array, queryLength: number): number | null {
  let dot = 0
  let squares = 0
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index] ?? 0
    dot += value * (query[index] ?? 0)
    squares += value * value
  }
  return squares > 0 ? dot / (Math.sqrt(squares) * queryLength) : null
}

/** Walks down the inputs until enough chunks are found, and through the last tie: equal scores are ordered by chunk id. */
function bestChunks(connection: Connection, scored: readonly ScoredInput[], { limit, isWanted }: ScanOptions): VectorCandidate[] {
  const best = new Map<number, number>()
  let lowest = Number.POSITIVE_INFINITY
  for (const { input, similarity } of scored) {
    if (best.size >= limit && similarity < lowest) break
    for (const chunkId of connection.values<number>('SELECT DISTINCT chunk FROM chunk_inputs WHERE input = ?', input)) {
      if (best.has(chunkId) || !isWanted(chunkId)) continue
      best.set(chunkId, similarity)
      lowest = similarity
    }
  }
  const candidates = [...best].map(([chunkId, similarity]) => ({ chunkId, similarity }))
  candidates.sort((left, right) => right.similarity - left.similarity || left.chunkId - right.chunkId)
  return candidates.slice(0, limit)
}
