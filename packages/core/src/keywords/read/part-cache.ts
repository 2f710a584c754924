import { SizedCache } from '../../sized-cache.ts'
import type { Part } from './posting-list.ts'

/** Bytes of decoded postings kept between searches. */
const MAX_BYTES = 16_000_000
/** What an entry costs beside its postings; also of a key that a segment does not have. */
const ENTRY_BYTES = 100

/**
 * Decoded postings of segments, least recently used first out. What a search needs it holds itself: whatever is forgotten here costs
 * time only.
 */
export type PartCache = SizedCache<string, Part>

export function createPartCache(maxBytes: number = MAX_BYTES): PartCache {
  return new SizedCache(maxBytes, (part) => ENTRY_BYTES + part.byteLength)
}
