import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import { damagedSegment } from './damaged-segment.ts'

/** Occurrences of a term: ascending ordinals, with parallel `frequencies` that the channel caps. */
export interface Postings {
  readonly ordinals: Uint32Array
  readonly frequencies: Uint8Array
}

export interface WriteOptions {
  readonly maxFrequency: number
  /** Chunks in the segment: a list of more than one in eight of them is stored as bits. */
  readonly segmentCount: number
  /** Range of postings to write: [from, to), by default all. */
  readonly from?: number
  readonly to?: number
}

const BITS_FROM = 8

/**
 * First the count, doubled, plus one for the bit form. Short form, per posting: delta of the ordinal, doubled, plus one
 * where the frequency is more than one, then that frequency if the channel counts beyond two. Bit form: one bit per
 * chunk, one bit per posting for "more than one", then the frequencies of those.
 */
export function writePostings(writer: ByteWriter, postings: Postings, options: WriteOptions): void {
  const { maxFrequency, segmentCount, from = 0, to = postings.ordinals.length } = options
  const isDense = (to - from) * BITS_FROM > segmentCount
  writer.varint((to - from) * 2 + (isDense ? 1 : 0))
  if (isDense) writeBits(writer, postings, { maxFrequency, segmentCount, from, to })
  else writeDeltas(writer, postings, { maxFrequency, segmentCount, from, to })
}

function writeDeltas(writer: ByteWriter, postings: Postings, { maxFrequency, from, to }: Required<WriteOptions>): void {
  const { ordinals, frequencies } = postings
  let previous = -1
  for (let at = from; at < to; at += 1) {
    const ordinal = ordinals[at] ?? 0
    const frequency = Math.min(frequencies[at] ?? 1, maxFrequency)
    writer.varint((ordinal - previous - 1) * 2 + (frequency > 1 ? 1 : 0))
    if (frequency > 1 && maxFrequency > 2) writer.byte(frequency)
    previous = ordinal
  }
}

function writeBits(writer: ByteWriter, postings: Postings, options: Required<WriteOptions>): void {
  const { ordinals, frequencies } = postings
  const { maxFrequency, segmentCount, from, to } = options
  const chunks = new Uint8Array((segmentCount + 7) >>> 3)
  const more = new Uint8Array((to - from + 7) >>> 3)
  const counts: number[] = []
  for (let at = from; at < to; at += 1) {
    const ordinal = ordinals[at] ?? 0
    chunks[ordinal >>> 3] = (chunks[ordinal >>> 3] ?? 0) | (1 << (ordinal & 7))
    const frequency = Math.min(frequencies[at] ?? 1, maxFrequency)
    if (frequency < 2) continue
    more[(at - from) >>> 3] = (more[(at - from) >>> 3] ?? 0) | (1 << ((at - from) & 7))
    counts.push(frequency)
  }
  writer.varint(chunks.length)
  writer.bytes(chunks)
  if (maxFrequency < 2) return
  writer.bytes(more)
  if (maxFrequency > 2) for (const count of counts) writer.byte(count)
}

/** Number of postings that follow; the reader does not move. */
export function countPostings(reader: ByteReader): number {
  const { at } = reader
  const count = Math.floor(reader.varint() / 2)
  reader.at = at
  return count
}

export interface ReadPlace {
  /** Position of the first posting in the target. */
  readonly offset: number
  /** Added to every ordinal. */
  readonly base: number
  readonly maxFrequency: number
}

/**
 * Fills `target` from `offset` on; returns the number of postings. The arrays must have room. Throws StoreError
 * `corrupt` for damaged bytes.
 */
export function readPostings(reader: ByteReader, target: Postings, place: ReadPlace): number {
  const head = reader.varint()
  const count = Math.floor(head / 2)
  if (head % 2 === 1) readBits(reader, target, { ...place, count })
  else readDeltas(reader, target, { ...place, count })
  return count
}

function readDeltas(
  reader: ByteReader,
  { ordinals, frequencies }: Postings,
  place: ReadPlace & { readonly count: number },
): void {
  const { bytes, end } = reader
  const hasCounts = place.maxFrequency > 2
  const last = place.offset + place.count
  let ordinal = place.base - 1
  let { at } = reader
  for (let posting = place.offset; posting < last; posting += 1) {
    // The varint is decoded inline: a search spends most of its time in this loop.
    let next = bytes[at++] ?? 0
    let coded = next & 0x7f
    for (let shift = 7; next > 0x7f; shift += 7) {
      next = bytes[at++] ?? 0
      coded |= (next & 0x7f) << shift
    }
    ordinal += (coded >>> 1) + 1
    ordinals[posting] = ordinal
    frequencies[posting] = (coded & 1) === 0 ? 1 : hasCounts ? (bytes[at++] ?? 1) : 2
  }
  if (at > end) throw damagedSegment('a list ends too early')
  reader.at = at
}

function readBits(reader: ByteReader, { ordinals, frequencies }: Postings, place: ReadPlace & { readonly count: number }): void {
  const chunks = reader.slice(reader.varint())
  let posting = place.offset
  for (let byte = 0; byte < chunks.length; byte += 1) {
    for (let bits = chunks[byte] ?? 0; bits !== 0; bits &= bits - 1) {
      ordinals[posting++] = place.base + byte * 8 + 31 - Math.clz32(bits & -bits)
    }
  }
  if (posting !== place.offset + place.count) throw damagedSegment('a list has another length than it says')
  frequencies.fill(1, place.offset, posting)
  if (place.maxFrequency < 2) return
  const more = reader.slice((place.count + 7) >>> 3)
  for (let at = 0; at < place.count; at += 1) {
    if (((more[at >>> 3] ?? 0) >>> (at & 7)) % 2 === 0) continue
    frequencies[place.offset + at] = place.maxFrequency > 2 ? reader.byte() : 2
  }
}
