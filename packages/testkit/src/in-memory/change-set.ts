import type { ChangeSet, DocumentId, DocumentStat, KeywordBlock, NewChunk, SmallSegment, StoredDocument } from '@mnemark/spec'
import { compareUtf8 } from './byte-order.ts'
import type { DocumentEntry, StoreState } from './store-state.ts'
import { documentKey, frozenCopy, referencedInputs } from './store-state.ts'

/** The state after a change set: removals first, then puts, then touches, then segments. Throws without any effect on `state`. */
export function applyChanges(state: StoreState, changes: ChangeSet): StoreState {
  assertPuts(changes.put)
  const documents = new Map(state.documents)
  const chunks = new Map(state.chunks)
  const removed: number[] = []
  const removeDocument = (id: DocumentId): void => {
    const entry = documents.get(documentKey(id))
    if (!entry) return
    documents.delete(documentKey(id))
    for (const chunkId of entry.chunkIds) chunks.delete(chunkId)
    removed.push(...entry.chunkIds)
  }
  for (const id of changes.remove) removeDocument(id)
  for (const { document } of changes.put) removeDocument(document)

  const ids = new Map<NewChunk, number>()
  let lastChunkId = state.lastChunkId
  for (const put of changes.put) {
    const chunkIds: number[] = []
    for (const chunk of put.chunks) {
      const id = ++lastChunkId
      ids.set(chunk, id)
      chunkIds.push(id)
      chunks.set(id, frozenCopy({ ...chunk, id }))
    }
    documents.set(documentKey(put.document), { document: frozenCopy(put.document), chunkIds })
  }
  for (const stat of changes.touch) touch(documents, stat)
  removed.sort((left, right) => left - right)

  const added = changes.segments?.(ids, removed) ?? []
  const next = addSegments({ ...state, documents, chunks, lastChunkId }, added)
  return stampUnreferenced(state, next, removed)
}

function touch(documents: Map<string, DocumentEntry>, stat: DocumentStat): void {
  assertStat(stat)
  const entry = documents.get(documentKey(stat))
  if (!entry) return
  const { inode: _inode, version: _version, ...content } = entry.document
  const { size, modifiedAtMs, inode, version } = stat
  documents.set(documentKey(stat), {
    ...entry,
    document: frozenCopy({
      ...content,
      size,
      modifiedAtMs,
      ...(inode !== undefined && { inode }),
      ...(version !== undefined && { version }),
    }),
  })
}

/** Inputs that just lost their last chunk are cache from now on: the moment is their last use. */
function stampUnreferenced(before: StoreState, after: StoreState, removed: readonly number[]): StoreState {
  if (removed.length === 0) return after
  const referenced = referencedInputs(after)
  const uses = new Map(after.uses)
  const lastUse = after.lastUse + 1
  for (const id of removed) {
    for (const hash of before.chunks.get(id)?.inputs ?? []) if (!referenced.has(hash)) uses.set(hash, lastUse)
  }
  return { ...after, uses, lastUse }
}

export function addSegments(state: StoreState, added: readonly SmallSegment[]): StoreState {
  if (!Array.isArray(added)) throw new TypeError('`segments` must return a list, at once: a promise would leave the transaction.')
  if (added.length === 0) return state
  const segments = new Map(state.segments)
  const usedSegmentIds = new Set(state.usedSegmentIds)
  for (const { id, header, blocks } of added) {
    if (usedSegmentIds.has(id)) throw new TypeError(`Segment id ${JSON.stringify(id)} was used before; ids are never reused.`)
    usedSegmentIds.add(id)
    segments.set(id, { header: header.slice(), blocks: copyBlocks(blocks) })
  }
  return { ...state, segments, usedSegmentIds }
}

function copyBlocks(blocks: readonly KeywordBlock[]): readonly KeywordBlock[] {
  return blocks.map(({ firstKey, bytes }, index) => {
    const previous = blocks[index - 1]
    if (previous && compareUtf8(previous.firstKey, firstKey) >= 0) {
      throw new TypeError(`Blocks must come in the byte order of their first keys; block ${index} does not.`)
    }
    return { firstKey, bytes: bytes.slice() }
  })
}

function assertPuts(puts: ChangeSet['put']): void {
  const documents = new Set<string>()
  const chunks = new Set<NewChunk>()
  for (const put of puts) {
    const key = documentKey(put.document)
    if (documents.has(key)) throw new TypeError(`${put.document.path} is put twice in one change set.`)
    documents.add(key)
    assertDocument(put.document)
    for (const chunk of put.chunks) {
      if (chunks.has(chunk)) throw new TypeError(`The same chunk object stands twice in one change set (${put.document.path}).`)
      chunks.add(chunk)
      if (documentKey(chunk.document) !== key)
        throw new TypeError(`A chunk of another document was put with ${put.document.path}.`)
      assertChunk(chunk)
    }
  }
}

function assertStat(stat: DocumentStat): void {
  if (typeof stat.source !== 'string' || typeof stat.path !== 'string')
    throw new TypeError('A document needs a source and a path.')
  if (!Number.isSafeInteger(stat.size)) throw new TypeError(`size of ${stat.path} must be a whole number, got ${stat.size}.`)
  if (!Number.isFinite(stat.modifiedAtMs))
    throw new TypeError(`modifiedAtMs of ${stat.path} must be a number, got ${stat.modifiedAtMs}.`)
  if (stat.part !== undefined && !(Number.isSafeInteger(stat.part) && stat.part >= 0)) {
    throw new TypeError(`part of ${stat.path} must be a whole number from 0, got ${stat.part}.`)
  }
}

function assertDocument(document: StoredDocument): void {
  assertStat(document)
  if (typeof document.contentHash !== 'string' || typeof document.recipe !== 'string') {
    throw new TypeError(`${document.path} needs a content hash and a recipe.`)
  }
}

function assertChunk(chunk: NewChunk): void {
  if (typeof chunk.text !== 'string') throw new TypeError(`A chunk of ${chunk.document.path} has no text.`)
  for (const number of [chunk.ordinal, chunk.startLine, chunk.endLine]) {
    if (!Number.isSafeInteger(number))
      throw new TypeError(`A chunk of ${chunk.document.path} has a number that is not whole: ${number}.`)
  }
}
