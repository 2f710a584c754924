import { keyOf } from './channels.ts'
import type { KeywordReader } from './keyword-reader.ts'
import { exactPathTerm } from './path-terms.ts'

/** More files of one name (`README`) than this are a folder habit, not an answer. */
const MAX_SAME_NAMED = 500
/** Files that lead because of their name. */
const MAX_NAMED = 20

interface NamedFile {
  /** The ordinals of its chunks, [from, to). */
  readonly from: number
  to: number
  /** The first that is accepted. */
  lead: number | undefined
  /** Place of its best chunk among those found by content. */
  rank: number
}

export interface NamedRequest {
  /** See `KeywordQuery.name`. */
  readonly name: string
  readonly accepts: (chunkId: number) => boolean
  /** Chunks found by content, best first. */
  readonly found: readonly number[]
}

/** The chunks of all files with a key of names, file by file: a document's chunks follow each other. No chunk is read for it. */
async function filesOf(reader: KeywordReader, term: string, accepts: NamedRequest['accepts']): Promise<NamedFile[]> {
  const key = keyOf('name', term)
  const files: NamedFile[] = []
  for (const ordinal of (await reader.postings([key])).get(key)?.toPostings().ordinals ?? []) {
    let file = files.at(-1)
    if (file === undefined || reader.isFirst(ordinal)) {
      file = { from: ordinal, to: ordinal, lead: undefined, rank: Number.POSITIVE_INFINITY }
      files.push(file)
    }
    file.to = ordinal + 1
    if (file.lead === undefined && accepts(reader.idOf(ordinal))) file.lead = ordinal
  }
  return files
}

/** The best chunk by content speaks for its file, else the first one does. */
function noteFound(reader: KeywordReader, files: readonly NamedFile[], found: readonly number[]): void {
  found.forEach((id, rank) => {
    const ordinal = reader.ordinalOf(id) ?? -1
    const file = files.findLast(({ from }) => from <= ordinal)
    if (file === undefined || ordinal >= file.to || rank > file.rank) return
    file.rank = rank
    file.lead = ordinal
  })
}

async function leadsOf(reader: KeywordReader, term: string, { accepts, found }: NamedRequest): Promise<readonly number[]> {
  const files = (await filesOf(reader, term, accepts)).filter(({ lead }) => lead !== undefined)
  if (files.length > MAX_SAME_NAMED) return []
  noteFound(reader, files, found)
  const order = (left: NamedFile, right: NamedFile): number =>
    (left.rank === right.rank ? 0 : left.rank - right.rank) || reader.compareEquals(left.from, right.from)
  return files.sort(order).flatMap(({ lead }) => lead ?? [])
}

/** One chunk for each file whose path, base name or stem is the query: the best by content, else the first. A whole path comes first. */
export async function namedChunks(reader: KeywordReader, request: NamedRequest): Promise<ReadonlySet<number>> {
  if (request.name === '') return new Set()
  const exact = await leadsOf(reader, exactPathTerm(request.name), request)
  const named = await leadsOf(reader, request.name, request)
  return new Set([...new Set([...exact, ...named])].slice(0, MAX_NAMED).map((ordinal) => reader.idOf(ordinal)))
}
