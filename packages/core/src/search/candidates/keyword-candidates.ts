import type { CallOptions, StoredChunk } from '@mnemark/spec'
import { keywordScore } from '../../hybrid/list-score.ts'
import type { KeywordQuery } from '../../keywords/query/keyword-query.ts'
import type { KeywordReader } from '../../keywords/read/keyword-reader.ts'
import { type KeywordCandidate, searchKeywords } from '../../keywords/query/keyword-search.ts'
import { type NameMatch, nameMatches } from '../../keywords/query/name-matches.ts'
import { holdsPhrase } from '../../keywords/query/phrase.ts'
import { possibleScore } from '../../keywords/query/question-worth.ts'
import type { WeighedWord } from '../../keywords/query/weigh-query.ts'
import type { Candidate } from './candidate.ts'
import { cutPool, leadOf, withLead } from './lead.ts'
import { type ChunkCache, type ChunkSnapshot, type LoadedChunk, loadChunks } from './loaded-chunks.ts'

/** Candidates read first, and at most, where their texts decide: quoted phrases, excluded words. */
const FIRST_READ = 400
const MAX_READ = 6_400
const READ_GROWTH = 4
/** Superseded entries rank behind their successors; archived notes and copies, a little behind equals. */
const MARK_FACTORS = { superseded: 0.6, archived: 0.95, copy: 0.95 } as const

export interface CandidateRequest extends CallOptions {
  readonly chunks: ChunkCache
  readonly query: KeywordQuery
  /** Words of the query, weighed by `weighQuery`. */
  readonly words: readonly WeighedWord[]
  readonly pool: number
  readonly accepts?: ((chunkId: number) => boolean) | undefined
  /** Called with chunks as soon as they are read from the store. */
  readonly onRead?: ((chunks: readonly StoredChunk[]) => void) | undefined
}

export function markFactor(chunk: StoredChunk): number {
  const marks = chunk.attributes.marks ?? []
  const factorOf = (mark: keyof typeof MARK_FACTORS): number => (marks.includes(mark) ? MARK_FACTORS[mark] : 1)
  return factorOf('superseded') * factorOf('archived') * factorOf('copy')
}

/** Reads the text where words alone do not decide: false drops the candidate, a number is a factor of its score. */
export function judgeText(loaded: LoadedChunk, query: KeywordQuery, match?: NameMatch): number | false {
  if (query.phrases.length + query.excluded.length + query.compounds.length === 0) return 1
  const key = loaded.phraseKey()
  if (query.excluded.some((phrase) => holdsPhrase(key, phrase.key))) return false
  const held = query.phrases.filter((phrase) => holdsPhrase(key, phrase.key)).length
  // A note of the quoted name need not contain it.
  const isNamed = match !== undefined && match !== 'words'
  if (!isNamed && held < (query.isAnyPhrase ? 1 : query.phrases.length)) return false
  const hasCompound = query.compounds.some((compound) => holdsPhrase(key, compound))
  return (hasCompound ? 1 + query.tuning.compoundBonus : 1) * (query.isAnyPhrase ? Math.max(1, held) : 1)
}

export function holdsName(loaded: LoadedChunk, { names }: KeywordQuery): boolean {
  return names.some(({ key }) => holdsPhrase(loaded.phraseKey(), key))
}

interface Judged extends LoadedChunk {
  /** Factor of its text: see `judgeText`. */
  readonly factor: number | false
}

interface Found {
  readonly keywords: readonly KeywordCandidate[]
  readonly named: ReadonlyMap<number, NameMatch>
  readonly judged: readonly (Judged & { readonly factor: number })[]
}

/** The best chunks that pass `judgeText`; where many do not, as with a common phrase, more are read until the pool is full. */
async function findCandidates(snapshot: ChunkSnapshot, reader: KeywordReader, request: CandidateRequest): Promise<Found> {
  const { query, words, pool, accepts, signal } = request
  const mustRead = query.phrases.length + query.names.length + query.excluded.length > 0
  const known = new Map<number, Judged>()
  const named = await nameMatches(reader, query.name, accepts)
  for (let limit = mustRead ? Math.max(pool, FIRST_READ) : pool; ; limit *= READ_GROWTH) {
    const keywords = await searchKeywords(reader, query, { words, limit, accepts, signal })
    const ids = [...new Set([...named.keys(), ...keywords.map(({ chunkId }) => chunkId)])]
    const unread = ids.filter((id) => !known.has(id))
    for (const loaded of await loadChunks(snapshot, unread, request.chunks, request.onRead))
      known.set(loaded.chunk.id, { ...loaded, factor: judgeText(loaded, query, named.get(loaded.chunk.id)) })
    signal?.throwIfAborted()
    const judged = ids.flatMap((id) => {
      const entry = known.get(id)
      return entry && entry.factor !== false ? [{ ...entry, factor: entry.factor }] : []
    })
    const isDone = !mustRead || judged.length >= pool || keywords.length < limit || limit >= MAX_READ
    if (isDone) return { keywords, named, judged }
  }
}

/** The best chunks by words and by file name, scored against the question's maximum, before any later stage. */
export async function keywordCandidates(
  snapshot: ChunkSnapshot,
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
  // Ranks chunks that hold a name above all that only hold its words.
  const raised =
    query.names.length === 0 ? judged : judged.map((one) => (holdsName(one, query) ? { ...one, raw: one.raw + greatest } : one))
  const candidates = raised.map((one): Omit<Candidate, 'rank' | 'keywordRank'> => {
    const { chunk } = one
    const nameMatch = found.named.get(chunk.id)
    const words = keywordScore(one.raw / possible)
    const scores = { words, listScore: words, fused: words, score: words }
    return { ...one, keywords: keywords.get(chunk.id), possible, nameMatch, lead: leadOf(chunk, nameMatch), ...scores }
  })
  return cutPool(withLead(candidates), pool).map((candidate, at) => ({
    ...candidate,
    score: candidate.fused,
    rank: at + 1,
    keywordRank: at + 1,
  }))
}
