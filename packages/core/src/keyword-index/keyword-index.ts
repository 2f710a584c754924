import { type StoredChunk, type StoredDocument, tieHash } from '@mnemark/spec'
import { type ChunkSnapshot, createChunkCache } from '../search/candidates/loaded-chunks.ts'
import { findByWords } from '../search/find-by-words.ts'
import { compareKeys } from '../keywords/format/key-order.ts'
import { compileQuery } from '../keywords/query/keyword-query.ts'
import { KeywordCache, KeywordReader, type SegmentSnapshot } from '../keywords/read/keyword-reader.ts'
import { SegmentBuilder } from '../keywords/build/segment-builder.ts'
import { weighQuery } from '../keywords/query/weigh-query.ts'

export interface KeywordHit {
  readonly id: string
  /** Share of the maximum score for the query, 0..1: around .9 for a short text that holds all of it. */
  readonly score: number
  /** Sum of `terms`; compare within one query only. */
  readonly bm25: number
  /** Contribution of each term, by the stream it was found in: `text` the word itself, `stem`, `gram`, … */
  readonly terms: readonly { readonly term: string; readonly stream: string; readonly part: number }[]
}

export interface KeywordIndexOptions {
  /** Present instant for "yesterday" in a query, in milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
  /** IANA name of the time zone. Default: the system's. */
  readonly timeZone?: string
}

/** An immutable keyword index over texts in memory. */
export interface KeywordIndex {
  /** Number of texts. */
  readonly size: number
  /** The best texts first, 10 where no `limit` is given; ties are ordered by id alone. */
  search(query: string, options?: { readonly limit?: number }): Promise<readonly KeywordHit[]>
}

const SEGMENT = 'texts'

/**
 * Indexes texts by id. Finds any word of a query in any of its forms, quoted phrases, `-words` and `prefix*`, as
 * `createMemory` does: BM25 (Robertson and Walker, 1994; k1 1.2, b .75) over weighted streams, times the share of the
 * query that a text covers. An id is a name too: a text whose name is the query comes first.
 */
export function keywordIndex(
  texts: Iterable<readonly [id: string, text: string]>,
  options: KeywordIndexOptions = {},
): KeywordIndex {
  const entries = [...new Map(texts)]
  const builder = new SegmentBuilder()
  for (const [id, text] of entries)
    builder.add({ text, context: [], ordinal: 0, hash: tieHash({ source: '', path: id }, 0), path: id, days: [] })
  const chunks = entries.map(([id, text], at) => chunkOf(id, text, at + 1))
  const { header, blocks } = builder.encode()(
    SEGMENT,
    chunks.map(({ id }) => id),
    [],
  )
  /** The last block whose first key is not above it; -1 before all. */
  const blockOf = (key: string): number => blocks.findLastIndex(({ firstKey }) => compareKeys(firstKey, key) <= 0)
  const snapshot: SegmentSnapshot & ChunkSnapshot = {
    segments: async () => [{ id: SEGMENT, header }],
    blocks: async (requests) => requests.map(({ keys }) => keys.flatMap((key) => blocks[blockOf(key)] ?? [])),
    async *scan(_, key) {
      const first = key === undefined ? 0 : blockOf(key)
      yield* blocks.slice(Math.max(0, first))
    },
    chunks: async (ids) => ids.flatMap((id) => chunks[id - 1] ?? []),
    documentsOf: async (ids) => ids.map(({ path }) => documentOf(path)),
  }
  const caches = { keywords: new KeywordCache(), chunks: createChunkCache() }
  return {
    size: entries.length,
    search: async (text, { limit = 10 } = {}) => {
      const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
      const query = compileQuery(text, { nowMs: (options.now ?? Date.now)(), timeZone })
      const reader = await KeywordReader.open(snapshot, caches.keywords)
      const words = await weighQuery(reader, query)
      const { candidates } = await findByWords(snapshot, reader, { chunks: caches.chunks, query, words, pool: limit })
      return candidates.slice(0, limit).map(({ chunk, score, keywords }) => ({
        id: chunk.document.path,
        score,
        bm25: keywords?.bm25 ?? 0,
        terms: (keywords?.parts ?? []).map(({ term, channel, part }) => ({ term, stream: channel, part })),
      }))
    },
  }
}

function documentOf(path: string): StoredDocument {
  return { source: '', path, size: 0, modifiedAtMs: 0, contentHash: '', recipe: '', isEvergreen: true }
}

function chunkOf(path: string, text: string, id: number): StoredChunk {
  const place = { document: { source: '', path }, ordinal: 0, startLine: 1, endLine: 1 }
  return { id, ...place, text, headingTrail: [], attributes: {}, inputs: [] }
}
