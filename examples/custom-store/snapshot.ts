import type { ChunkFilter, KeywordBlock, StoredChunk, StoreSnapshot } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { assertLimit, blocksFrom, createChunkMatcher, findBlocks, selectPage, snapshotWithoutVectors } from '@mnemark/store-kit'
import { type DocumentEntry, entryOf, type SegmentEntry } from './apply-changes.ts'

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

/** The state that `values` is; nobody changes that map. */
export function snapshotOf(values: ReadonlyMap<string, string>, assertOpen: () => void): StoreSnapshot {
  let isReleased = false
  const read = (): ReadonlyMap<string, string> => {
    assertOpen()
    if (isReleased) throw new StoreError('closed', 'The snapshot was released.')
    return values
  }
  const find = <T>(key: string): T | undefined => {
    const text = read().get(key)
    return text === undefined ? undefined : JSON.parse(text)
  }
  const all = <T>(prefix: string): readonly T[] =>
    [...read()].flatMap(([key, text]) => (key.startsWith(prefix) ? JSON.parse(text) : []))
  const chunks = (ids: readonly number[]): readonly StoredChunk[] => ids.flatMap((id) => find<StoredChunk>(`chunk ${id}`) ?? [])
  const matching = (filter: ChunkFilter): readonly StoredChunk[] => {
    const passes = createChunkMatcher(filter)
    return all<StoredChunk>('chunk ').filter((chunk) => passes(chunk.document, chunk))
  }
  const blocksOf = (segment: string): readonly KeywordBlock[] => {
    const entry = find<SegmentEntry>(`segment ${segment}`)
    if (!entry) throw new TypeError(`No segment ${JSON.stringify(segment)} in this snapshot.`)
    return entry.blocks.map(([firstKey, bytes]) => ({ firstKey, bytes: bytesOf(bytes) }))
  }
  return {
    ...snapshotWithoutVectors,
    counts: async () => ({
      documents: all('document ').length,
      chunks: all<StoredChunk>('chunk ').filter(({ inputs }) => inputs.length > 0).length,
    }),
    async *documents(source) {
      for (const { document } of all<DocumentEntry>('document ')) {
        read()
        if (source === undefined || document.source === source) yield document
      }
    },
    documentsOf: async (ids) => ids.flatMap((id) => entryOf(read(), id)?.document ?? []),
    chunks: async (ids) => chunks(ids),
    chunksOf: async (document) =>
      [...chunks(entryOf(read(), document)?.chunkIds ?? [])].sort((left, right) => left.ordinal - right.ordinal),
    filter: async (filter) => new Set(matching(filter).map(({ id }) => id)),
    async select(filter, options) {
      assertLimit(options.limit)
      return selectPage(matching(filter), options)
    },
    segments: async () => all<SegmentEntry>('segment ').map(({ id, header }) => ({ id, header: bytesOf(header) })),
    blocks: async (requests) => requests.map(({ segment, keys }) => findBlocks(blocksOf(segment), keys)),
    async *scan(segment, key) {
      for (const block of blocksFrom(blocksOf(segment), key)) {
        read()
        yield block
      }
    },
    release: () => {
      isReleased = true
    },
  }
}
