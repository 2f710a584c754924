import type { DocumentId, StoredChunk, StoredDocument, StoreSnapshot } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import { fileTitle } from '../../document/names/file-title.ts'
import { damagedSegment } from '../../keywords/format/damaged-segment.ts'
import { phraseKey } from '../../keywords/query/phrase.ts'
import { type ComparableText, comparable, once } from '../../repeats/same-text.ts'
import { indexedText } from '../../chunk/context.ts'
import { SizedCache } from '../../sized-cache.ts'

/** The part of a snapshot that holds texts. */
export type ChunkSnapshot = Pick<StoreSnapshot, 'chunks' | 'documentsOf'>

/** A chunk with its document, and its text in comparable form. */
export interface LoadedChunk {
  readonly chunk: StoredChunk
  readonly document: StoredDocument
  readonly comparable: ComparableText
  /** Headings and text in the form for phrase search. */
  readonly phraseKey: () => string
}

/** Memory limit of the cache, as characters of text; other data of an entry counts as much as a short chunk. */
const MAX_CHARACTERS = 4_000_000
const ENTRY_CHARACTERS = 800

/** Chunks read for earlier searches; evicts the least recently used. Ids are never reused, so nothing here grows stale. */
export type ChunkCache = SizedCache<number, LoadedChunk>

export function createChunkCache(maxCharacters: number = MAX_CHARACTERS): ChunkCache {
  return new SizedCache(maxCharacters, ({ chunk }) => chunk.text.length + ENTRY_CHARACTERS)
}

export function loadedChunk(chunk: StoredChunk, document: StoredDocument): LoadedChunk {
  const indexed = indexedText(chunk.text, chunk.unindexed)
  const context = [document.title ?? fileTitle(document.path), ...chunk.headingTrail].join('\n')
  return {
    chunk,
    document,
    // A stub, headings only, has no indexed text: two stubs are equal when their headings are.
    comparable: comparable(indexed || chunk.text),
    phraseKey: once(() => phraseKey(`${context}\n${indexed}`)),
  }
}

async function readChunks(
  snapshot: ChunkSnapshot,
  ids: readonly number[],
  onRead: ((chunks: readonly StoredChunk[]) => void) | undefined,
): Promise<readonly LoadedChunk[]> {
  if (ids.length === 0) return []
  const chunks = await snapshot.chunks(ids)
  onRead?.(chunks)
  if (chunks.length < ids.length) throw damagedSegment(`${ids.length - chunks.length} chunks it names are gone`)
  const wanted = new Map<string, DocumentId>(chunks.map(({ document }) => [documentKey(document), document]))
  const documents = new Map(
    (await snapshot.documentsOf([...wanted.values()])).map((document) => [documentKey(document), document]),
  )
  return chunks.map((chunk) => {
    const document = documents.get(documentKey(chunk.document))
    // One snapshot holds both: a chunk without its document is damage, and skipping it would lose a hit in silence.
    if (!document) throw damagedSegment(`a chunk of ${chunk.document.path} has lost its document`)
    return loadedChunk(chunk, document)
  })
}

/**
 * The chunks of these ids, in their order. Throws StoreError `corrupt` where one is gone. `onRead` gets the uncached
 * ones before their documents are read.
 */
export async function loadChunks(
  snapshot: ChunkSnapshot,
  ids: readonly number[],
  cache: ChunkCache,
  onRead?: (chunks: readonly StoredChunk[]) => void,
): Promise<readonly LoadedChunk[]> {
  const known = new Map(ids.flatMap((id) => cache.get(id) ?? []).map((entry) => [entry.chunk.id, entry]))
  const read = await readChunks(
    snapshot,
    ids.filter((id) => !known.has(id)),
    onRead,
  )
  for (const entry of read) {
    known.set(entry.chunk.id, entry)
    cache.set(entry.chunk.id, entry)
  }
  return ids.flatMap((id) => known.get(id) ?? [])
}
