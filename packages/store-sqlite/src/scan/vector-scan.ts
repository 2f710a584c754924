import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VectorCandidate } from '@mnemark/spec'
import { encodeQuery } from './code-memory.ts'
import type { Candidate } from './code-scan.ts'
import { findCandidates } from './code-scan.ts'
import { orderCandidates } from './order-candidates.ts'
import { candidateCounts } from './scan-strategy.ts'
import type { CodeView, Read, SpaceCodes } from './space-codes.ts'
import { packedCosine } from '../codec/vector-codes.ts'
import type { PackedRow } from '../vectors/vector-rows.ts'
import { readPacked, readPackedOf } from '../vectors/vector-rows.ts'

/** Rows between two yields to the event loop and checks of the signal: about 2 ms. */
const PAGE = 500
const CHUNKS_OF_INPUTS = `SELECT r.input, r.chunk FROM json_each(?) AS wanted CROSS JOIN chunk_inputs r ON r.input = wanted.value`

export interface ScanQuery {
  readonly space: number
  /** The query vector; not all zeros. */
  readonly vector: Float32Array
  /** Sum of its squares. */
  readonly squares: number
  readonly limit: number
  /** Chunks that pass a filter; null without one. */
  readonly matching: ReadonlySet<number> | null
  readonly signal: AbortSignal | undefined
}

interface ScoredInput {
  readonly input: number
  readonly similarity: number
}

interface Ranking {
  readonly chunks: VectorCandidate[]
  /** Number of inputs that were read for them. */
  readonly consumed: number
}

/** Ranks the candidates of the codes by their rows; takes more candidates where these were too few. */
export async function nearestByCodes(
  read: Read,
  query: ScanQuery,
  { codes, view }: { readonly codes: SpaceCodes; readonly view: CodeView },
): Promise<VectorCandidate[]> {
  const { memory } = codes
  const encoded = encodeQuery(query.vector)
  const isWanted = wantedInputs(read, query)
  for (let results = query.limit; ; results *= 4) {
    const counts = candidateCounts(results, memory.dimensions)
    const scan = { memory, frames: view.frames, query: encoded, counts, isWanted, signal: query.signal }
    const { found, areAll } = await findCandidates(scan)
    const scored = await scoreCandidates(read, query, { codes, found })
    const { chunks, consumed } = rankChunks(read, scored, query)
    // Too few where ties with the last chunk may be beyond the candidates, or the chunks took many more inputs than results.
    const isEnough = chunks.length === query.limit && consumed < scored.length && consumed <= 2 * results
    if (areAll || isEnough) return chunks
  }
}

async function scoreCandidates(
  read: Read,
  query: ScanQuery,
  { codes, found }: { readonly codes: SpaceCodes; readonly found: readonly Candidate[] },
): Promise<ScoredInput[]> {
  const inputs = new Map(found.map(({ id, input }) => [id, input]))
  return inPages([...inputs.keys()], query.signal, (ids) => {
    const rows = read((connection) => readPacked(connection, ids)).filter(({ id, input }) => inputs.get(id) === input)
    if (rows.length < ids.length) codes.noteDamage(ids, rows)
    return rows.map((row) => scoredRow(row, query))
  })
}

/** Whether one of the chunks of an input passes the filter; called only for the few inputs that would rank. */
function wantedInputs(read: Read, { matching }: ScanQuery): (input: number) => boolean {
  if (!matching) return () => true
  const sql = 'SELECT chunk FROM chunk_inputs WHERE input = ?'
  const known = new Map<number, boolean>()
  return (input) => {
    let isWanted = known.get(input)
    if (isWanted === undefined) {
      isWanted = read((connection) => connection.values<number>(sql, input)).some((chunk) => matching.has(chunk))
      known.set(input, isWanted)
    }
    return isWanted
  }
}

/** Exact search over the vectors of the chunks that pass the filter. */
export async function nearestOfMatching(read: Read, query: ScanQuery): Promise<VectorCandidate[]> {
  const best = new Map<number, number>()
  await inPages([...(query.matching ?? [])], query.signal, (chunks) => {
    for (const row of read((connection) => readPackedOf(connection, query.space, chunks))) {
      const similarity = packedCosine(row.bytes, query.vector, query.squares)
      if (similarity > (best.get(row.chunk) ?? Number.NEGATIVE_INFINITY)) best.set(row.chunk, similarity)
    }
    return []
  })
  return orderCandidates(read, best, query.limit)
}

/** Exact search over all vectors of the space. */
export async function nearestOfRows(read: Read, query: ScanQuery): Promise<VectorCandidate[]> {
  const sql = 'SELECT id FROM vectors WHERE space = ? AND bytes IS NOT NULL'
  const ids = read((connection) => connection.values<number>(sql, query.space))
  const scored = await inPages(ids, query.signal, (page) =>
    read((connection) => readPacked(connection, page)).map((row) => scoredRow(row, query)),
  )
  return rankChunks(read, scored, query).chunks
}

async function inPages<Result>(
  ids: readonly number[],
  signal: AbortSignal | undefined,
  work: (ids: readonly number[]) => readonly Result[],
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < ids.length; from += PAGE) {
    if (from > 0) await nextTurn()
    signal?.throwIfAborted()
    results.push(...work(ids.slice(from, from + PAGE)))
  }
  return results
}

function scoredRow({ input, bytes }: PackedRow, { vector, squares }: ScanQuery): ScoredInput {
  return { input, similarity: packedCosine(bytes, vector, squares) }
}

/** Reads inputs in order until enough chunks are found, and on through the last tie, since ids do not order ties. */
function rankChunks(read: Read, scored: readonly ScoredInput[], { limit, matching }: ScanQuery): Ranking {
  const inputs = scored.toSorted((left, right) => right.similarity - left.similarity)
  const chunksOf = chunkReader(read, inputs, limit)
  const best = new Map<number, number>()
  let lowest = Number.POSITIVE_INFINITY
  let consumed = 0
  for (const { input, similarity } of inputs) {
    if (best.size >= limit && similarity < lowest) break
    for (const chunkId of chunksOf(consumed++, input)) {
      if (best.has(chunkId) || (matching && !matching.has(chunkId))) continue
      best.set(chunkId, similarity)
      lowest = similarity
    }
  }
  return { chunks: orderCandidates(read, best, limit), consumed }
}

/** Reads the chunks of one input after the other, some at a time. */
function chunkReader(
  read: Read,
  inputs: readonly ScoredInput[],
  limit: number,
): (index: number, input: number) => readonly number[] {
  const size = limit + 1
  let page = new Map<number, number[]>()
  return (index, input) => {
    if (index % size === 0) {
      const wanted = inputs.slice(index, index + size).map((scored) => scored.input)
      page = new Map(wanted.map((each) => [each, []]))
      const rows = read((connection) =>
        connection.rows<{ readonly input: number; readonly chunk: number }>(CHUNKS_OF_INPUTS, JSON.stringify(wanted)),
      )
      for (const row of rows) page.get(row.input)?.push(row.chunk)
    }
    return page.get(input) ?? []
  }
}
