import type { HitExplanation, StoredChunk } from '@mnemark/spec'
import type { KeywordCandidate } from '../keywords/keyword-search.ts'
import type { LoadedChunk } from './loaded-chunks.ts'

export type PathMatch = 'exact' | 'name' | 'stem'

/** A chunk on its way through the pipeline, with what each stage said of it. */
export interface Candidate extends LoadedChunk {
  readonly keywords?: KeywordCandidate | undefined
  /** Keyword score after the factors of its text and marks; 0 without a keyword match. */
  readonly raw: number
  /** Place in the keyword list, from 1. */
  readonly keywordRank?: number
  readonly vectors?: HitExplanation['vectors']
  /** Place among all candidates before decay, from 1. */
  readonly rank: number
  readonly pathMatch?: PathMatch | undefined
  /** Fused score before decay. */
  readonly fused: number
  /** After decay. */
  readonly score: number
  readonly decay?: HitExplanation['decay']
  readonly mmr?: HitExplanation['mmr']
  /** Set for the newest version of an entry, which has the place and the score of the best one; `score` here is its own. */
  readonly standsIn?: { readonly chunk: StoredChunk; readonly score: number } | undefined
}
