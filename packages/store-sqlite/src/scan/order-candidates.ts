import type { TiedChunk, VectorCandidate } from '@mnemark/spec'
import { compareTied } from '@mnemark/spec'
import type { Read } from './space-codes.ts'

const TIED = `SELECT c.id, c.ordinal, coalesce(c.first_day, d.from_day, d.to_day) AS day, d.source, d.path, d.part
  FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.id = wanted.value JOIN documents d ON d.id = c.document`

interface TiedRow {
  readonly id: number
  readonly ordinal: number
  readonly day: string | null
  readonly source: string
  readonly path: string
  readonly part: number
}

/** The best `limit`, best first. Tie-breakers are read only for those among them or tied with the last. */
export function orderCandidates(read: Read, similarities: ReadonlyMap<number, number>, limit: number): VectorCandidate[] {
  const candidates = [...similarities].map(([chunkId, similarity]) => ({ chunkId, similarity }))
  candidates.sort((left, right) => right.similarity - left.similarity)
  const lowest = candidates[limit - 1]?.similarity ?? Number.NEGATIVE_INFINITY
  const near = candidates.filter(({ similarity }) => similarity >= lowest)
  const isTied = (at: number): boolean =>
    near[at]?.similarity === near[at - 1]?.similarity || near[at]?.similarity === near[at + 1]?.similarity
  const tied = readTied(
    read,
    near.filter((_, at) => isTied(at)).map(({ chunkId }) => chunkId),
  )
  const compare = (left: VectorCandidate, right: VectorCandidate): number => {
    const [a, b] = [tied.get(left.chunkId), tied.get(right.chunkId)]
    return right.similarity - left.similarity || (a && b ? compareTied(a, b) : 0)
  }
  return near.sort(compare).slice(0, limit)
}

function readTied(read: Read, chunks: readonly number[]): ReadonlyMap<number, TiedChunk> {
  if (chunks.length === 0) return new Map()
  const rows = read((connection) => connection.rows<TiedRow>(TIED, JSON.stringify(chunks)))
  return new Map(
    rows.map(({ id, ordinal, day, source, path, part }) => {
      const document = part < 0 ? { source, path } : { source, path, part }
      return [id, { document, ordinal, day: day ?? undefined }]
    }),
  )
}
