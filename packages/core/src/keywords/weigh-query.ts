import type { KeywordQuery, QueryTerm, QueryWord } from './keyword-query.ts'
import { CHANNELS } from './channels.ts'
import { PostingList, type Weighing } from './posting-list.ts'
import { K1 } from './saturation.ts'
import type { TermSource } from './term-source.ts'

/** Keys that one prefix may stand for. */
const MAX_PREFIX_KEYS = 256

/** A term with its postings and what one occurrence adds. */
export interface WeighedTerm {
  readonly term: QueryTerm
  readonly postings: PostingList
  readonly weighing: Weighing
  /** More than any chunk can get from it. */
  readonly bound: number
}

export interface WeighedWord {
  readonly word: QueryWord
  readonly exact: readonly WeighedTerm[]
  readonly grams: readonly WeighedTerm[]
  /** Of the rarest form of the word, or of its rarest gram. */
  readonly idf: number
}

/** ln(1 + (N − df + ½) / (df + ½)), never negative: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond". */
export function inverseDocumentFrequency(count: number, frequency: number): number {
  return Math.log(1 + (Math.max(count, frequency) - frequency + 0.5) / (frequency + 0.5))
}

/** What a term adds to a chunk: idf · weight · (k1 + 1) · f / (f + k1 · (1 − b + b · length / average)). */
export function contribution({ postings, weighing }: WeighedTerm, ordinal: number): number {
  const frequency = postings.frequencyAt(ordinal)
  return frequency === 0 ? 0 : weighing.factor * weighing.saturation.of(ordinal, frequency)
}

function weighTerm(reader: TermSource, term: QueryTerm, lists: readonly PostingList[]): WeighedTerm[] {
  if (lists.length === 0) return []
  const postings = PostingList.unite(lists)
  const factor = term.weight * inverseDocumentFrequency(reader.liveCount, postings.count) * (K1 + 1)
  const { b, maxFrequency } = CHANNELS[term.channel]
  // Of united lists frequencies add up, beyond what the channel counts.
  const most = lists.length === 1 ? maxFrequency : postings.greatestFrequency()
  const bound = (factor * most) / (most + K1 * (1 - b))
  return [{ term, postings, weighing: { factor, saturation: reader.saturationOf(term.channel) }, bound }]
}

function keysOf({ key, sameAs }: QueryTerm): readonly string[] {
  return sameAs === undefined ? [key] : [key, sameAs]
}

async function weighPrefix(reader: TermSource, prefix: QueryTerm): Promise<WeighedTerm[]> {
  const keys = await reader.keysWithPrefix(prefix.key, MAX_PREFIX_KEYS)
  return weighTerm(reader, prefix, [...(await reader.postings(keys)).values()])
}

/** Looks up every term of a query; terms that occur nowhere are left out. */
export async function weighQuery(reader: TermSource, query: KeywordQuery): Promise<readonly WeighedWord[]> {
  const keys = new Set(query.words.flatMap((word) => [...word.terms, ...word.grams].flatMap(keysOf)))
  const found = await reader.postings([...keys])
  const weighed: WeighedWord[] = []
  for (const word of query.words) {
    const weighAll = (terms: readonly QueryTerm[]) =>
      terms.flatMap((term) =>
        weighTerm(
          reader,
          term,
          keysOf(term).flatMap((key) => found.get(key) ?? []),
        ),
      )
    const exact = weighAll(word.terms)
    for (const prefix of word.prefixes) exact.push(...(await weighPrefix(reader, prefix)))
    const grams = weighAll(word.grams)
    const counts = [...exact, ...grams].map(({ postings }) => postings.count)
    const idf = inverseDocumentFrequency(reader.liveCount, counts.length === 0 ? 0 : Math.min(...counts))
    weighed.push({ word, exact, grams, idf })
  }
  return weighed
}
