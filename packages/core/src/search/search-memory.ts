import type { ChunkFilter, Degradation, MemorySettings, SearchQuery, SearchReply, StoreSnapshot } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { compileQuery, type KeywordQuery, type QueryReading, withoutPhrases } from '../keywords/keyword-query.ts'
import type { KeywordTuning } from '../keywords/keyword-tuning.ts'
import { KeywordReader, type KeywordCache } from '../keywords/keyword-reader.ts'
import type { Candidate } from './candidate.ts'
import { type CandidateRequest, keywordCandidates } from './keyword-candidates.ts'
import { createHighlighter, type Match } from './highlight-matches.ts'
import type { ChunkCache } from './loaded-chunks.ts'
import { makeHit } from './make-hit.ts'
import { type ChunkVectors, leftBehindOf, rankCandidates } from './rank-candidates.ts'
import { type SearchSettings, searchSettings } from './search-settings.ts'
import { hasComeBy, standForVersions } from './stand-for-versions.ts'
import type { QueryVector } from './vector-candidates.ts'

export interface SearchContext {
  readonly settings: MemorySettings
  readonly cache: KeywordCache
  readonly chunks: ChunkCache
  readonly sources: readonly string[]
  readonly now: () => number
  readonly tuning?: KeywordTuning | undefined
  /** Asked once there is a word to look for; null = nothing to compare with. Never rejects but for the caller's signal. */
  readonly embedQuery?: (() => Promise<QueryVector | null>) | undefined
}

/** What the pipeline answers; freshness and providers are the backend's to tell. */
export type PipelineReply = Pick<SearchReply, 'hits' | 'timing' | 'why' | 'degraded'> & {
  readonly mode: 'hybrid' | 'keywords' | 'vectors'
}

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
    dateOrder: settings.dateOrder,
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

interface Found {
  readonly candidates: readonly Candidate[]
  readonly mode: PipelineReply['mode']
  readonly degraded: readonly Degradation[]
}

/** What the store cannot compare costs the vectors, never the words. */
function withoutVectors(candidates: readonly Candidate[], error: unknown, { name }: QueryVector): Found {
  if (!StoreError.isInstance(error)) throw error
  if (error.code === 'space-mismatch') {
    const message = `the vectors of ${name} are paused: ${error.message} These are keyword results.`
    return { candidates, mode: 'keywords', degraded: [{ code: 'space-paused', message }] }
  }
  if (error.code !== 'engine-missing' && error.code !== 'unsupported') throw error
  const message = `the vectors of ${name} cannot be searched: ${error.message} These are keyword results.`
  return { candidates, mode: 'keywords', degraded: [{ code: 'no-vector-scan', message }] }
}

async function addVectors(
  snapshot: StoreSnapshot,
  candidates: readonly Candidate[],
  request: {
    readonly chunks: ChunkCache
    readonly space: QueryVector
    readonly query: KeywordQuery
    readonly search: SearchQuery
    readonly settings: SearchSettings
  },
): Promise<Found> {
  const { chunks, space, query, search, settings } = request
  // Loaded with the first vector: keyword searches come and go without.
  const [{ vectorCandidates }, { fuseCandidates }] = await Promise.all([
    import('./vector-candidates.ts'),
    import('./fuse-candidates.ts'),
  ])
  const filter = isEmptyFilter(search.filter) ? undefined : search.filter
  try {
    const vectors = await vectorCandidates(snapshot, space, { chunks, query, pool: settings.pool, filter, signal: search.signal })
    const fused = fuseCandidates({ keywords: candidates, vectors, space, settings })
    return { candidates: fused, mode: settings.isHybrid ? 'hybrid' : 'vectors', degraded: [] }
  } catch (error) {
    return withoutVectors(candidates, error, space)
  }
}

/** What diversity compares; read only where it is asked for. */
async function vectorsOf(
  snapshot: StoreSnapshot,
  candidates: readonly Candidate[],
  fingerprint: string | undefined,
): Promise<ChunkVectors> {
  const vectors = new Map<number, Float32Array>()
  if (fingerprint === undefined) return vectors
  const stored = await snapshot.vectors(fingerprint, [...new Set(candidates.flatMap(({ chunk }) => chunk.inputs))])
  for (const { chunk } of candidates) {
    const vector = chunk.inputs.map((hash) => stored.get(hash)).find((each) => each)
    if (vector) vectors.set(chunk.id, vector)
  }
  return vectors
}

/** Versions and snippets look at the same texts. */
function onceForEachText(highlight: (text: string) => readonly Match[]): (text: string) => readonly Match[] {
  const known = new Map<string, readonly Match[]>()
  return (text) => {
    const found = known.get(text) ?? highlight(text)
    known.set(text, found)
    return found
  }
}

/** query → analyse → [keywords and paths ∥ vectors] → fuse → threshold → decay → repeats → MMR → top-k with versions → snippet, on one snapshot. */
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
    return { hits: [], mode: 'keywords', degraded: [], timing, ...(why && { why }) }
  }
  // The provider is asked first and answers last.
  const embedding = context.embedQuery?.()
  embedding?.catch(() => {})
  const accepts = await acceptBy(snapshot, request.filter)
  const reader = await KeywordReader.open(snapshot, context.cache)
  lap('open')
  const { query, candidates: byWords } = await findCandidates(snapshot, reader, {
    chunks: context.chunks,
    query: asked,
    pool: settings.pool,
    accepts,
    signal: request.signal,
  })
  lap('keywords')
  const space = await embedding
  if (embedding) lap('embed')
  request.signal?.throwIfAborted()
  const { candidates, mode, degraded } = space
    ? await addVectors(snapshot, byWords, { chunks: context.chunks, space, query, search: request, settings })
    : ({ candidates: byWords, mode: 'keywords', degraded: [] } as const)
  if (space) lap('vectors')
  const vectors = settings.mmr.enabled ? await vectorsOf(snapshot, candidates, space?.fingerprint) : new Map()
  const nowMs = context.now()
  const ranking = rankCandidates(candidates, settings, { nowMs, vectors })
  lap('rank')
  const highlight = onceForEachText(createHighlighter(query))
  const { hits: shown, stoodFor } = await standForVersions(ranking.ranked, settings.limit, {
    snapshot,
    reader,
    chunks: context.chunks,
    query,
    highlight,
    filter: request.filter,
    accepts,
    hasCome: hasComeBy(nowMs, () => queryReading(context).timeZone),
    signal: request.signal,
  })
  lap('versions')
  const hitRequest = { highlight, settings, caller: request.caller, explain: request.explain ?? false }
  const hits = shown.map((hit) => makeHit(hit, hitRequest))
  lap('snippets')
  const reply = { hits, mode, degraded, timing }
  if (!request.why) return reply
  const { whyNot } = await import('./why-not.ts')
  const why = await whyNot(snapshot, reader, {
    place: request.why,
    sources: context.sources,
    query,
    candidates,
    ranking,
    leftBehind: leftBehindOf(ranking, { shown: shown.map(({ hit }) => hit.chunk.id), stoodFor, limit: settings.limit }),
    shown,
    hits,
    accepts,
    space: space ?? undefined,
    signal: request.signal,
  })
  return { ...reply, why }
}
