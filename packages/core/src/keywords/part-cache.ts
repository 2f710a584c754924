import type { Part } from './posting-list.ts'

/** Bytes of decoded postings kept between searches. */
const MAX_BYTES = 16_000_000
/** What an entry costs beside its postings; also of a key that a segment does not have. */
const ENTRY_BYTES = 100

/** Decoded postings of segments, least recently used first out. Segments never change, so nothing here grows stale. */
export class PartCache {
  readonly #parts = new Map<string, Part | null>()
  #bytes = 0

  /** Null: the segment does not have the key. Undefined: not known. */
  get(entry: string): Part | null | undefined {
    const part = this.#parts.get(entry)
    if (part === undefined) return undefined
    this.#parts.delete(entry)
    this.#parts.set(entry, part)
    return part
  }

  set(entry: string, part: Part | null): void {
    this.#parts.set(entry, part)
    this.#bytes += sizeOf(part)
    for (const [oldest, dropped] of this.#parts) {
      if (this.#bytes <= MAX_BYTES) return
      this.#parts.delete(oldest)
      this.#bytes -= sizeOf(dropped)
    }
  }
}

function sizeOf(part: Part | null): number {
  return ENTRY_BYTES + (part?.byteLength ?? 0)
}
