import type { ChunkFilter, MemorySettings, SearchQuery, SearchReply, StoreSnapshot } from '@mnemark/spec'
import { compileQuery, type KeywordQuery, type QueryReading, withoutPhrases } from '../keywords/keyword-query.ts'
import type { KeywordTuning } from '../keywords/keyword-tuning.ts'
import { KeywordReader, type KeywordCache } from '../keywords/keyword-reader.ts'
import type { Candidate } from './candidate.ts'
import { type CandidateRequest, keywordCandidates } from './keyword-candidates.ts'
import { createHighlighter } from './highlight-matches.ts'
import { makeHit } from './make-hit.ts'
import { rankCandidates } from './rank-candidates.ts'
import { searchSettings } from './search-settings.ts'

export interface SearchContext {
  readonly settings: MemorySettings
  readonly cache: KeywordCache
  readonly sources: readonly string[]
  readonly now: () => number
  readonly tuning?: KeywordTuning | undefined
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

export function queryReading({ settings, now, tuning }: Pick<SearchContext, 'settings' | 'now' | 'tuning'>): QueryReading {
  return {
    nowMs: now(),
    get timeZone() {
      return settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    },
    ...(tuning && { tuning }),
  }
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

/** In a sentence with a quoted name that no chunk holds, the name's words still count. */
async function findCandidates(
  snapshot: StoreSnapshot,
  reader: KeywordReader,
  request: CandidateRequest,
): Promise<{ readonly query: KeywordQuery; readonly candidates: readonly Candidate[] }> {
  const { query } = request
  const candidates = await keywordCandidates(snapshot, reader, request)
  if (candidates.length > 0 || query.phrases.length === 0 || query.isPhraseOnly) return { query, candidates }
  const relaxed = withoutPhrases(query)
  return { query: relaxed, candidates: await keywordCandidates(snapshot, reader, { ...request, query: relaxed }) }
}

/** query → analyse → keywords and paths → threshold → decay → repeats → MMR → top-k → snippet, on one snapshot. */
export async function searchMemory(
  snapshot: StoreSnapshot,
  request: SearchQuery,
  context: SearchContext,
): Promise<PipelineReply> {
  const settings = searchSettings(request, context.settings)
  const { lap, timing } = createTimer(context.now)
  const asked = compileQuery(request.text, queryReading(context))
  if (asked.words.length === 0) {
    const why = request.why && ({ reason: 'no-match', detail: 'The query holds no word to look for.' } as const)
    return { hits: [], timing, ...(why && { why }) }
  }
  const accepts = await acceptBy(snapshot, request.filter)
  const reader = await KeywordReader.open(snapshot, context.cache)
  lap('open')
  const { query, candidates } = await findCandidates(snapshot, reader, {
    query: asked,
    pool: settings.pool,
    accepts,
    signal: request.signal,
  })
  lap('keywords')
  request.signal?.throwIfAborted()
  const ranking = rankCandidates(candidates, settings, context.now())
  lap('rank')
  const hitRequest = { highlight: createHighlighter(query), settings, caller: request.caller, explain: request.explain ?? false }
  const hits = ranking.hits.map((hit) => makeHit(hit, hitRequest))
  lap('snippets')
  if (!request.why) return { hits, timing }
  const { whyNot } = await import('./why-not.ts')
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
