import type { StoredChunk } from '@mnemark/spec'
import type { ChannelName } from '../format/channels.ts'
import type { PostingList } from './posting-list.ts'
import type { Saturation } from './saturation.ts'

/** Where a keyword search takes its terms and counts from. Ordinals number chunks, and say nothing beyond one source. */
export interface TermSource {
  /** One more than the greatest ordinal. */
  readonly size: number
  readonly liveCount: number
  idOf(ordinal: number): number
  /** Below zero where the left one comes first among equals: the newer, then the smaller hash; zero is left to their keys. */
  compareEquals(left: number, right: number): number
  /** Read from the store: the last word among chunks that `compareEquals` finds alike is that of their keys. */
  chunks(ids: readonly number[]): Promise<readonly StoredChunk[]>
  saturationOf(channel: ChannelName): Pick<Saturation, 'of'>
  /** Postings of each key that a chunk which lives has. */
  postings(keys: readonly string[]): Promise<ReadonlyMap<string, PostingList>>
  /** The first `limit` keys that begin with `prefix` and are of a chunk that lives. */
  keysWithPrefix(prefix: string, limit: number): Promise<readonly string[]>
}
