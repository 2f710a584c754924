import type { ChunkAttributes, DocumentId, StoredDocument } from '../document.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a over UTF-16 units (Fowler, Noll, Vo), two steps per unit. */
function absorb(hash: number, text: string): number {
  let state = hash
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    state = Math.imul(state ^ (unit & 0xff), FNV_PRIME)
    state = Math.imul(state ^ (unit >>> 8), FNV_PRIME)
  }
  return state
}

/** The last mix of MurmurHash3, which spreads similar inputs. */
function scatter(hash: number): number {
  let state = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

/**
 * A 32-bit number that orders chunks of equal score and day: it depends on the chunk's identity, never on the time of
 * writing, and favours no folder.
 */
export function tieHash({ source, path, part }: DocumentId, ordinal: number): number {
  return scatter(absorb(FNV_OFFSET, `${source}\0${path}\0${part ?? ''}\0${ordinal}`))
}

/** The chunk's own first day, else its document's: YYYY-MM-DD. */
export function dayOfChunk(
  attributes: Pick<ChunkAttributes, 'from' | 'to'>,
  document: Pick<StoredDocument, 'from' | 'to'>,
): string | undefined {
  return attributes.from ?? attributes.to ?? document.from ?? document.to
}

/** The sort keys of a chunk among ties. */
export interface TiedChunk {
  readonly document: DocumentId
  readonly ordinal: number
  /** See `dayOfChunk`. */
  readonly day?: string | undefined
}

/**
 * The order of chunks whose scores or similarities are equal: the newer day first and no day last, then the smaller `tieHash`, then source,
 * path, part and ordinal.
 */
export function compareTied(left: TiedChunk, right: TiedChunk): number {
  return (
    compareText(right.day ?? '', left.day ?? '') ||
    tieHash(left.document, left.ordinal) - tieHash(right.document, right.ordinal) ||
    compareText(left.document.source, right.document.source) ||
    compareText(left.document.path, right.document.path) ||
    (left.document.part ?? -1) - (right.document.part ?? -1) ||
    left.ordinal - right.ordinal
  )
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
