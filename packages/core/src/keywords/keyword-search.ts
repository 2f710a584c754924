import type { CallOptions } from '@mnemark/spec'
import { type ChannelName, keyOf } from './channels.ts'
import type { KeywordQuery, QueryPhrase, QueryTerm, QueryWord } from './keyword-query.ts'
import type { KeywordReader } from './keyword-reader.ts'
import type { Postings } from './postings.ts'

const K1 = 1.2
/** Keys that one prefix may stand for. */
const MAX_PREFIX_KEYS = 256
/** A word counts as found by its grams from this share on; more is asked where the word itself occurs somewhere. */
const GRAM_SHARE = 0.5
const GRAM_SHARE_BESIDE_EXACT = 0.75
/** Of a question of three words and more; of two words, twice as much. */
const SUM_OF_SHARES = 1 / 3
/** What covering every word of the query adds to the score. */
const COVERAGE_BONUS = 1

export interface TermPart {
  readonly term: string
  readonly channel: ChannelName
  readonly part: number
}

export interface KeywordCandidate {
  readonly chunkId: number
  /** Raw BM25 sum with coverage; compare within one query only. */
  readonly score: number
  readonly bm25: number
  readonly parts: readonly TermPart[]
  /** Terms of the query that this chunk holds as they are. */
  readonly matched: readonly string[]
  readonly nameMatch?: 'exact' | 'name' | 'stem' | undefined
}

export interface KeywordSearchOptions extends CallOptions {
  readonly limit: number
  /** Undefined lets every chunk pass. */
  readonly accepts?: ((chunkId: number) => boolean) | undefined
}

/** A term with its postings and what one occurrence is worth. */
interface WeighedTerm {
  readonly term: QueryTerm
  readonly postings: Postings
  readonly norms: Float32Array | undefined
  readonly worth: number
}

interface WeighedWord {
  readonly word: QueryWord
  readonly exact: readonly WeighedTerm[]
  readonly grams: readonly WeighedTerm[]
  /** ln(1 + (N − df + ½) / (df + ½)) of the word's rarest exact form, or of its grams. */
  readonly idf: number
}

/** Inverse document frequency, never negative: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond". */
function inverseDocumentFrequency(count: number, frequency: number): number {
  return Math.log(1 + (Math.max(count, frequency) - frequency + 0.5) / (frequency + 0.5))
}

function contribution(term: WeighedTerm, at: number): number {
  const frequency = term.postings.frequencies[at] ?? 1
  const norm = term.norms ? (term.norms[term.postings.ordinals[at] ?? 0] ?? K1) : K1
  return (term.worth * frequency * (K1 + 1)) / (frequency + norm)
}

function positionOf(ordinals: Uint32Array, ordinal: number): number {
  let low = 0
  let high = ordinals.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1
    else high = middle
  }
  return ordinals[low] === ordinal ? low : -1
}

/** Where either occurs; frequencies add up. */
function uniteTwo(left: Postings, right: Postings): Postings {
  const ordinals = new Uint32Array(left.ordinals.length + right.ordinals.length)
  const frequencies = new Uint8Array(ordinals.length)
  let length = 0
  for (let a = 0, b = 0; a < left.ordinals.length || b < right.ordinals.length; length += 1) {
    const first = left.ordinals[a] ?? Number.POSITIVE_INFINITY
    const second = right.ordinals[b] ?? Number.POSITIVE_INFINITY
    ordinals[length] = Math.min(first, second)
    let frequency = 0
    if (first <= second) frequency += left.frequencies[a++] ?? 0
    if (second <= first) frequency += right.frequencies[b++] ?? 0
    frequencies[length] = Math.min(255, frequency)
  }
  return { ordinals: ordinals.subarray(0, length), frequencies: frequencies.subarray(0, length) }
}

const NOWHERE: Postings = { ordinals: new Uint32Array(0), frequencies: new Uint8Array(0) }

/** In pairs, so that many short lists stay cheap. */
function unite(lists: readonly Postings[]): Postings {
  if (lists.length < 2) return lists[0] ?? NOWHERE
  const middle = lists.length >>> 1
  return uniteTwo(unite(lists.slice(0, middle)), unite(lists.slice(middle)))
}

async function expandPrefix(reader: KeywordReader, prefix: QueryTerm): Promise<Postings> {
  const keys = await reader.keysWithPrefix(prefix.key, MAX_PREFIX_KEYS)
  return unite([...(await reader.postings(keys)).values()])
}

function keysOf({ key, sameAs }: QueryTerm): readonly string[] {
  return sameAs === undefined ? [key] : [key, sameAs]
}

async function weigh(reader: KeywordReader, query: KeywordQuery): Promise<readonly WeighedWord[]> {
  const keys = new Set(query.words.flatMap((word) => [...word.terms, ...word.grams].flatMap(keysOf)))
  const postings = await reader.postings([...keys])
  const weighTerm = (term: QueryTerm, found: Postings | undefined): WeighedTerm[] => {
    if (!found || found.ordinals.length === 0) return []
    const worth = term.weight * inverseDocumentFrequency(reader.liveCount, found.ordinals.length)
    return [{ term, postings: found, norms: reader.normsOf(term.channel), worth }]
  }
  const weighed: WeighedWord[] = []
  for (const word of query.words) {
    const exact = word.terms.flatMap((term) => weighTerm(term, unite(keysOf(term).flatMap((key) => postings.get(key) ?? []))))
    for (const prefix of word.prefixes) exact.push(...weighTerm(prefix, await expandPrefix(reader, prefix)))
    const grams = word.grams.flatMap((term) => weighTerm(term, postings.get(term.key)))
    const rarest = Math.min(...[...exact, ...grams].map((term) => term.postings.ordinals.length))
    const idf = Number.isFinite(rarest)
      ? inverseDocumentFrequency(reader.liveCount, rarest)
      : inverseDocumentFrequency(reader.liveCount, 0)
    weighed.push({ word, exact, grams, idf })
  }
  return weighed
}

function accumulate(size: number, words: readonly WeighedWord[]): Float32Array {
  const scores = new Float32Array(size)
  for (const { exact, grams } of words) {
    for (const term of exact) addTerm(scores, term)
    for (const term of grams) addTerm(scores, term)
  }
  return scores
}

function addTerm(scores: Float32Array, { postings, norms, worth }: WeighedTerm): void {
  const { ordinals, frequencies } = postings
  const factor = worth * (K1 + 1)
  for (let at = 0; at < ordinals.length; at += 1) {
    const ordinal = ordinals[at] ?? 0
    const frequency = frequencies[at] ?? 1
    const norm = norms === undefined ? K1 : (norms[ordinal] ?? K1)
    scores[ordinal] = (scores[ordinal] ?? 0) + (factor * frequency) / (frequency + norm)
  }
}

/** Chunks that may hold every phrase, or undefined where any may. */
async function chunksWithAll(reader: KeywordReader, phrases: readonly QueryPhrase[]): Promise<ReadonlySet<number> | undefined> {
  const keys = [...new Set(phrases.flatMap((phrase) => phrase.required))]
  if (keys.length === 0) return undefined
  const postings = await reader.postings(keys)
  const lists = keys
    .map((key) => postings.get(key)?.ordinals ?? new Uint32Array(0))
    .sort((left, right) => left.length - right.length)
  let left = new Set(lists[0])
  for (const list of lists.slice(1)) left = new Set(list.filter((ordinal) => left.has(ordinal)))
  return left
}

interface Ranked {
  readonly ordinal: number
  readonly score: number
}

/** The `limit` best by score, ties by ordinal; a binary heap with the worst on top. */
function best(scores: Float32Array, limit: number, accepts: (ordinal: number) => boolean): Ranked[] {
  const heap: Ranked[] = []
  const isWorse = (left: Ranked, right: Ranked) =>
    left.score < right.score || (left.score === right.score && left.ordinal > right.ordinal)
  for (let ordinal = 0; ordinal < scores.length; ordinal += 1) {
    const score = scores[ordinal] ?? 0
    if (score <= 0 || (heap.length >= limit && score <= (heap[0]?.score ?? 0)) || !accepts(ordinal)) continue
    if (heap.length < limit) pushHeap(heap, { ordinal, score }, isWorse)
    else replaceTop(heap, { ordinal, score }, isWorse)
  }
  return heap.sort((left, right) => right.score - left.score || left.ordinal - right.ordinal)
}

type IsWorse = (left: Ranked, right: Ranked) => boolean

function pushHeap(heap: Ranked[], item: Ranked, isWorse: IsWorse): void {
  let at = heap.length
  heap.push(item)
  while (at > 0) {
    const parent = (at - 1) >>> 1
    const above = heap[parent]
    if (!above || !isWorse(item, above)) break
    heap[at] = above
    at = parent
  }
  heap[at] = item
}

function replaceTop(heap: Ranked[], item: Ranked, isWorse: IsWorse): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    let below = heap[child]
    const sibling = heap[child + 1]
    if (below && sibling && isWorse(sibling, below)) {
      child += 1
      below = sibling
    }
    if (!below || !isWorse(below, item)) break
    heap[at] = below
    at = child
  }
  heap[at] = item
}

interface WordMatch {
  /** 0 to 1: 1 where the word itself is there, else the share of its grams. */
  readonly share: number
  readonly isExact: boolean
}

function inspect(ordinal: number, weighed: WeighedWord, parts: TermPart[]): WordMatch {
  let isExact = false
  for (const term of weighed.exact) {
    const at = positionOf(term.postings.ordinals, ordinal)
    if (at < 0) continue
    isExact = true
    parts.push({ term: term.term.term, channel: term.term.channel, part: contribution(term, at) })
  }
  let found = 0
  for (const term of weighed.grams) {
    const at = positionOf(term.postings.ordinals, ordinal)
    if (at < 0) continue
    found += 1
    parts.push({ term: term.term.term, channel: 'gram', part: contribution(term, at) })
  }
  const share = weighed.word.grams.length === 0 ? 0 : found / weighed.word.grams.length
  return { share: isExact ? 1 : share, isExact }
}

/**
 * A chunk that shares only a few letters with the query is no hit: `हिन्दू` is not `हिन्दी`. In a longer question partly found
 * words add up.
 */
function isHit(matches: readonly WordMatch[], words: readonly WeighedWord[]): boolean {
  let sum = 0
  let asked = 0
  for (const [at, match] of matches.entries()) {
    if (match.isExact) return true
    const weighed = words[at]
    const needed = weighed?.exact.length ? GRAM_SHARE_BESIDE_EXACT : GRAM_SHARE
    if (match.share >= needed) return true
    sum += match.share
    if (weighed && !weighed.word.isStop && !weighed.word.isCompound) asked += 1
  }
  return asked > 1 && sum >= (asked > 2 ? SUM_OF_SHARES : 2 * SUM_OF_SHARES)
}

function coverage(matches: readonly WordMatch[], words: readonly WeighedWord[]): number {
  let covered = 0
  let all = 0
  words.forEach(({ word, idf }, at) => {
    if (word.isCompound) return
    const weight = (word.isStop ? 0.1 : 1) * idf
    all += weight
    covered += weight * (matches[at]?.share ?? 0)
  })
  return all > 0 ? covered / all : 0
}

function candidate(reader: KeywordReader, ranked: Ranked, words: readonly WeighedWord[]): KeywordCandidate | undefined {
  const parts: TermPart[] = []
  const matches = words.map((word) => inspect(ranked.ordinal, word, parts))
  if (!isHit(matches, words)) return undefined
  const score = ranked.score * (1 + COVERAGE_BONUS * coverage(matches, words))
  const matched = words.filter((_, at) => matches[at]?.isExact).map(({ word }) => word.term)
  return { chunkId: reader.idOf(ranked.ordinal), score, bm25: ranked.score, parts, matched }
}

/** Chunks of files whose path, base name or stem is the whole query. */
export async function nameMatches(reader: KeywordReader, name: string): Promise<readonly number[]> {
  if (name === '') return []
  const key = keyOf('name', name)
  const found = (await reader.postings([key])).get(key)
  return found ? [...found.ordinals].filter((ordinal) => !reader.isDead(ordinal)).map((ordinal) => reader.idOf(ordinal)) : []
}

/** The best chunks for the words of a query, best first. */
export async function searchKeywords(
  reader: KeywordReader,
  query: KeywordQuery,
  options: KeywordSearchOptions,
): Promise<readonly KeywordCandidate[]> {
  if (query.words.length === 0 || reader.size === 0) return []
  const words = await weigh(reader, query)
  options.signal?.throwIfAborted()
  const scores = accumulate(reader.size, words)
  const allowed = await chunksWithAll(reader, query.phrases)
  const accepts = (ordinal: number) =>
    !reader.isDead(ordinal) && (allowed?.has(ordinal) ?? true) && (options.accepts?.(reader.idOf(ordinal)) ?? true)
  // Some of the best by sum may be no hits or move after coverage, so more are looked at than wanted.
  const ranked = best(scores, options.limit * 2 + 20, accepts)
  const candidates = ranked.flatMap((entry) => candidate(reader, entry, words) ?? [])
  return candidates.sort((left, right) => right.score - left.score || left.chunkId - right.chunkId).slice(0, options.limit)
}
