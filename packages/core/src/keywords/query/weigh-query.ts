import type { KeywordQuery, QueryTerm, QueryWord } from './keyword-query.ts'
import { CHANNELS } from '../format/channels.ts'
import { OTHERWISE } from './keyword-tuning.ts'
import { PostingList, type Weighing } from '../read/posting-list.ts'
import { K1 } from '../read/saturation.ts'
import type { TermSource } from '../read/term-source.ts'

/** Most keys that one prefix expands to. */
const MAX_PREFIX_KEYS = 256

/** A term with its postings and the weight of one occurrence. */
export interface WeighedTerm {
  readonly term: QueryTerm
  readonly postings: PostingList
  readonly weighing: Weighing
  /** An upper bound of its contribution to any chunk. */
  readonly bound: number
  /** True for a bonus on a term whose postings another one includes: it finds nothing by itself. */
  readonly isExtra: boolean
}

export interface WeighedWord {
  readonly word: QueryWord
  readonly exact: readonly WeighedTerm[]
  readonly grams: readonly WeighedTerm[]
  /** Idf of the rarest form of the word, or of its rarest gram. */
  readonly idf: number
}

/** ln(1 + (N − df + ½) / (df + ½)), never negative: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond". */
export function inverseDocumentFrequency(count: number, frequency: number): number {
  return Math.log(1 + (Math.max(count, frequency) - frequency + 0.5) / (frequency + 0.5))
}

/** Contribution of a term to a chunk: idf · weight · (k1 + 1) · f / (f + k1 · (1 − b + b · length / average)). */
export function contribution({ postings, weighing }: WeighedTerm, ordinal: number): number {
  const frequency = postings.frequencyAt(ordinal)
  return frequency === 0 ? 0 : weighing.factor * weighing.saturation.of(ordinal, frequency)
}

function weighTerm(reader: TermSource, term: QueryTerm, lists: readonly PostingList[], isExtra = false): WeighedTerm[] {
  if (lists.length === 0) return []
  const postings = PostingList.unite(lists)
  const factor = term.weight * inverseDocumentFrequency(reader.liveCount, postings.count) * (K1 + 1)
  const { b, maxFrequency } = CHANNELS[term.channel]
  // Frequencies of united lists add up beyond the channel's cap.
  const most = lists.length === 1 ? maxFrequency : postings.greatestFrequency()
  const bound = (factor * most) / (most + K1 * (1 - b))
  return [{ term, postings, weighing: { factor, saturation: reader.saturationOf(term.channel) }, bound, isExtra }]
}

/** Keys of a term in every spelling. */
export function keysOfTerm({ key, sameAs = [], otherwise = [] }: QueryTerm): readonly string[] {
  return [key, ...sameAs, ...otherwise]
}

/** Where a term occurs in other spellings too, all of them count alike, and the queried one a little more. */
function weighSpellings(reader: TermSource, term: QueryTerm, found: ReadonlyMap<string, PostingList>): readonly WeighedTerm[] {
  const listsOf = (keys: readonly string[]) => keys.flatMap((key) => found.get(key) ?? [])
  const own = listsOf([term.key, ...(term.sameAs ?? [])])
  const others = listsOf(term.otherwise ?? [])
  if (others.length === 0) return weighTerm(reader, term, own)
  const all = weighTerm(reader, { ...term, weight: term.weight * OTHERWISE }, [...own, ...others])
  return [...all, ...weighTerm(reader, { ...term, weight: term.weight * (1 - OTHERWISE) }, own, true)]
}

async function weighPrefix(reader: TermSource, prefix: QueryTerm): Promise<WeighedTerm[]> {
  const keys = await reader.keysWithPrefix(prefix.key, MAX_PREFIX_KEYS)
  return weighTerm(reader, prefix, [...(await reader.postings(keys)).values()])
}

/** Runs in parallel: each prefix reads the store. */
async function weighPrefixes(
  reader: TermSource,
  { words }: KeywordQuery,
): Promise<ReadonlyMap<QueryTerm, readonly WeighedTerm[]>> {
  const prefixes = words.flatMap((word) => word.prefixes)
  const weighed = await Promise.all(prefixes.map((prefix) => weighPrefix(reader, prefix)))
  return new Map(prefixes.map((prefix, at) => [prefix, weighed[at] ?? []]))
}

/** Looks up every term of a query; terms that occur nowhere are left out. */
export async function weighQuery(reader: TermSource, query: KeywordQuery): Promise<readonly WeighedWord[]> {
  const keys = new Set(query.words.flatMap((word) => [...word.terms, ...word.grams].flatMap(keysOfTerm)))
  const [found, ofPrefixes] = await Promise.all([reader.postings([...keys]), weighPrefixes(reader, query)])
  const weighed: WeighedWord[] = []
  for (const word of query.words) {
    const weighAll = (terms: readonly QueryTerm[]) => terms.flatMap((term) => weighSpellings(reader, term, found))
    const exact = weighAll(word.terms)
    for (const prefix of word.prefixes) exact.push(...(ofPrefixes.get(prefix) ?? []))
    const grams = weighAll(word.grams)
    const counts = [...exact, ...grams].flatMap(({ postings, isExtra }) => (isExtra ? [] : postings.count))
    const idf = inverseDocumentFrequency(reader.liveCount, counts.length === 0 ? 0 : Math.min(...counts))
    weighed.push({ word, exact, grams, idf })
  }
  return weighed
}
