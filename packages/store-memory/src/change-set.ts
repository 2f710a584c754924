import type { ChangeSet, DocumentId, KeywordBlock, NewChunk, SmallSegment } from '@mnemark/spec'
import { assertBlockOrder, assertChanges, assertSegments, documentKey, frozenCopy, touchedDocument } from '@mnemark/store-kit'
import type { DocumentEntry, StoreState } from './store-state.ts'
import { referencedInputs } from './store-state.ts'

/** The state after a change set: removals first, then puts, then touches, then segments. Throws without any effect on `state`. */
export function applyChanges(state: StoreState, changes: ChangeSet): StoreState {
  assertChanges(changes)
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

  const added = assertSegments(changes.segments?.(ids, removed) ?? [])
  const next = addSegments({ ...state, documents, chunks, lastChunkId }, added)
  return stampUnreferenced(state, next, removed)
}

function touch(documents: Map<string, DocumentEntry>, stat: ChangeSet['touch'][number]): void {
  const entry = documents.get(documentKey(stat))
  if (entry) documents.set(documentKey(stat), { ...entry, document: frozenCopy(touchedDocument(entry.document, stat)) })
}

/** Inputs that just lost their last chunk become cache entries: this moment is their last use. */
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
  assertBlockOrder(blocks)
  return blocks.map(({ firstKey, bytes }) => ({ firstKey, bytes: bytes.slice() }))
}
