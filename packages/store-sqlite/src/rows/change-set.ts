import type { ChangeSet, DocumentId, NewChunk, StoredDocument } from '@mnemark/spec'
import { canonicalJson, documentKey } from '@mnemark/spec'
import { chunkChecksum } from '../codec/checksum.ts'
import type { Connection } from '../connection/connection.ts'
import { findDocumentNumber } from './documents.ts'
import { InputReferences } from '../vectors/input-references.ts'
import { insertSegment } from './segments.ts'
import { dayRange, partOf } from '../codec/values.ts'

/** Removals first, then puts, then touches, then segments. Call it inside one transaction. */
export function applyChanges(connection: Connection, changes: ChangeSet): void {
  assertConsistent(changes.put)
  const references = new InputReferences(connection)
  const removed: number[] = []
  for (const id of changes.remove) removed.push(...removeDocument(connection, references, id))

  const ids = new Map<NewChunk, number>()
  for (const { document, chunks } of changes.put) {
    const number = putDocument(connection, document)
    removed.push(...removeChunks(connection, references, number))
    for (const chunk of chunks) ids.set(chunk, insertChunk(connection, references, number, chunk))
  }
  for (const stat of changes.touch) touchDocument(connection, stat)
  references.settle()
  countChunks(connection, ids.size - removed.length)

  removed.sort((left, right) => left - right)
  const segments = changes.segments?.(ids, removed) ?? []
  if (!Array.isArray(segments))
    throw new TypeError('`segments` must return a list, at once: a promise would leave the transaction.')
  for (const segment of segments) insertSegment(connection, segment)
}

/** The number is stored, so that lost rows are noticed without reading all. The health check updates it too. */
function countChunks(connection: Connection, difference: number): void {
  if (difference !== 0) connection.run("UPDATE counters SET value = value + ? WHERE name = 'chunks'", difference)
}

function assertConsistent(puts: ChangeSet['put']): void {
  const documents = new Set<string>()
  const chunks = new Set<NewChunk>()
  for (const put of puts) {
    const key = documentKey(put.document)
    if (documents.has(key)) throw new TypeError(`${put.document.path} is put twice in one change set.`)
    documents.add(key)
    for (const chunk of put.chunks) {
      if (chunks.has(chunk)) throw new TypeError(`The same chunk object stands twice in one change set (${put.document.path}).`)
      chunks.add(chunk)
      if (documentKey(chunk.document) !== key)
        throw new TypeError(`A chunk of another document was put with ${put.document.path}.`)
    }
  }
}

function removeDocument(connection: Connection, references: InputReferences, id: DocumentId): number[] {
  const number = findDocumentNumber(connection, id)
  if (number === undefined) return []
  const removed = removeChunks(connection, references, number)
  connection.run('DELETE FROM documents WHERE id = ?', number)
  return removed
}

function removeChunks(connection: Connection, references: InputReferences, document: number): number[] {
  const ids = connection.values<number>('SELECT id FROM chunks WHERE document = ?', document)
  for (const id of ids) {
    references.remove(id)
    connection.run('DELETE FROM chunk_texts WHERE id = ?', id)
  }
  if (ids.length > 0) connection.run('DELETE FROM chunks WHERE document = ?', document)
  return ids
}

const PUT_DOCUMENT = `INSERT INTO documents (source, path, part, size, modified_at_ms, inode, version, content_hash, recipe, title,
    from_day, to_day, date_reason, is_evergreen, properties)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (source, path, part) DO UPDATE SET size = excluded.size, modified_at_ms = excluded.modified_at_ms,
    inode = excluded.inode, version = excluded.version, content_hash = excluded.content_hash, recipe = excluded.recipe,
    title = excluded.title, from_day = excluded.from_day, to_day = excluded.to_day, date_reason = excluded.date_reason,
    is_evergreen = excluded.is_evergreen, properties = excluded.properties
  RETURNING id`

function putDocument(connection: Connection, document: StoredDocument): number {
  const number = connection.value<number>(
    PUT_DOCUMENT,
    document.source,
    document.path,
    partOf(document),
    document.size,
    document.modifiedAtMs,
    document.inode ?? null,
    document.version ?? null,
    document.contentHash,
    document.recipe,
    document.title ?? null,
    document.from ?? null,
    document.to ?? null,
    document.dateReason ?? null,
    Number(document.isEvergreen),
    document.properties === undefined ? null : canonicalJson(document.properties),
  )
  if (number === undefined) throw new TypeError(`${document.path} could not be put.`)
  return number
}

const INSERT_CHUNK = `INSERT INTO chunks (document, ordinal, start_line, end_line, is_stub, first_day, last_day, kind, session, audience,
    entities, tags) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const INSERT_TEXT = 'INSERT INTO chunk_texts (id, text, heading_trail, attributes, unindexed, checksum) VALUES (?, ?, ?, ?, ?, ?)'

function insertChunk(connection: Connection, references: InputReferences, document: number, chunk: NewChunk): number {
  const { attributes } = chunk
  const { first, last } = dayRange(attributes)
  const { id } = connection.run(
    INSERT_CHUNK,
    document,
    chunk.ordinal,
    chunk.startLine,
    chunk.endLine,
    Number(chunk.inputs.length === 0),
    first,
    last,
    attributes.kind ?? null,
    attributes.session ?? null,
    attributes.audience ?? null,
    listed(chunk.labels?.entities),
    listed(chunk.labels?.tags),
  )
  const unindexed = chunk.unindexed === undefined ? null : canonicalJson(chunk.unindexed)
  const [headingTrail, attributesText] = [canonicalJson(chunk.headingTrail), canonicalJson(attributes)]
  const checksum = chunkChecksum({ ...chunk, headingTrail, attributes: attributesText, unindexed })
  connection.run(INSERT_TEXT, id, chunk.text, headingTrail, attributesText, unindexed, checksum)
  references.add(id, chunk.inputs)
  return id
}

function listed(labels: readonly string[] | undefined): string | null {
  return labels === undefined || labels.length === 0 ? null : JSON.stringify(labels)
}

function touchDocument(connection: Connection, stat: ChangeSet['touch'][number]): void {
  connection.run(
    `UPDATE documents SET size = ?, modified_at_ms = ?, inode = ?, version = ?, recipe = coalesce(?, recipe)
      WHERE source = ? AND path = ? AND part = ?`,
    stat.size,
    stat.modifiedAtMs,
    stat.inode ?? null,
    stat.version ?? null,
    stat.recipe ?? null,
    stat.source,
    stat.path,
    partOf(stat),
  )
}
