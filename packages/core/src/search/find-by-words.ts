import type { Degradation } from '@mnemark/spec'
import { type KeywordQuery, type QueryPhrase, withoutPhrases } from '../keywords/query/keyword-query.ts'
import type { KeywordReader } from '../keywords/read/keyword-reader.ts'
import type { Candidate } from './candidates/candidate.ts'
import { type CandidateRequest, holdsName, keywordCandidates } from './candidates/keyword-candidates.ts'
import type { ChunkSnapshot } from './candidates/loaded-chunks.ts'
import type { RankedHit } from './rank-candidates.ts'

/** The candidates by words, and the query in the form that found them. */
export interface ByWords {
  readonly query: KeywordQuery
  readonly candidates: readonly Candidate[]
  /** The part of the query that could not be met, reported although there are hits. */
  readonly relaxed?: Degradation
}

/** Relaxes phrases that no chunk holds, if there are other words: first to any of several phrases, then to the words of each. */
export async function findByWords(snapshot: ChunkSnapshot, reader: KeywordReader, request: CandidateRequest): Promise<ByWords> {
  const { query } = request
  const { phrases } = query
  const candidates = await keywordCandidates(snapshot, reader, request)
  if (candidates.length > 0 || phrases.length === 0 || query.isPhraseOnly) return { query, candidates }
  const shown = phrases.map(quoted)
  if (phrases.length > 1) {
    const any: KeywordQuery = { ...query, isAnyPhrase: true }
    const found = await keywordCandidates(snapshot, reader, { ...request, query: any })
    const message = `No place holds all of ${shown.join(', ')}: places with some of them are shown.`
    if (found.length > 0) return { query: any, candidates: found, relaxed: { code: 'phrase-relaxed', message } }
  }
  const apart = withoutPhrases(query)
  const message = `No place holds ${shown.join(' or ')} as it stands: places with its words apart are shown.`
  return {
    query: apart,
    candidates: await keywordCandidates(snapshot, reader, { ...request, query: apart }),
    relaxed: { code: 'phrase-relaxed', message },
  }
}

function quoted({ text }: QueryPhrase): string {
  return `"${text}"`
}

/** Reports optional names that no hit holds. */
export function relaxedNames({ names, ...rest }: KeywordQuery, hits: readonly RankedHit[]): readonly Degradation[] {
  if (names.length === 0 || hits.length === 0 || hits.some(({ hit }) => holdsName(hit, { ...rest, names }))) return []
  const message = `No place holds ${names.map(quoted).join(' or ')} as it stands: places with its words apart are shown.`
  return [{ code: 'phrase-relaxed', message }]
}

/** Reports exclusions as the cause of an empty answer, and which ones. */
export async function allExcluded(
  { query, candidates }: Pick<ByWords, 'query' | 'candidates'>,
  search: (query: KeywordQuery) => Promise<readonly Candidate[]>,
): Promise<readonly Degradation[]> {
  if (candidates.length > 0 || query.excluded.length === 0) return []
  const found = await search({ ...query, excluded: [] })
  if (found.length === 0) return []
  const signs = query.excluded.map(({ text }) => (/\s/.test(text) ? `-"${text}"` : `-${text}`)).join(' ')
  return [{ code: 'all-excluded', message: `Everything that was found is excluded by ${signs}. Leave the sign out to see it.` }]
}
