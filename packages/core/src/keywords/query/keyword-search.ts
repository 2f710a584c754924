import { type CallOptions, compareTied } from '@mnemark/spec'
import type { ChannelName } from '../format/channels.ts'
import type { KeywordQuery, QueryPhrase } from './keyword-query.ts'
import { PostingList } from '../read/posting-list.ts'
import { rankChunks } from './rank-chunks.ts'
import type { TermSource } from '../read/term-source.ts'
import { contribution, type WeighedTerm, type WeighedWord, weighQuery } from './weigh-query.ts'

/** Share of grams from which a word counts as found; a higher one applies where the word itself occurs somewhere. */
export const GRAM_SHARE = 0.5
export const GRAM_SHARE_BESIDE_EXACT = 0.75
/** Least sum of shares in a question of three words or more; two words need twice as much. */
const SUM_OF_SHARES = 1 / 3
/** Where few of the best by sum are hits, this many times more candidates are ranked. */
const LOOK_FURTHER = 16

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
  /** Words of the query that this chunk holds exactly. */
  readonly matched: readonly string[]
}

export interface KeywordSearchOptions extends CallOptions {
  readonly limit: number
  /** The words of the query weighed by `weighQuery`, where they are known. */
  readonly words?: readonly WeighedWord[] | undefined
  /** Undefined lets every chunk pass. */
  readonly accepts?: ((chunkId: number) => boolean) | undefined
  /** Another function with the same order. */
  readonly rank?: typeof rankChunks
}

/** Chunks that may hold the phrases of a query, or undefined where any may. */
async function chunksWithPhrases(
  reader: TermSource,
  { phrases, isAnyPhrase }: KeywordQuery,
): Promise<ReadonlySet<number> | undefined> {
  if (!isAnyPhrase) return chunksWithAll(reader, phrases)
  const sets = await Promise.all(phrases.map((phrase) => chunksWithAll(reader, [phrase])))
  return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]))
}

/** Chunks that may hold every phrase, or undefined where any may. */
async function chunksWithAll(reader: TermSource, phrases: readonly QueryPhrase[]): Promise<ReadonlySet<number> | undefined> {
  const required = phrases.flatMap((phrase) => phrase.required)
  if (required.length === 0) return undefined
  const found = await reader.postings([...new Set(required.flat())])
  const lists = required.map((keys) => PostingList.unite(keys.flatMap((key) => found.get(key) ?? [])))
  const [rarest, ...others] = lists.sort((left, right) => left.count - right.count)
  if (!rarest) return undefined
  return new Set(rarest.toPostings().ordinals.filter((ordinal) => others.every((list) => list.frequencyAt(ordinal) > 0)))
}

interface WordMatch {
  /** 0 to 1: 1 where the word itself is there, else the share of its grams. */
  readonly share: number
  readonly isExact: boolean
}

function inspect(ordinal: number, weighed: WeighedWord, parts: TermPart[]): WordMatch {
  const found = (terms: readonly WeighedTerm[]) => {
    let count = 0
    for (const weighedTerm of terms) {
      const part = contribution(weighedTerm, ordinal)
      if (part <= 0) continue
      const { term, channel } = weighedTerm.term
      if (weighedTerm.isExtra) {
        // Shown as one part with the term before it, which it belongs to.
        const before = parts.pop()
        parts.push({ term, channel, part: part + (before?.part ?? 0) })
      } else {
        parts.push({ term, channel, part })
        count += 1
      }
    }
    return count
  }
  const isExact = found(weighed.exact) > 0
  const grams = found(weighed.grams)
  const share = weighed.word.grams.length === 0 ? 0 : grams / weighed.word.grams.length
  return { share: isExact ? 1 : share, isExact }
}

/**
 * A chunk that shares only a few letters with the query is no hit: `हिन्दू` is not `हिन्दी`. In a longer question,
 * partial matches of words add up.
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

interface Weighed {
  readonly words: readonly WeighedWord[]
  readonly coverageBonus: number
}

function candidate(reader: TermSource, ordinal: number, { words, coverageBonus }: Weighed): KeywordCandidate | undefined {
  const parts: TermPart[] = []
  const matches = words.map((word) => inspect(ordinal, word, parts))
  if (!isHit(matches, words)) return undefined
  const bm25 = parts.reduce((sum, { part }) => sum + part, 0)
  const matched = words.filter((_, at) => matches[at]?.isExact).map(({ word }) => word.term)
  return { chunkId: reader.idOf(ordinal), score: bm25 * (1 + coverageBonus * coverage(matches, words)), bm25, parts, matched }
}

interface Placed {
  readonly ordinal: number
  readonly candidate: KeywordCandidate
}

/** Best first; ties by `compareEquals`, and by keys where that cannot decide. Only then the store is read. */
async function sorted(reader: TermSource, found: Placed[]): Promise<readonly KeywordCandidate[]> {
  const compare = (left: Placed, right: Placed): number =>
    right.candidate.score - left.candidate.score || reader.compareEquals(left.ordinal, right.ordinal)
  found.sort(compare)
  const isAlike = (left: Placed | undefined, right: Placed | undefined): boolean =>
    !!left && !!right && compare(left, right) === 0
  const alike = found.filter((each, at) => isAlike(found[at - 1], each) || isAlike(each, found[at + 1]))
  if (alike.length > 0) {
    const chunks = [...(await reader.chunks(alike.map(({ candidate }) => candidate.chunkId)))].sort(compareTied)
    const places = new Map(chunks.map(({ id }, place) => [id, place]))
    const placeOf = ({ candidate }: Placed): number => places.get(candidate.chunkId) ?? 0
    found.sort((left, right) => compare(left, right) || placeOf(left) - placeOf(right))
  }
  return found.map(({ candidate }) => candidate)
}

/** The best chunks for the words of a query, best first. */
export async function searchKeywords(
  reader: TermSource,
  query: KeywordQuery,
  options: KeywordSearchOptions,
): Promise<readonly KeywordCandidate[]> {
  if (query.words.length === 0 || reader.size === 0) return []
  const words = options.words ?? (await weighQuery(reader, query))
  options.signal?.throwIfAborted()
  const allowed = await chunksWithPhrases(reader, query)
  const accepts = (ordinal: number) => (allowed?.has(ordinal) ?? true) && (options.accepts?.(reader.idOf(ordinal)) ?? true)
  const rank = (terms: readonly WeighedTerm[], limit: number) =>
    (options.rank ?? rankChunks)(terms, {
      size: reader.size,
      liveCount: reader.liveCount,
      limit,
      accepts,
      compareEquals: (left, right) => reader.compareEquals(left, right),
    }).map(({ ordinal }) => ordinal)
  const placed = (ordinals: readonly number[]): Placed[] =>
    ordinals.flatMap((ordinal) => {
      const found = candidate(reader, ordinal, { words, coverageBonus: query.tuning.coverageBonus })
      return found ? [{ ordinal, candidate: found }] : []
    })
  const exact = words.flatMap((word) => word.exact)
  const terms = [...exact, ...words.flatMap((word) => word.grams)]
  // Some of the best by sum may be no hits or move after coverage, so more than `limit` are ranked.
  const looked = options.limit * 2 + 20
  const best = rank(terms, looked)
  let found = placed(best)
  // Chunks that only share letters with the query may have displaced hits: those with a word of it stay, however low they score.
  if (found.length < options.limit && best.length === looked)
    found = placed([...new Set([...rank(exact, options.limit), ...rank(terms, looked * LOOK_FURTHER)])])
  return (await sorted(reader, found)).slice(0, options.limit)
}
