import type { ChunkFilter, MemorySettings, SearchQuery, SearchReply, StoreSnapshot } from '@mnemark/spec'
import { compileQuery } from '../keywords/keyword-query.ts'
import { KeywordReader, type KeywordCache } from '../keywords/keyword-reader.ts'
import { keywordCandidates } from './keyword-candidates.ts'
import { makeHit } from './make-hit.ts'
import { rankCandidates } from './rank-candidates.ts'
import { searchSettings } from './search-settings.ts'
import { whyNot } from './why-not.ts'

export interface SearchContext {
  readonly settings: MemorySettings
  readonly cache: KeywordCache
  readonly sources: readonly string[]
  readonly now: () => number
}

/** What the pipeline answers; freshness and providers are the backend's to tell. */
export type PipelineReply = Pick<SearchReply, 'hits' | 'timing' | 'why'>

function isEmptyFilter(filter: ChunkFilter | undefined): boolean {
  return filter === undefined || Object.values(filter).every((value) => value === undefined)
}

async function acceptBy(
  snapshot: StoreSnapshot,
  filter: ChunkFilter | undefined,
): Promise<((chunkId: number) => boolean) | undefined> {
  if (filter === undefined || isEmptyFilter(filter)) return undefined
  const allowed = await snapshot.filter(filter)
  return (chunkId) => allowed.has(chunkId)
}

/** Times the stages of one search, in milliseconds. */
function createTimer(now: () => number): { readonly lap: (stage: string) => void; readonly timing: Record<string, number> } {
  const timing: Record<string, number> = {}
  let since = now()
  return {
    timing,
    lap: (stage) => {
      const at = now()
      timing[stage] = at - since
      since = at
    },
  }
}

/** query → analyse → keywords and paths → threshold → decay → repeats → MMR → top-k → snippet, on one snapshot. */
export async function searchMemory(
  snapshot: StoreSnapshot,
  request: SearchQuery,
  context: SearchContext,
): Promise<PipelineReply> {
  const settings = searchSettings(request, context.settings)
  const { lap, timing } = createTimer(context.now)
  const query = compileQuery(request.text)
  if (query.words.length === 0) return { hits: [], timing }
  const accepts = await acceptBy(snapshot, request.filter)
  const reader = await KeywordReader.open(snapshot, context.cache)
  lap('open')
  const candidates = await keywordCandidates(snapshot, reader, { query, pool: settings.pool, accepts, signal: request.signal })
  lap('keywords')
  request.signal?.throwIfAborted()
  const ranking = rankCandidates(candidates, settings, context.now())
  lap('rank')
  const hits = ranking.hits.map((hit) =>
    makeHit(hit, { query, settings, caller: request.caller, explain: request.explain ?? false }),
  )
  lap('snippets')
  if (!request.why) return { hits, timing }
  const why = await whyNot(snapshot, reader, {
    place: request.why,
    sources: context.sources,
    query,
    candidates,
    ranking,
    hits,
    accepts,
    signal: request.signal,
  })
  return { hits, timing, why }
}
