import type { Degradation, SearchReply } from './backend.ts'
import type { CallOptions } from './call-options.ts'
import type { ChunkFilter, StoredChunk, StoreSnapshot } from './store.ts'

/** Ids of chunks; a set, or a map from them. */
export type ChunkIds = Pick<ReadonlySet<number>, 'has' | 'size'>

/** One part of the index that a question is asked of, with best chunks of its own. */
export interface SearchLeg {
  /**
   * Searched by words instead of the question: such as the question without the name that everything here is about. Vectors are compared with
   * the question in any case.
   */
  readonly text?: string
  /** Other names of what the text names: they count where they are found, and do not count as missing elsewhere. */
  readonly names?: readonly string[]
  /** Another text that `entries` are weighed by, and other names of what it names. Default: the text and names of the leg. */
  readonly entriesBy?: { readonly text: string; readonly names?: readonly string[] }
  /** Days are YYYY-MM-DD here. */
  readonly filter?: ChunkFilter
  /** Only these chunks, by id. */
  readonly chunks?: ChunkIds
  /** None of these chunks, by id: cheaper than a filter where they are known. */
  readonly except?: ChunkIds
  /** Most hits, from 1 to 1,000. */
  readonly limit: number
  /** True: equal texts are one hit, and a note has its share of the first places, as in a search; else every chunk stands for itself. */
  readonly isDistinct?: boolean
}
export interface LegsQuery<Name extends string = string> extends CallOptions {
  readonly text: string
  /** A leg that is null has no hits. */
  readonly legs: Readonly<Record<Name, SearchLeg | null>>
  /** True: nothing is sent to a provider. */
  readonly keywordsOnly?: boolean
}
/** A bullet, table row, paragraph line or sentence of a chunk. */
export interface LegEntry {
  readonly text: string
  /** Lines of the file, from 1, both inclusive. */
  readonly startLine: number
  readonly endLine: number
  /** Share of the content words of the text that it holds, 0..1, rare words counting more; other names add to it. */
  readonly share: number
}
export interface LegHit {
  readonly chunk: StoredChunk
  /** First and last day of the chunk, else of its document; absent where undated. */
  readonly from?: string
  readonly to?: string
  /** On the scale of `SearchHit.score`. */
  readonly score: number
  /** As `SearchHit.share`, of the text of this leg. */
  readonly share: number
  /** Its entries in their order, weighed by `entriesBy`. Computed when called. */
  readonly entries: () => readonly LegEntry[]
}
export interface LegsReply<Name extends string = string>
  extends Pick<SearchReply, 'mode' | 'provider' | 'model' | 'requestedProvider' | 'degraded'> {
  /** Best first. */
  readonly legs: Readonly<Record<Name, readonly LegHit[]>>
}

/** One state of an index, brought up to date before. */
export interface IndexView {
  readonly snapshot: StoreSnapshot
  readonly degraded: readonly Degradation[]
  readonly stale: boolean
  /**
   * Asks several parts of the index one question: one query vector, one analysis, one scoring. Throws ConfigError for invalid limits. Nothing
   * is hidden as a repeat, a version or by its file, but where a leg wishes so.
   */
  searchLegs<Name extends string>(query: LegsQuery<Name>): Promise<LegsReply<Name>>
}
export interface IndexViews {
  /** Brings the index up to date as a search does and hands over one state of it, which is released when `use` has settled. */
  withIndex<Result>(use: (view: IndexView) => Promise<Result>, options?: CallOptions): Promise<Result>
}
