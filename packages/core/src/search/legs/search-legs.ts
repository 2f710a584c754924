import {
  ConfigError,
  type LegEntry,
  type LegHit,
  type LegsQuery,
  type LegsReply,
  type SearchLeg,
  type StoreSnapshot,
} from '@mnemark/spec'
import { compileQuery, type KeywordQuery, withOtherNames } from '../../keywords/query/keyword-query.ts'
import { foreseenKeys } from '../../keywords/query/foreseen-keys.ts'
import { contentShare, worthOfWords } from '../../keywords/query/question-worth.ts'
import { type WeighedWord, weighQuery } from '../../keywords/query/weigh-query.ts'
import { KeywordReader } from '../../keywords/read/keyword-reader.ts'
import { entriesOf } from '../../repeats/entries.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { NearChunks, type QueryVector } from '../candidates/vector-candidates.ts'
import { findByWords } from '../find-by-words.ts'
import { createHighlighter, type Match } from '../highlight-matches.ts'
import { ageCandidates, rankCandidates } from '../rank-candidates.ts'
import { addVectors, queryReading, type SearchContext } from '../search-memory.ts'
import { poolOf, type SearchSettings, searchSettings } from '../search-settings.ts'
import { linesInChunk } from '../versions/found-entries.ts'

export type LegsContext = Pick<SearchContext, 'settings' | 'cache' | 'chunks' | 'now' | 'tuning' | 'embedQuery'>
/** The reply of the pipeline; the backend adds the provider. */
export type FoundLegs<Name extends string> = Pick<LegsReply<Name>, 'legs' | 'degraded'> & {
  readonly mode: 'hybrid' | 'keywords' | 'vectors'
}

const MOST_HITS = 1_000

/** A text of some legs, analysed once for all of them. */
interface Asked {
  readonly query: KeywordQuery
  readonly words: readonly WeighedWord[]
  /** Importance of each word; function words have none. */
  readonly worth: readonly number[]
  /** That of all words which count as missing where they are not. */
  readonly total: number
  readonly highlight: (text: string) => readonly Match[]
}

/** Asks several parts of one snapshot the same question: see `IndexView.searchLegs`. */
export async function searchLegs<Name extends string>(
  snapshot: StoreSnapshot,
  query: LegsQuery<Name>,
  context: LegsContext,
): Promise<FoundLegs<Name>> {
  const settings = searchSettings({}, context.settings)
  const entries = Object.entries<SearchLeg | null>(query.legs).filter((entry): entry is [string, SearchLeg] => entry[1] !== null)
  for (const [name, { limit }] of entries) checkLimit(name, limit)
  const reading = queryReading(context)
  const compiled = new Map<string, KeywordQuery>()
  for (const [, leg] of entries) for (const one of textsOf(query, leg)) compiled.set(keyOf(one), compiledFor(one, reading))
  const isAsked = [...compiled.values()].some(({ words }) => words.length > 0)
  const embedding = isAsked && query.keywordsOnly !== true ? context.embedQuery?.() : undefined
  embedding?.catch(() => {})
  const reader = await KeywordReader.open(snapshot, context.cache, [...compiled.values()].flatMap(foreseenKeys))
  const asked = new Map<string, Asked>()
  for (const [key, each] of compiled) {
    const words = await weighQuery(reader, each)
    const worth = worthOfWords(words, reader.liveCount)
    const ofContent = worth.map((value, at) => (each.words[at]?.isStop || each.words[at]?.isPart ? 0 : value))
    const total = ofContent.reduce((sum, value, at) => sum + (each.words[at]?.isOptional ? 0 : value), 0)
    asked.set(key, { query: each, words, worth: ofContent, total, highlight: createHighlighter(each, undefined, worth) })
  }
  const space = (await embedding) ?? null
  query.signal?.throwIfAborted()
  const found = await Promise.all(
    entries.map(async ([name, leg]) => {
      const [of, by = of] = textsOf(query, leg).map((one) => asked.get(keyOf(one)))
      if (of === undefined || by === undefined || of.query.words.length === 0)
        return { name, hits: [], mode: 'keywords' as const, degraded: [] }
      const request = { context, settings, asked: of, entriesBy: by, reader, space, signal: query.signal }
      return { name, ...(await searchLeg(snapshot, leg, request)) }
    }),
  )
  return {
    legs: { ...emptyLegs(query), ...Object.fromEntries(found.map(({ name, hits }) => [name, hits])) },
    mode: found.find(({ mode }) => mode !== 'keywords')?.mode ?? 'keywords',
    degraded: found.find(({ degraded }) => degraded.length > 0)?.degraded ?? [],
  }
}

/** The legs of a query without a hit. */
export function emptyLegs<Name extends string>({ legs }: LegsQuery<Name>): LegsReply<Name>['legs'] {
  return Object.fromEntries(Object.keys(legs).map((name) => [name, []])) as unknown as LegsReply<Name>['legs']
}

function checkLimit(name: string, limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_HITS) return
  throw new ConfigError('invalid-value', `limit of the leg ${name}: expected a whole number from 1 to ${MOST_HITS}, got ${limit}`)
}

interface LegText {
  readonly text: string
  readonly names?: readonly string[]
}

/** The text that finds the chunks of a leg, and where there is another one the text that weighs their entries. */
function textsOf({ text }: LegsQuery, { text: own = text, names, entriesBy }: SearchLeg): readonly LegText[] {
  return [{ text: own, ...(names && { names }) }, ...(entriesBy ? [entriesBy] : [])]
}

function keyOf({ text, names = [] }: LegText): string {
  return JSON.stringify([text, names])
}

function compiledFor({ text, names = [] }: LegText, reading: ReturnType<typeof queryReading>): KeywordQuery {
  const query = compileQuery(text, reading)
  return names.length === 0 ? query : withOtherNames(query, names, reading)
}

interface LegRequest {
  readonly context: LegsContext
  readonly settings: SearchSettings
  readonly asked: Asked
  readonly entriesBy: Asked
  readonly reader: KeywordReader
  readonly space: QueryVector | null
  readonly signal: AbortSignal | undefined
}

async function searchLeg(
  snapshot: StoreSnapshot,
  leg: SearchLeg,
  request: LegRequest,
): Promise<Omit<FoundLegs<string>, 'legs'> & { readonly hits: readonly LegHit[] }> {
  const { context, asked, reader, space, signal } = request
  const pool = leg.isDistinct
    ? Math.max(leg.limit, poolOf(Math.min(leg.limit, 10), context.settings.candidateMultiplier ?? 4))
    : leg.limit
  const settings = { ...request.settings, pool }
  const allowed = leg.filter === undefined ? undefined : await snapshot.filter(leg.filter)
  const { chunks, except } = leg
  const isChosen = (id: number): boolean => (chunks?.has(id) ?? true) && except?.has(id) !== true
  const accepts = (id: number): boolean => isChosen(id) && (allowed?.has(id) ?? true)
  const near = space && new NearChunks(snapshot, space, { chunks: context.chunks, filter: leg.filter, signal })
  near?.lookFor(nearestOf(pool, leg))
  const byWords = await findByWords(snapshot, reader, {
    chunks: context.chunks,
    query: asked.query,
    words: asked.words,
    pool,
    ...(chunks || except || allowed ? { accepts } : {}),
    signal,
    onRead: (read) => near?.lookUp(read),
  })
  const joined = near
    ? await addVectors(byWords.candidates, {
        near,
        query: byWords.query,
        settings: { ...settings, pool: nearestOf(pool, leg) },
      })
    : ({ candidates: byWords.candidates, mode: 'keywords', degraded: [] } as const)
  const accepted = joined.candidates.filter(({ chunk }) => isChosen(chunk.id))
  const nowMs = context.now()
  const ranked = leg.isDistinct
    ? rankCandidates(accepted, settings, { nowMs }).ranked.map(({ hit }) => hit)
    : ageCandidates(accepted, settings, nowMs).aged
  return { mode: joined.mode, degraded: joined.degraded, hits: ranked.slice(0, leg.limit).map((one) => legHit(one, request)) }
}

/** A store finds the nearest of a filter, not of a list of chunks: more are asked for where only some of them count. */
const BESIDE_LISTED = 3

function nearestOf(pool: number, { chunks, except }: SearchLeg): number {
  return chunks || except ? Math.min(MOST_HITS, pool * BESIDE_LISTED) : pool
}

function legHit(candidate: Candidate, { asked, entriesBy, reader }: LegRequest): LegHit {
  const { chunk, document, score } = candidate
  const { from, to } = chunk.attributes.from === undefined ? document : chunk.attributes
  return {
    chunk,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    score,
    share: contentShare(asked.words, reader.liveCount, reader.ordinalOf(chunk.id)),
    entries: () => weighedEntries(candidate, entriesBy),
  }
}

/** Another form of a word, found by its letters, counts in part: `import` is none of `port`. */
const FORM_SHARE = 0.5

/** A word counts once in an entry, by its heaviest match. */
function weighedEntries({ chunk }: Candidate, { highlight, worth, total }: Asked): readonly LegEntry[] {
  const matches = highlight(chunk.text)
  return entriesOf(chunk.text, chunk.unindexed).map(({ start, end, text }) => {
    const held = new Map<number, number>()
    for (const { word, isForm, ...match } of matches)
      if (match.start >= start && match.end <= end) held.set(word, Math.max(held.get(word) ?? 0, isForm ? FORM_SHARE : 1))
    const weight = [...held].reduce((sum, [word, part]) => sum + part * (worth[word] ?? 0), 0)
    return { text: text.trim(), ...linesInChunk(chunk, start, end), share: total > 0 ? Math.min(1, weight / total) : 0 }
  })
}
