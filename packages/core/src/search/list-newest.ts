import type { CallOptions, ChunkFilter, StoreSnapshot } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import type { KeywordQuery } from '../keywords/query/keyword-query.ts'
import { type Candidate, UNRANKED } from './candidates/candidate.ts'
import { judgeText } from './candidates/keyword-candidates.ts'
import { type ChunkCache, loadChunks } from './candidates/loaded-chunks.ts'

const PAGE = 200

export interface ListRequest extends CallOptions {
  readonly filter: ChunkFilter
  readonly limit: number
  /** Only its excluded words apply. */
  readonly query: KeywordQuery
  readonly chunks: ChunkCache
}

/** The newest documents that pass a filter, each by its first chunk that does. Nothing is compared, so the score is 0. */
export async function listNewest(snapshot: StoreSnapshot, request: ListRequest): Promise<readonly Candidate[]> {
  const { filter, limit, query, chunks, signal } = request
  const listed = new Map<string, Candidate>()
  for (let after: number | undefined; listed.size < limit; ) {
    signal?.throwIfAborted()
    const page = await snapshot.select(filter, { order: 'newest', limit: PAGE, ...(after !== undefined && { after }) })
    const fresh = page.filter(({ document }) => !listed.has(documentKey(document)))
    // Read in small steps: most pages hold more documents than `limit`.
    for (let at = 0; at < fresh.length && listed.size < limit; at += limit) {
      const ids = fresh.slice(at, at + limit).map(({ id }) => id)
      for (const loaded of await loadChunks(snapshot, ids, chunks)) {
        const key = documentKey(loaded.document)
        if (listed.size >= limit || listed.has(key) || judgeText(loaded, query) === false) continue
        listed.set(key, { ...loaded, ...UNRANKED, rank: listed.size + 1 })
      }
    }
    if (page.length < PAGE) break
    after = page.at(-1)?.id
  }
  return [...listed.values()]
}
