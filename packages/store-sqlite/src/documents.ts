import type { DocumentId, StoredChunk, StoredDocument } from '@mnemark/spec'
import type { Connection } from './connection.ts'
import { partOf, WHOLE } from './values.ts'

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
  readonly source: string
  readonly path: string
  readonly part: number
  readonly ordinal: number
  readonly start_line: number
  readonly end_line: number
  readonly is_stub: number
  readonly text: string
  readonly heading_trail: string
  readonly attributes: string
  readonly unindexed: string | null
}

const CHUNK = `SELECT d.source, d.path, d.part, c.ordinal, c.start_line, c.end_line, c.is_stub, t.text, t.heading_trail, t.attributes, t.unindexed
  FROM chunks c JOIN chunk_texts t ON t.id = c.id JOIN documents d ON d.id = c.document WHERE c.id = ?`
const INPUTS = 'SELECT i.hash FROM chunk_inputs r JOIN inputs i ON i.id = r.input WHERE r.chunk = ? ORDER BY r.position'

export function findChunk(connection: Connection, id: number): StoredChunk | undefined {
  const row = connection.row<ChunkRow>(CHUNK, id)
  if (!row) return undefined
  return {
    id,
    document: { source: row.source, path: row.path, ...(row.part !== WHOLE && { part: row.part }) },
    ordinal: row.ordinal,
    startLine: row.start_line,
    endLine: row.end_line,
    text: row.text,
    headingTrail: row.heading_trail === '[]' ? [] : JSON.parse(row.heading_trail),
    attributes: row.attributes === '{}' ? {} : JSON.parse(row.attributes),
    ...(row.unindexed !== null && { unindexed: JSON.parse(row.unindexed) }),
    inputs: row.is_stub === 1 ? [] : connection.values<string>(INPUTS, id),
  }
}

export function chunkIdsOf(connection: Connection, document: DocumentId): number[] {
  const sql = `SELECT c.id FROM documents d JOIN chunks c ON c.document = d.id
    WHERE d.source = ? AND d.path = ? AND d.part = ? ORDER BY c.ordinal, c.id`
  return connection.values(sql, document.source, document.path, partOf(document))
}
