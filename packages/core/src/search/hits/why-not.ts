import {
  type CallOptions,
  citationOf,
  type SearchHit,
  type SearchReply,
  type StoreSnapshot,
  type StoredChunk,
  type StoredDocument,
} from '@mnemark/spec'
import { keywordScore } from '../../hybrid/list-score.ts'
import { cosineSimilarity } from '../../mmr/similarity.ts'
import type { KeywordQuery } from '../../keywords/query/keyword-query.ts'
import type { KeywordReader } from '../../keywords/read/keyword-reader.ts'
import { searchKeywords } from '../../keywords/query/keyword-search.ts'
import { possibleScore } from '../../keywords/query/question-worth.ts'
import type { WeighedWord } from '../../keywords/query/weigh-query.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { judgeText } from '../candidates/keyword-candidates.ts'
import { loadedChunk } from '../candidates/loaded-chunks.ts'
import { explain } from './make-hit.ts'
import type { LeftBehind, Ranking } from '../rank-candidates.ts'
import type { VersionedHit } from '../versions/stand-for-versions.ts'
import type { QueryVector } from '../candidates/vector-candidates.ts'

type Why = NonNullable<SearchReply['why']>

export interface WhyRequest extends CallOptions {
  readonly place: { readonly path: string; readonly line?: number }
  readonly sources: readonly string[]
  readonly query: KeywordQuery
  /** Words of the query, weighed by `weighQuery`. */
  readonly words: readonly WeighedWord[]
  readonly candidates: readonly Candidate[]
  readonly ranking: Ranking
  readonly leftBehind: ReadonlyMap<number, LeftBehind>
  /** The shown hits, as ranked and in their final form. */
  readonly shown: readonly VersionedHit[]
  readonly hits: readonly SearchHit[]
  /** Requested number of hits. */
  readonly limit: number
  readonly accepts?: ((chunkId: number) => boolean) | undefined
  /** Set where vectors were compared. */
  readonly space?: QueryVector | undefined
}

const LEFT_BEHIND: Readonly<Record<LeftBehind, string>> = {
  threshold: 'its score is below minScore and no word of the query is in it',
  repeat: 'another hit stands for it: it says the same, or is a near copy whose differing words are listed under it (versions)',
  version: 'a hit with the same wording and other values stands for it and lists it (versions)',
  diversity: 'hits of other files or with something else to say took its place: three of one file or a like text stand before it',
  limit: 'better hits filled the places; ask for more with a higher limit',
}

interface Place {
  readonly document: StoredDocument
  readonly chunks: readonly StoredChunk[]
}

async function chunksAt(snapshot: StoreSnapshot, request: WhyRequest): Promise<Place | undefined> {
  const { path, line } = request.place
  const documents = await snapshot.documentsOf(request.sources.map((source) => ({ source, path })))
  const document = documents[0]
  if (!document) return undefined
  const chunks = await snapshot.chunksOf(document)
  const isHere = ({ startLine, endLine }: StoredChunk) => line === undefined || (startLine <= line && line <= endLine)
  return { document, chunks: chunks.filter(isHere) }
}

function shown(chunk: StoredChunk): string {
  return citationOf(chunk.document.path, chunk.startLine, chunk.endLine)
}

function agedBy({ decay }: Candidate): string {
  if (!decay || decay.factor >= 0.995) return ''
  return ` before its age counted (${decay.ageDays} days, which leave ${Math.round(decay.factor * 1000) / 10} %)`
}

/** Greatest similarity of these chunks to the query; undefined where none has a vector. */
async function similarityOf(
  snapshot: StoreSnapshot,
  chunks: readonly StoredChunk[],
  space: QueryVector,
): Promise<number | undefined> {
  const vectors = await snapshot.vectors(
    space.fingerprint,
    chunks.flatMap(({ inputs }) => inputs),
  )
  const similarities = [...vectors.values()].flatMap((vector) => (vector ? cosineSimilarity(vector, space.vector) : []))
  return similarities.length === 0 ? undefined : Math.max(...similarities)
}

function leastSimilarity(candidates: readonly Candidate[]): string {
  const near = candidates.flatMap(({ vectors }) => vectors?.similarity ?? [])
  return near.length === 0 ? '' : `; the last of the ${near.length} nearest has ${Math.min(...near).toFixed(2)}`
}

/** Explains why a passage is not in the answer, or where it is: follows its chunks through the same stages. */
export async function whyNot(snapshot: StoreSnapshot, reader: KeywordReader, request: WhyRequest): Promise<Why> {
  const { path, line } = request.place
  const place = await chunksAt(snapshot, request)
  if (!place)
    return {
      reason: 'not-indexed',
      detail: `${path} is not in the index. Check its spelling, or run \`mnemark status\` for files that were left out.`,
    }
  const { document, chunks } = place
  if (chunks.length === 0) return { reason: 'not-indexed', detail: `${path} has no indexed text at line ${line}.` }
  const ids = new Set(chunks.map(({ id }) => id))
  const isHere = ({ chunk }: Candidate) => ids.has(chunk.id)

  const returned = request.hits.findIndex(
    (hit) => hit.path === path && chunks.some((chunk) => chunk.startLine === hit.startLine && chunk.endLine === hit.endLine),
  )
  const candidate = [...request.shown.map(({ hit }) => hit), ...request.ranking.aged, ...request.candidates].find(isHere)
  const explanation = candidate && { explain: explain(candidate) }
  if (returned >= 0) return { reason: 'returned', detail: `It is hit ${returned + 1} of ${request.hits.length}.`, ...explanation }
  if (candidate) {
    const reason = request.leftBehind.get(candidate.chunk.id) ?? 'limit'
    return {
      reason,
      detail: `${shown(candidate.chunk)} ranked ${candidate.rank} of ${request.candidates.length}${agedBy(candidate)}, but ${LEFT_BEHIND[reason]}.`,
      ...explanation,
    }
  }
  if (!chunks.some(({ id }) => request.accepts?.(id) ?? true))
    return { reason: 'filtered', detail: `The filters of this search leave ${path} out.` }
  const { phrases, excluded } = request.query
  if (
    phrases.length + excluded.length > 0 &&
    chunks.every((chunk) => judgeText(loadedChunk(chunk, document), request.query) === false)
  )
    return { reason: 'filtered', detail: `${path} lacks a quoted phrase of the query, or holds a word it excludes.` }
  const { query, words, signal } = request
  const alone = await searchKeywords(reader, query, { words, limit: 1, accepts: (id) => ids.has(id), signal })
  const best = alone[0]
  const similarity = request.space && (await similarityOf(snapshot, chunks, request.space))
  const near =
    similarity === undefined
      ? ''
      : ` Its similarity to the query is ${similarity.toFixed(2)}${leastSimilarity(request.candidates)}.`
  if (!best)
    return {
      reason: 'no-match',
      detail: `No word of the query, in any form, is in ${path}${line === undefined ? '' : ` at line ${line}`}.${near}`,
    }
  if (request.hits.length < request.limit && best.matched.length === 0)
    return {
      reason: 'no-match',
      detail: `No word of the query is in ${path}; some words there only resemble it, less than those of ${request.candidates.length} other places.${near}`,
    }
  const last = request.candidates.at(-1)
  const bar = last?.keywords ? `, the last of ${request.candidates.length} candidates has ${last.words.toFixed(2)}` : ''
  const score = keywordScore(best.score / possibleScore(words, query, reader.liveCount))
  return {
    reason: 'outside-pool',
    detail: `It matches with a keyword score of ${score.toFixed(2)}${bar}; a higher limit looks at more candidates.${near}`,
  }
}
