import type { HitExplanation, StoredChunk } from '@mnemark/spec'
import type { KeywordCandidate } from '../../keywords/query/keyword-search.ts'
import type { NameMatch } from '../../keywords/query/name-matches.ts'
import type { LoadedChunk } from './loaded-chunks.ts'

/** A chunk in the pipeline, with the results of each stage. */
export interface Candidate extends LoadedChunk {
  readonly keywords?: KeywordCandidate | undefined
  /** Keyword score after the factors of its text and marks; 0 without a keyword match. */
  readonly raw: number
  /** Maximum score of the question: see `possibleScore`. */
  readonly possible: number
  /** Score by words alone, 0..1; 0 without a keyword match. */
  readonly words: number
  /** Position in the keyword list, from 1. */
  readonly keywordRank?: number
  readonly vectors?: HitExplanation['vectors']
  /** Position among all candidates before decay, from 1. */
  readonly rank: number
  readonly fusion?: HitExplanation['fusion']
  /** How the query names its note or section. */
  readonly nameMatch?: NameMatch | undefined
  /** Orders before any score: see `leadOf`. */
  readonly lead: number
  /** Compared with `minScore` where no word matches: `fused` for words alone, else the joined score of the lists. */
  readonly listScore: number
  /** Score before decay, on one scale for all answers. */
  readonly fused: number
  /** Score after decay; after a reranker, that of the place. */
  readonly score: number
  readonly decay?: HitExplanation['decay']
  readonly rerank?: HitExplanation['rerank']
  readonly mmr?: HitExplanation['mmr']
  /** Set for the newest version of an entry, which takes the place and the score of the best one; `score` here is its own. */
  readonly standsIn?: { readonly chunk: StoredChunk; readonly score: number } | undefined
}

/** Defaults of a candidate that no list has ranked. */
export const UNRANKED: Pick<Candidate, 'raw' | 'possible' | 'words' | 'lead' | 'listScore' | 'fused' | 'score'> = {
  raw: 0,
  possible: 0,
  words: 0,
  lead: 0,
  listScore: 0,
  fused: 0,
  score: 0,
}
