import type { ChangeSet, DocumentId, NewChunk, SmallSegment, StoredDocument } from '@mnemark/spec'
import { canonicalJson } from '@mnemark/spec'
import { assertBlockOrder, assertChanges, assertSegments, documentKey, touchedDocument } from '@mnemark/store-kit'

/** The value under `document KEY`. */
export interface DocumentEntry {
  readonly document: StoredDocument
  readonly chunkIds: readonly number[]
}
/** The value under `segment ID`; bytes in base64. */
export interface SegmentEntry {
  readonly id: string
  readonly header: string
  readonly blocks: readonly (readonly [firstKey: string, bytes: string])[]
}

type Values = Map<string, string>

/** Refuses what JSON cannot hold, in place of keeping something else. */
const put = (values: Values, key: string, value: unknown): void => void values.set(key, canonicalJson(value))
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Removals first, then puts, then touches, then segments. */
export function applyChanges(values: Values, changes: ChangeSet): void {
  assertChanges(changes)
  const removed = [...changes.remove, ...changes.put.map(({ document }) => document)].flatMap((id) => take(values, id))
  const ids = new Map<NewChunk, number>()
  let last = Number(values.get('last chunk') ?? 0)
  for (const { document, chunks } of changes.put) {
    for (const chunk of chunks) {
      last += 1
      ids.set(chunk, last)
      put(values, `chunk ${last}`, { ...chunk, id: last })
    }
    put(values, `document ${documentKey(document)}`, { document, chunkIds: chunks.map((chunk) => ids.get(chunk)) })
  }
  values.set('last chunk', String(last))
  for (const stat of changes.touch) {
    const entry = entryOf(values, stat)
    if (entry) put(values, `document ${documentKey(stat)}`, { ...entry, document: touchedDocument(entry.document, stat) })
  }
  removed.sort((left, right) => left - right)
  for (const segment of assertSegments(changes.segments?.(ids, removed) ?? [])) addSegment(values, segment)
}

export function entryOf(values: ReadonlyMap<string, string>, id: DocumentId): DocumentEntry | undefined {
  const text = values.get(`document ${documentKey(id)}`)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Removes a document; the ids of its chunks. */
function take(values: Values, id: DocumentId): readonly number[] {
  const chunkIds = entryOf(values, id)?.chunkIds ?? []
  for (const chunkId of chunkIds) values.delete(`chunk ${chunkId}`)
  values.delete(`document ${documentKey(id)}`)
  return chunkIds
}

export function addSegment(values: Values, { id, header, blocks }: SmallSegment): void {
  if (values.has(`used ${id}`)) throw new TypeError(`Segment id ${JSON.stringify(id)} was used before; ids are never reused.`)
  assertBlockOrder(blocks)
  values.set(`used ${id}`, '')
  const entry: SegmentEntry = {
    id,
    header: base64(header),
    blocks: blocks.map(({ firstKey, bytes }) => [firstKey, base64(bytes)]),
  }
  put(values, `segment ${id}`, entry)
}

export function dropSegment(values: Values, id: string): void {
  if (!values.delete(`segment ${id}`)) throw new TypeError(`There is no segment ${JSON.stringify(id)} to drop.`)
}
