import { type CallOptions, compareTied, dayOfChunk, type StoredChunk, type StoreSnapshot, type TiedChunk } from '@mnemark/spec'
import { keywordScore } from '../hybrid/list-score.ts'
import type { KeywordQuery } from '../keywords/keyword-query.ts'
import type { KeywordReader } from '../keywords/keyword-reader.ts'
import { type KeywordCandidate, searchKeywords } from '../keywords/keyword-search.ts'
import { namedChunks } from '../keywords/named-files.ts'
import { pathNames } from '../keywords/path-terms.ts'
import { holdsPhrase } from '../keywords/phrase.ts'
import { possibleScore } from '../keywords/question-worth.ts'
import type { WeighedWord } from '../keywords/weigh-query.ts'
import type { Candidate, PathMatch } from './candidate.ts'
import { type ChunkCache, type LoadedChunk, loadChunks } from './loaded-chunks.ts'

/** Candidates read first, and at most, where the texts themselves decide: quoted phrases, excluded words. */
const FIRST_READ = 400
const MAX_READ = 6_400
const READ_GROWTH = 4
/** By how much a file's own name outranks the best content, for stem, base name, whole path. */
const NAME_LEAD: Readonly<Record<PathMatch, number>> = { stem: 1, name: 2, exact: 3 }
/** What was replaced stands behind what replaced it; what was put away, a little behind its equals. */
const MARK_FACTORS = { superseded: 0.6, archived: 0.95, copy: 0.95 } as const

export interface CandidateRequest extends CallOptions {
  readonly chunks: ChunkCache
  readonly query: KeywordQuery
  /** Of the query, as `weighQuery` weighs them. */
  readonly words: readonly WeighedWord[]
  readonly pool: number
  readonly accepts?: ((chunkId: number) => boolean) | undefined
}

function pathMatchOf(path: string, name: string): PathMatch | undefined {
  if (name === '') return undefined
  const names = pathNames(path)
  if (names.path === name) return 'exact'
  if (names.base === name) return 'name'
  return names.stem === name ? 'stem' : undefined
}

export function markFactor(chunk: StoredChunk): number {
  const marks = chunk.attributes.marks ?? []
  const factorOf = (mark: keyof typeof MARK_FACTORS): number => (marks.includes(mark) ? MARK_FACTORS[mark] : 1)
  return factorOf('superseded') * factorOf('archived') * factorOf('copy')
}

/** Reads the text where words alone do not decide: false drops the candidate, a number is a factor of its score. */
export function judgeText(loaded: LoadedChunk, query: KeywordQuery): number | false {
  if (query.phrases.length + query.excluded.length + query.compounds.length === 0) return 1
  const key = loaded.phraseKey()
  if (query.excluded.some((phrase) => holdsPhrase(key, phrase.key))) return false
  const held = query.phrases.filter((phrase) => holdsPhrase(key, phrase.key)).length
  if (held < (query.isAnyPhrase ? 1 : query.phrases.length)) return false
  const hasCompound = query.compounds.some((compound) => holdsPhrase(key, compound))
  return (hasCompound ? 1 + query.tuning.compoundBonus : 1) * (query.isAnyPhrase ? held : 1)
}

export function holdsName(loaded: LoadedChunk, { names }: KeywordQuery): boolean {
  return names.some(({ key }) => holdsPhrase(loaded.phraseKey(), key))
}

interface Judged extends LoadedChunk {
  /** What its text makes of its score: see `judgeText`. */
  readonly factor: number | false
}

interface Found {
  readonly keywords: readonly KeywordCandidate[]
  readonly named: ReadonlySet<number>
  readonly judged: readonly (Judged & { readonly factor: number })[]
}

/** The best chunks whose text is right; where many are not, as with a common phrase, more are read until the pool is full. */
async function findCandidates(snapshot: StoreSnapshot, reader: KeywordReader, request: CandidateRequest): Promise<Found> {
  const { query, words, pool, accepts, signal } = request
  const mustRead = query.phrases.length + query.names.length + query.excluded.length > 0
  const known = new Map<number, Judged>()
  for (let limit = mustRead ? Math.max(pool, FIRST_READ) : pool; ; limit *= READ_GROWTH) {
    const keywords = await searchKeywords(reader, query, { words, limit, accepts, signal })
    const found = keywords.map(({ chunkId }) => chunkId)
    const named = await namedChunks(reader, { name: query.name, accepts: accepts ?? (() => true), found })
    const ids = [...new Set([...named, ...found])]
    const unread = ids.filter((id) => !known.has(id))
    for (const loaded of await loadChunks(snapshot, unread, request.chunks))
      known.set(loaded.chunk.id, { ...loaded, factor: judgeText(loaded, query) })
    signal?.throwIfAborted()
    const judged = ids.flatMap((id) => {
      const entry = known.get(id)
      return entry && entry.factor !== false ? [{ ...entry, factor: entry.factor }] : []
    })
    const isDone = !mustRead || judged.length >= pool || keywords.length < limit || limit >= MAX_READ
    if (isDone) return { keywords, named, judged }
  }
}

/** Best chunks by words and by file name, scored by what the question could get, not yet cut by any later stage. */
export async function keywordCandidates(
  snapshot: StoreSnapshot,
  reader: KeywordReader,
  request: CandidateRequest,
): Promise<readonly Candidate[]> {
  const { query, words, pool } = request
  const found = await findCandidates(snapshot, reader, request)
  const keywords = new Map(found.keywords.map((entry) => [entry.chunkId, entry]))
  const possible = possibleScore(words, query, reader.liveCount)
  const judged = found.judged.map(({ factor, ...loaded }) => ({
    ...loaded,
    raw: (keywords.get(loaded.chunk.id)?.score ?? 0) * factor * markFactor(loaded.chunk),
  }))
  const greatest = Math.max(0, ...judged.map(({ raw }) => raw))
  // Above whatever holds its words apart.
  const raised =
    query.names.length === 0 ? judged : judged.map((one) => (holdsName(one, query) ? { ...one, raw: one.raw + greatest } : one))
  const scored = raised.map((one) => ({ ...one, content: keywordScore(one.raw / possible) }))
  const best = Math.max(0, ...scored.map(({ content }) => content))
  const candidates = scored.map(({ content, ...loaded }): Omit<Candidate, 'rank' | 'keywordRank'> => {
    const { chunk, document } = loaded
    const pathMatch = found.named.has(chunk.id) ? pathMatchOf(document.path, query.name) : undefined
    const fused = pathMatch ? leadOfName(pathMatch, { best, content }) : content
    return {
      ...loaded,
      keywords: keywords.get(chunk.id),
      possible,
      words: content,
      pathMatch,
      listScore: fused,
      fused,
      score: fused,
    }
  })
  return cutPool(candidates, pool).map((candidate, at) => ({ ...candidate, rank: at + 1, keywordRank: at + 1 }))
}

/** A file the query names is a sure hit, whatever its content scores. */
const LEAST_OF_NAME = 0.8

/** Scores end at 1: a named file takes a share of what is left above the best content, the more the closer its name. */
export function leadOfName(match: PathMatch, { best, content }: { readonly best: number; readonly content: number }): number {
  const base = Math.max(best, LEAST_OF_NAME)
  const share = NAME_LEAD[match] / (NAME_LEAD.exact + 1)
  return base + (1 - base) * (share + content / (2 * (NAME_LEAD.exact + 1)))
}

type Scored = Pick<Candidate, 'chunk' | 'document' | 'fused'>

/** The best, in the order in which they are shown. Who is among them must depend neither on history nor on the alphabet. */
export function cutPool<Entry extends Scored>(
  entries: readonly Entry[],
  pool: number,
  order: (left: Entry, right: Entry) => number = (left, right) => right.fused - left.fused,
): Entry[] {
  const compare = (left: Entry, right: Entry): number => order(left, right) || compareTied(tiedOf(left), tiedOf(right))
  const best = entries.length > pool ? entries.toSorted(compare).slice(0, pool) : [...entries]
  return best.sort((left, right) => order(left, right) || comparePlaces(left, right))
}

function tiedOf({ chunk, document }: Pick<Candidate, 'chunk' | 'document'>): TiedChunk {
  return { document: chunk.document, ordinal: chunk.ordinal, day: dayOfChunk(chunk.attributes, document) }
}

/** Path, then line: the last word where scores are equal. */
export function comparePlaces(left: Pick<Candidate, 'chunk'>, right: Pick<Candidate, 'chunk'>): number {
  const [a, b] = [left.chunk, right.chunk]
  if (a.document.path !== b.document.path) return a.document.path < b.document.path ? -1 : 1
  return a.startLine - b.startLine || a.ordinal - b.ordinal
}
