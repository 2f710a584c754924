import { SizedCache } from '../../sized-cache.ts'
import type { Part } from './posting-list.ts'

/** Bytes of decoded postings kept between searches. */
const MAX_BYTES = 16_000_000
/** Bytes of an entry beside its postings, even for a key that a segment does not have. */
const ENTRY_BYTES = 100

/** Decoded postings of segments; evicts the least recently used. A search holds its own postings, so eviction costs time only. */
export type PartCache = SizedCache<string, Part>

export function createPartCache(maxBytes: number = MAX_BYTES): PartCache {
  return new SizedCache(maxBytes, (part) => ENTRY_BYTES + part.byteLength)
}
