import type { ChunkAttributes, DocumentId, SelectedChunk, StoredChunk, StoredDocument } from '@mnemark/spec'
import { assertChecksum, chunkChecksum, damaged } from '../codec/checksum.ts'
import type { Checksum } from '../codec/checksum.ts'
import type { Connection } from '../connection/connection.ts'
import { partOf, WHOLE } from '../codec/values.ts'

export const DOCUMENT_PAGE = 500

interface DocumentRow {
  readonly id: number
  readonly source: string
  readonly path: string
  readonly part: number
  readonly size: number
  readonly modified_at_ms: number
  readonly inode: string | null
  readonly version: string | null
  readonly content_hash: string
  readonly recipe: string
  readonly title: string | null
  readonly from_day: string | null
  readonly to_day: string | null
  readonly date_reason: NonNullable<StoredDocument['dateReason']> | null
  readonly is_evergreen: number
  readonly properties: string | null
}

const COLUMNS = `id, source, path, part, size, modified_at_ms, inode, version, content_hash, recipe, title, from_day, to_day,
  date_reason, is_evergreen, properties`

/** The next documents by internal number, so that an iteration holds no statement open. */
export function documentPage(connection: Connection, after: number, source: string | undefined): DocumentRow[] {
  if (source === undefined)
    return connection.rows(`SELECT ${COLUMNS} FROM documents WHERE id > ? ORDER BY id LIMIT ${DOCUMENT_PAGE}`, after)
  const sql = `SELECT ${COLUMNS} FROM documents WHERE id > ? AND +source = ? ORDER BY id LIMIT ${DOCUMENT_PAGE}`
  return connection.rows(sql, after, source)
}

export function findDocument(connection: Connection, id: DocumentId): StoredDocument | undefined {
  const sql = `SELECT ${COLUMNS} FROM documents WHERE source = ? AND path = ? AND part = ?`
  const row = connection.row<DocumentRow>(sql, id.source, id.path, partOf(id))
  return row && toDocument(row)
}

export function findDocumentNumber(connection: Connection, id: DocumentId): number | undefined {
  return connection.value<number>(
    'SELECT id FROM documents WHERE source = ? AND path = ? AND part = ?',
    id.source,
    id.path,
    partOf(id),
  )
}

export function toDocument(row: DocumentRow): StoredDocument {
  return {
    source: row.source,
    path: row.path,
    ...(row.part !== WHOLE && { part: row.part }),
    size: row.size,
    modifiedAtMs: row.modified_at_ms,
    ...(row.inode !== null && { inode: row.inode }),
    ...(row.version !== null && { version: row.version }),
    contentHash: row.content_hash,
    recipe: row.recipe,
    ...(row.title !== null && { title: row.title }),
    ...(row.from_day !== null && { from: row.from_day }),
    ...(row.to_day !== null && { to: row.to_day }),
    ...(row.date_reason !== null && { dateReason: row.date_reason }),
    isEvergreen: row.is_evergreen === 1,
    ...(row.properties !== null && { properties: JSON.parse(row.properties) }),
  }
}

interface ChunkRow {
  readonly document: number
  readonly ordinal: number
  readonly start_line: number
  readonly end_line: number
  readonly is_stub: number
  readonly entities: string | null
  readonly tags: string | null
}
interface TextRow {
  readonly text: string
  readonly heading_trail: string
  readonly attributes: string
  readonly unindexed: string | null
  readonly checksum: Checksum
}

const CHUNK = 'SELECT document, ordinal, start_line, end_line, is_stub, entities, tags FROM chunks WHERE id = ?'
const TEXT = 'SELECT text, heading_trail, attributes, unindexed, checksum FROM chunk_texts WHERE id = ?'

/**
 * Chunks in the order of `ids`, unknown ones left out. Uses one single-row statement per table: measured, a join of
 * three tables by row id takes three times as long as three look-ups.
 */
export function findChunks(connection: Connection, ids: readonly number[]): StoredChunk[] {
  const documentOf = documentLookUp(connection)
  return ids.flatMap((id) => {
    const row = connection.row<ChunkRow>(CHUNK, id)
    if (!row) return []
    const text = connection.row<TextRow>(TEXT, id)
    const document = documentOf(row.document)
    if (!text || !document) throw damaged(`a chunk has lost its ${text ? 'document' : 'text'}`)
    return [toChunk({ id, document, row, text, inputs: row.is_stub === 1 ? [] : inputsOf(connection, id) })]
  })
}

/** Chunks in the form of a list, in the order of `ids`; their texts are not read. */
export function findPlaces(connection: Connection, ids: readonly number[]): SelectedChunk[] {
  const documentOf = documentLookUp(connection)
  return ids.map((id) => {
    const row = connection.row<ChunkRow>(CHUNK, id)
    const attributes = connection.value<string>('SELECT attributes FROM chunk_texts WHERE id = ?', id)
    const document = row && documentOf(row.document)
    if (!document || attributes === undefined) throw damaged(`a chunk has lost its ${document ? 'text' : 'document'}`)
    const { ordinal, start_line: startLine, end_line: endLine } = row
    return { id, document, ordinal, startLine, endLine, attributes: attributesOf(attributes) }
  })
}

function documentLookUp(connection: Connection): (number: number) => DocumentId | undefined {
  const documents = new Map<number, DocumentId | undefined>()
  return (number) => {
    if (!documents.has(number)) documents.set(number, documentId(connection, number))
    return documents.get(number)
  }
}

function attributesOf(json: string): ChunkAttributes {
  return json === '{}' ? {} : JSON.parse(json)
}

function labelsOf({ entities, tags }: ChunkRow): Pick<StoredChunk, 'labels'> {
  if (entities === null && tags === null) return {}
  return {
    labels: { ...(entities !== null && { entities: JSON.parse(entities) }), ...(tags !== null && { tags: JSON.parse(tags) }) },
  }
}

function documentId(connection: Connection, number: number): DocumentId | undefined {
  const sql = 'SELECT source, path, part FROM documents WHERE id = ?'
  const row = connection.row<Required<DocumentId>>(sql, number)
  return row && { source: row.source, path: row.path, ...(row.part !== WHOLE && { part: row.part }) }
}

function inputsOf(connection: Connection, chunk: number): string[] {
  const inputs = connection.values<number>('SELECT input FROM chunk_inputs WHERE chunk = ? ORDER BY position', chunk)
  return inputs.flatMap((input) => connection.value<string>('SELECT hash FROM inputs WHERE id = ?', input) ?? [])
}

export function chunkIdsOf(connection: Connection, document: DocumentId): number[] {
  const sql = `SELECT c.id FROM documents d JOIN chunks c ON c.document = d.id
    WHERE d.source = ? AND d.path = ? AND d.part = ? ORDER BY c.ordinal, c.id`
  return connection.values(sql, document.source, document.path, partOf(document))
}

/** Throws StoreError `corrupt` where the number of chunks differs from the stored one. */
export function assertCount(connection: Connection, chunks: number): void {
  const kept = connection.value<number>("SELECT value FROM counters WHERE name = 'chunks'")
  if (kept !== undefined && kept !== chunks) throw damaged(`it should hold ${kept} chunks and holds ${chunks}`)
}

interface ChunkParts {
  readonly id: number
  readonly document: DocumentId
  readonly row: ChunkRow
  readonly text: TextRow
  readonly inputs: readonly string[]
}

function toChunk({ id, document, row, text, inputs }: ChunkParts): StoredChunk {
  assertChecksum(text.checksum, () => checksumOf(row, text), `a chunk of ${document.path}`)
  return {
    id,
    document,
    ordinal: row.ordinal,
    startLine: row.start_line,
    endLine: row.end_line,
    text: text.text,
    headingTrail: text.heading_trail === '[]' ? [] : JSON.parse(text.heading_trail),
    attributes: attributesOf(text.attributes),
    ...labelsOf(row),
    ...(text.unindexed !== null && { unindexed: JSON.parse(text.unindexed) }),
    inputs,
  }
}

function checksumOf(row: ChunkRow, { heading_trail: headingTrail, ...text }: TextRow): number {
  return chunkChecksum({ ...text, headingTrail, ordinal: row.ordinal, startLine: row.start_line, endLine: row.end_line })
}
