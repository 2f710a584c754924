import type {
  ChunkFilter,
  Degradation,
  MemorySettings,
  SearchQuery,
  SearchReply,
  StoredChunk,
  StoreSnapshot,
} from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { compileQuery, type KeywordQuery, type QueryReading } from '../keywords/query/keyword-query.ts'
import { foreseenKeys } from '../keywords/query/foreseen-keys.ts'
import type { KeywordTuning } from '../keywords/query/keyword-tuning.ts'
import { weighQuery } from '../keywords/query/weigh-query.ts'
import { contentShare, worthOfWords } from '../keywords/query/question-worth.ts'
import { KeywordReader, type KeywordCache } from '../keywords/read/keyword-reader.ts'
import { filterRemarks } from '../query/filter-remarks.ts'
import type { Condition } from '../query/read-query.ts'
import type { Candidate } from './candidates/candidate.ts'
import { allExcluded, findByWords, relaxedNames } from './find-by-words.ts'
import { keywordCandidates } from './candidates/keyword-candidates.ts'
import { createHighlighter, type Match } from './highlight-matches.ts'
import type { ChunkCache } from './candidates/loaded-chunks.ts'
import { makeHit } from './hits/make-hit.ts'
import { type ChunkVectors, leftBehindOf, rankAgain, rankCandidates } from './rank-candidates.ts'
import type { RerankStage } from './rerank/rerank-aged.ts'
import { type SearchSettings, searchSettings } from './search-settings.ts'
import { mayHoldTranslations } from './candidates/translated-pages.ts'
import type { TranslationRequest } from './candidates/translations.ts'
import { hasComeBy, standForVersions } from './versions/stand-for-versions.ts'
import { NearChunks, type QueryVector } from './candidates/vector-candidates.ts'
import { listNewest } from './list-newest.ts'
import { fuseCandidates } from './candidates/fuse-candidates.ts'
import { whyNot } from './hits/why-not.ts'

export interface SearchContext {
  readonly settings: MemorySettings
  readonly cache: KeywordCache
  readonly chunks: ChunkCache
  readonly sources: readonly string[]
  readonly now: () => number
  readonly tuning?: KeywordTuning | undefined
  /** The filter values of the query as given: see `readQuery`. */
  readonly conditions?: readonly Condition[]
  /** Called once there is a word to search; null = nothing to compare with. Rejects only when the caller's signal aborts. */
  readonly embedQuery?: (() => Promise<QueryVector | null>) | undefined
  readonly rerank?: RerankStage | undefined
}

/** Reply of the pipeline; the backend adds freshness and providers. */
export type PipelineReply = Pick<SearchReply, 'hits' | 'timing' | 'why' | 'degraded'> & {
  readonly mode: 'hybrid' | 'keywords' | 'vectors'
}

interface Passing {
  readonly accepts: (chunkId: number) => boolean
  readonly size: number
}

async function passing(snapshot: StoreSnapshot, filter: ChunkFilter | undefined): Promise<Passing | undefined> {
  if (filter === undefined) return undefined
  const allowed = await snapshot.filter(filter)
  return { accepts: (chunkId) => allowed.has(chunkId), size: allowed.size }
}

export function queryReading(
  { settings, now, tuning }: Pick<SearchContext, 'settings' | 'now' | 'tuning'>,
  isFiltered = false,
): QueryReading {
  return {
    nowMs: now(),
    get timeZone() {
      return settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    },
    dateOrder: settings.dateOrder,
    ...(tuning && { tuning }),
    isFiltered,
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
      timing[stage] = (timing[stage] ?? 0) + at - since
      since = at
    },
  }
}

interface Found {
  readonly candidates: readonly Candidate[]
  readonly mode: PipelineReply['mode']
  readonly degraded: readonly Degradation[]
}

/** An error of the store about vectors drops the vector results, never those by words. */
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

/** Fuses candidates by words with the nearest by vector. */
export async function addVectors(
  candidates: readonly Candidate[],
  request: {
    readonly near: NearChunks
    readonly query: KeywordQuery
    readonly settings: SearchSettings
  },
): Promise<Found> {
  const { near, query, settings } = request
  const { space } = near
  try {
    const vectors = await near.candidates(query, settings.pool)
    const found = new Set(vectors.map(({ chunk }) => chunk.id))
    const withoutVector = await near.withoutVector(candidates.flatMap(({ chunk }) => (found.has(chunk.id) ? [] : chunk)))
    const fused = fuseCandidates({ keywords: candidates, vectors, withoutVector, space, settings })
    return { candidates: fused, mode: settings.vectorsOnly ? 'vectors' : 'hybrid', degraded: [] }
  } catch (error) {
    return withoutVectors(candidates, error, space)
  }
}

function nearChunksOf(
  snapshot: StoreSnapshot,
  space: QueryVector | null,
  { filter, signal }: SearchQuery,
  chunks: ChunkCache,
): NearChunks | undefined {
  if (space === null) return undefined
  return new NearChunks(snapshot, space, { chunks, filter, signal })
}

/** The language detector is loaded only for pages that may be translations, which are rare. */
async function placeTranslations(snapshot: StoreSnapshot, request: TranslationRequest): Promise<readonly Candidate[]> {
  if (!mayHoldTranslations(request.candidates)) return request.candidates
  const { holdBackTranslations } = await import('./candidates/translations.ts')
  return holdBackTranslations(snapshot, request)
}

/** Vectors that diversity compares; read only where it is enabled. */
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

/** Caches matches by text: versions and snippets read the same texts. */
function onceForEachText(highlight: (text: string) => readonly Match[]): (text: string) => readonly Match[] {
  const known = new Map<string, readonly Match[]>()
  return (text) => {
    const found = known.get(text) ?? highlight(text)
    known.set(text, found)
    return found
  }
}

/** Growth of the pool: repeats and held-back hits may fill it while places are free. */
const POOL_GROWTH = 5
const MAX_WIDE_POOL = 5_000

/** query → analyse → [keywords and paths ∥ vectors] → fuse → threshold → decay → rerank → repeats → MMR → top-k with versions → snippet, on one snapshot. */
export async function searchMemory(
  snapshot: StoreSnapshot,
  request: SearchQuery,
  context: SearchContext,
): Promise<PipelineReply> {
  const settings = searchSettings(request, context.settings)
  const { lap, timing } = createTimer(context.now)
  const asked = compileQuery(request.text, queryReading(context, request.filter !== undefined))
  if (asked.words.length === 0) return listOrNothing(snapshot, request, { context, settings, query: asked })
  // The provider is called first and answers last.
  const embedding = context.embedQuery?.()
  embedding?.catch(() => {})
  const { pool: firstPool } = settings
  let near: NearChunks | undefined
  const nearest = embedding?.then((space) => nearChunksOf(snapshot, space, request, context.chunks))
  nearest?.then(
    (found) => {
      near = found
      near?.lookFor(firstPool)
    },
    () => {},
  )
  // Independent reads run in parallel: a store may be remote.
  const [allowed, reader] = await Promise.all([
    passing(snapshot, request.filter),
    KeywordReader.open(snapshot, context.cache, foreseenKeys(asked)),
  ])
  const accepts = allowed?.accepts
  lap('open')
  const nowMs = context.now()
  const words = await weighQuery(reader, asked)
  const candidateRequest = {
    chunks: context.chunks,
    query: asked,
    words,
    pool: settings.pool,
    accepts,
    signal: request.signal,
    onRead: (read: readonly StoredChunk[]) => near?.lookUp(read),
  }
  const find = async (pool: number) => {
    const byWords = await findByWords(snapshot, reader, { ...candidateRequest, pool })
    const { query } = byWords
    lap('keywords')
    const space = await embedding
    if (embedding) lap('embed')
    request.signal?.throwIfAborted()
    const vectorSide = await nearest
    const found = vectorSide
      ? await addVectors(byWords.candidates, { near: vectorSide, query, settings: { ...settings, pool } })
      : ({ candidates: byWords.candidates, mode: 'keywords', degraded: [] } as const)
    if (space) lap('vectors')
    const { text } = request
    const candidates = await placeTranslations(snapshot, {
      candidates: found.candidates,
      query,
      text,
      language: settings.language,
    })
    const vectors = settings.mmr.enabled ? await vectorsOf(snapshot, candidates, space?.fingerprint) : new Map()
    const ranking = rankCandidates(candidates, settings, { nowMs, vectors })
    lap('rank')
    return { ...found, query, space, relaxed: byWords.relaxed, candidates, ranking, vectors }
  }
  let { pool } = settings
  let found = await find(pool)
  // One value for every limit up to 10, like the pool: their answers are beginnings of one list.
  const places = Math.max(settings.limit, 10)
  while (found.ranking.distinct < places && found.candidates.length >= pool && pool < MAX_WIDE_POOL) {
    pool *= POOL_GROWTH
    found = await find(pool)
  }
  const { query, space, relaxed, candidates, mode, vectors } = found
  let { ranking, degraded } = found
  // Once a search, whatever the pool has grown to.
  if (context.rerank && settings.rerank) {
    const { rerankAged } = await import('./rerank/rerank-aged.ts')
    const { text, signal } = request
    const reranked = await rerankAged(ranking.aged, context.rerank, { text, top: settings.rerankTop, signal })
    degraded = [...degraded, ...reranked.degraded]
    if (reranked.aged !== ranking.aged) ranking = rankAgain(ranking, reranked.aged, settings, vectors)
    lap('rerank')
  }
  const highlight = onceForEachText(createHighlighter(query, undefined, worthOfWords(words, reader.liveCount)))
  const { hits: shown, stoodFor } = await standForVersions(ranking.ranked, settings.limit, {
    snapshot,
    reader,
    chunks: context.chunks,
    query,
    words,
    highlight,
    filter: request.filter,
    accepts,
    hasCome: hasComeBy(nowMs, () => queryReading(context).timeZone),
    signal: request.signal,
  })
  lap('versions')
  const hitRequest = {
    highlight,
    contentWords: new Set(query.words.flatMap((word, at) => (word.isStop || word.isCompound || word.isOptional ? [] : at))),
    shareOf: (chunkId: number) => contentShare(words, reader.liveCount, reader.ordinalOf(chunkId)),
    settings,
    caller: request.caller,
    explain: request.explain ?? false,
  }
  const hits = shown.map((hit) => makeHit(hit, hitRequest))
  lap('snippets')
  const remarks = [
    ...degraded,
    ...(relaxed && hits.length > 0 ? [relaxed] : relaxedNames(query, shown)),
    ...(await allExcluded({ query, candidates }, (other) =>
      keywordCandidates(snapshot, reader, { ...candidateRequest, query: other }),
    )),
    ...(await filterRemarks(snapshot, request.filter, { size: allowed?.size ?? 0, conditions: context.conditions ?? [] })),
  ]
  const reply = { hits, mode, degraded: remarks, timing }
  if (!request.why) return reply
  const why = await whyNot(snapshot, reader, {
    place: request.why,
    sources: context.sources,
    query,
    words,
    candidates,
    ranking,
    leftBehind: leftBehindOf(ranking, { shown: shown.map(({ hit }) => hit.chunk.id), stoodFor, limit: settings.limit }),
    shown,
    hits,
    limit: settings.limit,
    accepts,
    space: space ?? undefined,
    signal: request.signal,
  })
  return { ...reply, why }
}

interface Listing {
  readonly context: SearchContext
  readonly settings: SearchSettings
  readonly query: KeywordQuery
}

/** Without a word to search: chunks that pass the filter, newest first; without a filter nothing. */
async function listOrNothing(snapshot: StoreSnapshot, request: SearchQuery, listing: Listing): Promise<PipelineReply> {
  const { filter, signal, why: place } = request
  const { context, settings, query } = listing
  const { lap, timing } = createTimer(context.now)
  if (filter === undefined) {
    const why = place && ({ reason: 'no-match', detail: 'The query holds no word to look for.' } as const)
    return { hits: [], mode: 'keywords', degraded: [], timing, ...(why && { why }) }
  }
  const list = (listed: KeywordQuery): Promise<readonly Candidate[]> =>
    listNewest(snapshot, { filter, limit: settings.limit, query: listed, chunks: context.chunks, signal })
  const candidates = await list(query)
  lap('list')
  const listed = { highlight: () => [], contentWords: new Set<number>(), shareOf: () => 0, explain: false }
  const hitRequest = { ...listed, settings, caller: request.caller }
  const hits = candidates.map((hit) => makeHit({ hit, collapsed: [] }, hitRequest))
  lap('snippets')
  const { size } = await snapshot.filter(filter)
  const degraded = [
    ...(await allExcluded({ query, candidates }, list)),
    ...(await filterRemarks(snapshot, request.filter, { size, conditions: context.conditions ?? [] })),
  ]
  const at = place === undefined ? -1 : hits.findIndex(({ path }) => path === place.path)
  const why = place && {
    reason: at >= 0 ? ('returned' as const) : ('no-match' as const),
    detail:
      at >= 0
        ? `It is hit ${at + 1} of ${hits.length}.`
        : 'Without a word to look for, this is a list of the newest notes that pass the filters: it is not among them.',
  }
  return { hits, mode: 'keywords', degraded, timing, ...(why && { why }) }
}
