import type { ChangeSet, DocumentStat, KeywordBlock, NewChunk, SmallSegment, StoredDocument } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import { compareUtf8 } from './byte-order.ts'

/**
 * Throws TypeError for a change set that no store may accept: a document or a chunk object twice, a chunk of another
 * document, a field of the wrong type. Call it before anything is written.
 */
export function assertChanges({ put, touch }: Pick<ChangeSet, 'put' | 'touch'>): void {
  const documents = new Set<string>()
  const chunks = new Set<NewChunk>()
  for (const { document, chunks: ofDocument } of put) {
    const key = documentKey(document)
    if (documents.has(key)) throw new TypeError(`${document.path} is put twice in one change set.`)
    documents.add(key)
    assertDocument(document)
    for (const chunk of ofDocument) {
      if (chunks.has(chunk)) throw new TypeError(`The same chunk object stands twice in one change set (${document.path}).`)
      chunks.add(chunk)
      if (documentKey(chunk.document) !== key) throw new TypeError(`A chunk of another document was put with ${document.path}.`)
      assertChunk(chunk)
    }
  }
  for (const stat of touch) {
    assertStat(stat)
    if (stat.recipe !== undefined && typeof stat.recipe !== 'string')
      throw new TypeError(`The recipe of ${stat.path} must be a string.`)
  }
}

/** Returns the list from `ChangeSet.segments`. Throws TypeError for a promise: it would leave the transaction. */
export function assertSegments(added: readonly SmallSegment[]): readonly SmallSegment[] {
  if (!Array.isArray(added)) throw new TypeError('`segments` must return a list, at once: a promise would leave the transaction.')
  return added
}

/** Throws TypeError where first keys do not ascend by their UTF-8 bytes. */
export function assertBlockOrder(blocks: readonly Pick<KeywordBlock, 'firstKey'>[]): void {
  for (const [index, { firstKey }] of blocks.entries()) {
    const previous = blocks[index - 1]
    if (previous && compareUtf8(previous.firstKey, firstKey) >= 0)
      throw new TypeError(`Blocks must come in the byte order of their first keys; block ${index} does not.`)
  }
}

function assertStat(stat: DocumentStat): void {
  if (typeof stat.source !== 'string' || typeof stat.path !== 'string')
    throw new TypeError('A document needs a source and a path.')
  if (!Number.isSafeInteger(stat.size)) throw new TypeError(`size of ${stat.path} must be a whole number, got ${stat.size}.`)
  if (!Number.isFinite(stat.modifiedAtMs))
    throw new TypeError(`modifiedAtMs of ${stat.path} must be a number, got ${stat.modifiedAtMs}.`)
  if (stat.part !== undefined && !(Number.isSafeInteger(stat.part) && stat.part >= 0))
    throw new TypeError(`part of ${stat.path} must be a whole number from 0, got ${stat.part}.`)
}

function assertDocument(document: StoredDocument): void {
  assertStat(document)
  if (typeof document.contentHash !== 'string' || typeof document.recipe !== 'string')
    throw new TypeError(`${document.path} needs a content hash and a recipe.`)
}

function assertChunk({ document, text, ordinal, startLine, endLine }: NewChunk): void {
  if (typeof text !== 'string') throw new TypeError(`A chunk of ${document.path} has no text.`)
  for (const number of [ordinal, startLine, endLine])
    if (!Number.isSafeInteger(number))
      throw new TypeError(`A chunk of ${document.path} has a number that is not whole: ${number}.`)
}
