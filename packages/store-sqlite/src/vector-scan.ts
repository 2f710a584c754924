import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VectorCandidate } from '@mnemark/spec'
import { encodeQuery } from './code-memory.ts'
import { findCandidates } from './code-scan.ts'
import type { Connection } from './connection.ts'
import { candidateCounts } from './scan-strategy.ts'
import type { CodeView, Read, SpaceCodes } from './space-codes.ts'
import { assertNotAborted } from './values.ts'
import { packedCosine } from './vector-codes.ts'
import { readPacked, readPackedOf } from './vector-rows.ts'

/** Rows between two looks at the signal and at other work of the process. */
const PAGE = 500

export interface ScanQuery {
  readonly space: number
  /** Not all zeros. */
  readonly vector: Float32Array
  readonly limit: number
  /** Chunks a filter lets pass; null without one. */
  readonly matching: ReadonlySet<number> | null
  readonly signal: AbortSignal | undefined
}

interface ScoredInput {
  readonly input: number
  readonly similarity: number
}

/** What the codes point at, ranked by the rows; more of it where that was too little. */
export async function nearestByCodes(
  read: Read,
  query: ScanQuery,
  { codes, view }: { readonly codes: SpaceCodes; readonly view: CodeView },
): Promise<VectorCandidate[]> {
  const encoded = encodeQuery(query.vector)
  const isWanted = wantedInputs(read, query)
  for (let results = query.limit; ; results *= 4) {
    const counts = candidateCounts(results, query.vector.length)
    const scan = { memory: codes.memory, frames: view.frames, query: encoded, counts, isWanted, signal: query.signal }
    const { found, areAll } = await findCandidates(scan)
    const scored = await inSlices(found, query.signal, ({ id, input }) => {
      const row = read((connection) => readPacked(connection, id))
      if (row?.input === input) return scoredRow(row, query.vector)
      codes.damagedVectors.add(id)
      return undefined
    })
    scored.sort((left, right) => right.similarity - left.similarity)
    const { chunks, consumed } = read((connection) => bestChunks(connection, scored, query))
    // Not enough where ties with the last chunk may lie beyond the candidates, or the chunks took many more inputs than results.
    const isEnough = chunks.length === query.limit && consumed < scored.length && consumed <= 2 * results
    if (areAll || isEnough) return chunks
  }
}

/** Whether one of the chunks of an input passes the filter; asked of few inputs only, those that would rank. */
function wantedInputs(read: Read, { matching }: ScanQuery): (input: number) => boolean {
  if (!matching) return () => true
  const known = new Map<number, boolean>()
  return (input) => {
    let isWanted = known.get(input)
    if (isWanted === undefined) {
      isWanted = read((connection) => chunksOfInput(connection, input)).some((chunk) => matching.has(chunk))
      known.set(input, isWanted)
    }
    return isWanted
  }
}

/** Exactly, over the vectors of the chunks that pass the filter. */
export async function nearestOfMatching(read: Read, query: ScanQuery): Promise<VectorCandidate[]> {
  const candidates = await inSlices([...(query.matching ?? [])], query.signal, (chunkId) => {
    const rows = read((connection) => readPackedOf(connection, query.space, chunkId))
    const similarities = rows.map((row) => scoredRow(row, query.vector).similarity)
    return similarities.length > 0 ? { chunkId, similarity: Math.max(...similarities) } : undefined
  })
  return candidates.sort(byRank).slice(0, query.limit)
}

/** Exactly, over all vectors of the space. */
export async function nearestOfRows(read: Read, query: ScanQuery): Promise<VectorCandidate[]> {
  const ids = read((connection) =>
    connection.values<number>('SELECT id FROM vectors WHERE space = ? AND bytes IS NOT NULL', query.space),
  )
  const scored = await inSlices(ids, query.signal, (id) => {
    const row = read((connection) => readPacked(connection, id))
    return row && scoredRow(row, query.vector)
  })
  scored.sort((left, right) => right.similarity - left.similarity)
  return read((connection) => bestChunks(connection, scored, query)).chunks
}

async function inSlices<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal | undefined,
  work: (item: Item) => Result | undefined,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    const result = work(item)
    if (result !== undefined) results.push(result)
    if (index % PAGE < PAGE - 1) continue
    await nextTurn()
    assertNotAborted(signal)
  }
  return results
}

function scoredRow({ input, bytes }: { readonly input: number; readonly bytes: Uint8Array }, query: Float32Array): ScoredInput {
  return { input, similarity: packedCosine(bytes, query) }
}

/** Walks down the inputs until enough chunks are found, and through the last tie: equal scores are ordered by chunk id. */
function bestChunks(
  connection: Connection,
  scored: readonly ScoredInput[],
  { limit, matching }: ScanQuery,
): { readonly chunks: VectorCandidate[]; readonly consumed: number } {
  const best = new Map<number, number>()
  let lowest = Number.POSITIVE_INFINITY
  let consumed = 0
  for (const { input, similarity } of scored) {
    if (best.size >= limit && similarity < lowest) break
    consumed++
    for (const chunkId of chunksOfInput(connection, input)) {
      if (best.has(chunkId) || (matching && !matching.has(chunkId))) continue
      best.set(chunkId, similarity)
      lowest = similarity
    }
  }
  const candidates = [...best].map(([chunkId, similarity]) => ({ chunkId, similarity }))
  return { chunks: candidates.sort(byRank).slice(0, limit), consumed }
}

function chunksOfInput(connection: Connection, input: number): number[] {
  return connection.values<number>('SELECT DISTINCT chunk FROM chunk_inputs WHERE input = ?', input)
}

function byRank(left: VectorCandidate, right: VectorCandidate): number {
  return right.similarity - left.similarity || left.chunkId - right.chunkId
}
