import type { StoredChunk } from '@mnemark/spec'
import type { ChannelName } from '../format/channels.ts'
import type { PostingList } from './posting-list.ts'
import type { Saturation } from './saturation.ts'

/** Source of terms and counts for a keyword search. Ordinals number chunks, and are valid for one source only. */
export interface TermSource {
  /** One more than the greatest ordinal. */
  readonly size: number
  readonly liveCount: number
  idOf(ordinal: number): number
  /**
   * Below zero where the left chunk comes first among equals: the newer, then the smaller hash; zero where their keys
   * must decide.
   */
  compareEquals(left: number, right: number): number
  /** Chunks from the store: their keys decide where `compareEquals` finds a tie. */
  chunks(ids: readonly number[]): Promise<readonly StoredChunk[]>
  saturationOf(channel: ChannelName): Pick<Saturation, 'of'>
  /** Postings of each key that a live chunk has. */
  postings(keys: readonly string[]): Promise<ReadonlyMap<string, PostingList>>
  /** The first `limit` keys of live chunks that begin with `prefix`. */
  keysWithPrefix(prefix: string, limit: number): Promise<readonly string[]>
}
