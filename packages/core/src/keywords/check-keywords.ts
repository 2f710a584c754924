import type { StoredChunk, StoreSnapshot } from '@mnemark/spec'
import { indexedText } from '../chunk/context.ts'
import { analyseRunOnce, exactTerms } from '../text/analyse.ts'
import { readText } from '../text/letters/read-text.ts'
import { eachRun } from '../text/runs.ts'
import { keyOf } from './format/channels.ts'
import { ExhaustiveReader } from './read/exhaustive-reader.ts'
import { compileQuery } from './query/keyword-query.ts'
import { KeywordCache, KeywordReader } from './read/keyword-reader.ts'
import { type KeywordCandidate, searchKeywords } from './query/keyword-search.ts'
import type { RankRequest } from './query/rank-chunks.ts'
import { isOwnSegment } from './format/segment-header.ts'
import type { Ranked } from './query/top-scores.ts'
import { contribution, type WeighedTerm } from './query/weigh-query.ts'

/** Chunks whose words are searched, and hits of each search that are compared. */
const SAMPLED_CHUNKS = 12
const COMPARED_HITS = 20
/** Scores that differ by no more than this are equal. */
const PRECISION = 1e-6

export interface KeywordCheck {
  /** Chunks in the index, and positions of deleted chunks. */
  readonly chunks: number
  readonly dead: number
  readonly searches: number
  /** Descriptions without words of the notes. */
  readonly problems: readonly string[]
}

export interface KeywordCheckOptions {
  /** Another seed searches other words. */
  readonly seed?: number
}

/**
 * Compares searches with a full sum over the chunks in the store, for words taken from these chunks. An index of
 * another version of this program is skipped: the next sync rebuilds it.
 */
export async function checkKeywords(snapshot: StoreSnapshot, { seed = 1 }: KeywordCheckOptions = {}): Promise<KeywordCheck> {
  const segments = await snapshot.segments()
  if (!segments.every(({ header }) => isOwnSegment(header))) return { chunks: 0, dead: 0, searches: 0, problems: [] }
  const exhaustive = await ExhaustiveReader.open(snapshot)
  const reader = await KeywordReader.open(snapshot, new KeywordCache())
  const problems: string[] = []
  if (exhaustive.misplaced > 0) problems.push(`${exhaustive.misplaced} chunks are not in the keyword index, or twice`)
  if (reader.liveCount !== exhaustive.liveCount && exhaustive.misplaced === 0)
    problems.push(`the keyword index counts ${reader.liveCount} chunks where there are ${exhaustive.liveCount}`)

  let searches = 0
  let missed = 0
  const differing: string[] = []
  for (const chunk of await sampleChunks(snapshot, exhaustive.ids, seed)) {
    const terms = exactTermsOf(chunk)
    if (!(await holdsAll(exhaustive, chunk.id, terms))) missed += 1
    for (const text of queriesOf(terms, seed)) {
      const query = compileQuery(text, { nowMs: 0, timeZone: 'UTC' })
      const found = await searchKeywords(reader, query, { limit: COMPARED_HITS })
      const expected = await searchKeywords(exhaustive, query, { limit: COMPARED_HITS, rank: addUpAll })
      searches += 1
      if (!isSame(found, expected)) differing.push(chunk.document.path)
    }
  }
  if (differing.length > 0)
    problems.push(
      `${differing.length} of ${searches} searches differ from counting everything, the first for words of ${differing[0]}`,
    )
  if (missed > 0) problems.push(`${missed} of the notes that were looked at cannot be found by all of their words`)
  return { chunks: exhaustive.liveCount, dead: exhaustive.deadCount, searches, problems }
}

/** Sums every contribution of every term to every chunk. */
function addUpAll(terms: readonly WeighedTerm[], { limit, accepts, compareEquals }: RankRequest): readonly Ranked[] {
  const sums = new Map<number, number>()
  for (const term of terms)
    for (const ordinal of term.postings.toPostings().ordinals)
      sums.set(ordinal, (sums.get(ordinal) ?? 0) + contribution(term, ordinal))
  const order = (left: Ranked, right: Ranked): number => right.score - left.score || compareEquals(left.ordinal, right.ordinal)
  const all = [...sums].map(([ordinal, score]) => ({ ordinal, score }))
  const ranked = all.filter(({ ordinal, score }) => score > 0 && accepts(ordinal)).sort(order)
  const last = ranked[limit - 1]
  return ranked.filter((each, at) => at < limit || (last !== undefined && order(each, last) === 0))
}

function isSame(found: readonly KeywordCandidate[], expected: readonly KeywordCandidate[]): boolean {
  return (
    found.length === expected.length &&
    found.every(({ chunkId, score }, at) => {
      const other = expected[at]
      return other?.chunkId === chunkId && Math.abs(score - other.score) <= PRECISION * Math.max(1, Math.abs(score))
    })
  )
}

/** Picks some chunks, far apart. */
function sampleChunks(snapshot: StoreSnapshot, ids: readonly number[], seed: number): Promise<readonly StoredChunk[]> {
  const count = Math.min(SAMPLED_CHUNKS, ids.length)
  const picked = Array.from({ length: count }, (_, at) => ids[(Math.floor((at * ids.length) / count) + seed) % ids.length] ?? 0)
  return snapshot.chunks([...new Set(picked)])
}

/** The words of a chunk's text in the form of the index. */
function exactTermsOf({ text, unindexed, inputs }: StoredChunk): readonly string[] {
  // The text of a stub, headings only, is not indexed.
  if (inputs.length === 0) return []
  const terms = new Set<string>()
  eachRun(readText(indexedText(text, unindexed)).text, (raw) => {
    for (const term of exactTerms(analyseRunOnce(raw))) terms.add(term)
  })
  return [...terms]
}

async function holdsAll(reader: ExhaustiveReader, id: number, terms: readonly string[]): Promise<boolean> {
  const keys = terms.map((term) => keyOf('text', term))
  const found = await reader.postings(keys)
  const ordinal = reader.ids.indexOf(id)
  return keys.every((key) => (found.get(key)?.frequencyAt(ordinal) ?? 0) > 0)
}

/** Queries of exact words, one word almost exact, and the beginning of one. */
function queriesOf(terms: readonly string[], seed: number): readonly string[] {
  const words = terms.filter((term) => /\p{L}{2}/u.test(term))
  const long = words.toSorted((left, right) => right.length - left.length)[seed % Math.min(3, words.length)]
  if (long === undefined) return []
  return [[long, ...words.slice(0, 2)].join(' '), `${long}x2`, `${[...long].slice(0, 2).join('')}*`]
}
