import type { HitExplanation, StoredChunk } from '@mnemark/spec'
import type { KeywordCandidate } from '../../keywords/query/keyword-search.ts'
import type { NameMatch } from '../../keywords/query/name-matches.ts'
import type { LoadedChunk } from './loaded-chunks.ts'

/** A chunk on its way through the pipeline, with what each stage said of it. */
export interface Candidate extends LoadedChunk {
  readonly keywords?: KeywordCandidate | undefined
  /** Keyword score after the factors of its text and marks; 0 without a keyword match. */
  readonly raw: number
  /** The most the question could get: see `possibleScore`. */
  readonly possible: number
  /** By words alone, 0..1; 0 without a keyword match. */
  readonly words: number
  /** Place in the keyword list, from 1. */
  readonly keywordRank?: number
  readonly vectors?: HitExplanation['vectors']
  /** Place among all candidates before decay, from 1. */
  readonly rank: number
  readonly fusion?: HitExplanation['fusion']
  /** How the query names its note or section. */
  readonly nameMatch?: NameMatch | undefined
  /** Orders before any score: see `leadOf`. */
  readonly lead: number
  /** What `minScore` is compared with where no word matches: by words alone `fused`, else the joined score of the lists. */
  readonly listScore: number
  /** Before decay, on the scale of all answers. */
  readonly fused: number
  /** After decay. */
  readonly score: number
  readonly decay?: HitExplanation['decay']
  readonly mmr?: HitExplanation['mmr']
  /** Set for the newest version of an entry, which has the place and the score of the best one; `score` here is its own. */
  readonly standsIn?: { readonly chunk: StoredChunk; readonly score: number } | undefined
}

/** Of a candidate that no list has ranked. */
export const UNRANKED: Pick<Candidate, 'raw' | 'possible' | 'words' | 'lead' | 'listScore' | 'fused' | 'score'> = {
  raw: 0,
  possible: 0,
  words: 0,
  lead: 0,
  listScore: 0,
  fused: 0,
  score: 0,
}
