import { bitCount, countBits, isIn, putIn } from '../format/bits.ts'
import { ByteReader } from '../format/byte-reader.ts'
import { damagedSegment } from '../format/damaged-segment.ts'
import { countPostings, type Postings, readPostings } from '../format/postings.ts'
import type { Saturation } from './saturation.ts'

/** Weight of occurrences in a chunk: factor · saturation. */
export interface Weighing {
  readonly factor: number
  readonly saturation: Pick<Saturation, 'of'>
}

/** The chunks of one segment that hold a term, by ordinals of the reader. */
export interface Part {
  readonly from: number
  readonly to: number
  readonly count: number
  /** Bytes of memory. */
  readonly byteLength: number
  frequencyAt(ordinal: number): number
  addTo(scores: Float64Array, weighing: Weighing): void
  appendTo(target: Postings, offset: number): void
}

/** Deleted chunks of a segment, in bits by ordinal. */
export type DeadChunks = Uint8Array

class ArrayPart implements Part {
  readonly from: number
  readonly to: number
  readonly #postings: Postings

  constructor(postings: Postings, from: number, to: number) {
    this.#postings = postings
    this.from = from
    this.to = to
  }

  get count(): number {
    return this.#postings.ordinals.length
  }

  get byteLength(): number {
    return this.#postings.ordinals.byteLength + this.#postings.frequencies.byteLength
  }

  frequencyAt(ordinal: number): number {
    const { ordinals, frequencies } = this.#postings
    let low = 0
    let high = ordinals.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1
      else high = middle
    }
    return ordinals[low] === ordinal ? (frequencies[low] ?? 1) : 0
  }

  addTo(scores: Float64Array, { factor, saturation }: Weighing): void {
    const { ordinals, frequencies } = this.#postings
    for (let at = 0; at < ordinals.length; at += 1) {
      const ordinal = ordinals[at] ?? 0
      const frequency = frequencies[at] ?? 1
      scores[ordinal] = (scores[ordinal] ?? 0) + factor * saturation.of(ordinal, frequency)
    }
  }

  appendTo(target: Postings, offset: number): void {
    target.ordinals.set(this.#postings.ordinals, offset)
    target.frequencies.set(this.#postings.frequencies, offset)
  }
}

const RANK_BYTES = 16

/** Bits with the count of set bits before each block, so that a rank is a short walk. */
class RankedBits {
  readonly bytes: Uint8Array
  readonly count: number
  readonly #before: Uint32Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#before = new Uint32Array(Math.ceil(bytes.length / RANK_BYTES) + 1)
    let count = 0
    for (let at = 0; at < bytes.length; at += 1) {
      if (at % RANK_BYTES === 0) this.#before[at / RANK_BYTES] = count
      count += bitCount(bytes[at] ?? 0)
    }
    this.count = count
  }

  has(bit: number): boolean {
    return isIn(this.bytes, bit)
  }

  rank(bit: number): number {
    const byte = bit >>> 3
    const stretch = Math.floor(byte / RANK_BYTES)
    let count = this.#before[stretch] ?? 0
    for (let at = stretch * RANK_BYTES; at < byte; at += 1) count += bitCount(this.bytes[at] ?? 0)
    return count + bitCount((this.bytes[byte] ?? 0) & ((1 << (bit & 7)) - 1))
  }
}

/** A list in bit form: see `writePostings`. */
interface PackedPostings {
  readonly chunks: Uint8Array
  readonly more: Uint8Array | undefined
  readonly counts: Uint8Array | undefined
}

function readPacked(reader: ByteReader, maxFrequency: number): PackedPostings {
  const count = Math.floor(reader.varint() / 2)
  const chunks = reader.slice(reader.varint())
  if (countBits(chunks) !== count) throw damagedSegment('a list has another length than it says')
  const more = maxFrequency > 1 ? reader.slice((count + 7) >>> 3) : undefined
  return { chunks, more, counts: maxFrequency > 2 ? reader.slice(reader.end - reader.at) : undefined }
}

function withoutDead({ chunks, more, counts }: PackedPostings, dead: DeadChunks): PackedPostings {
  const live = chunks.map((byte, at) => byte & ~(dead[at] ?? 0))
  if (more === undefined) return { chunks: live, more, counts }
  const liveMore = new Uint8Array(more.length)
  const liveCounts = counts && new Uint8Array(counts.length)
  let [posting, counted, livePosting, liveCounted] = [0, 0, 0, 0]
  for (let byte = 0; byte < chunks.length; byte += 1) {
    const lives = live[byte] ?? 0
    for (let bits = chunks[byte] ?? 0; bits !== 0; bits &= bits - 1) {
      const isLive = (lives & bits & -bits) !== 0
      if (isIn(more, posting)) {
        if (isLive) {
          putIn(liveMore, livePosting)
          if (liveCounts) liveCounts[liveCounted] = counts?.[counted] ?? 2
          liveCounted += 1
        }
        counted += 1
      }
      posting += 1
      if (isLive) livePosting += 1
    }
  }
  return { chunks: live, more: liveMore.slice(0, (livePosting + 7) >>> 3), counts: liveCounts?.slice(0, liveCounted) }
}

/** A list in bits stays packed: most queries look only a few chunks up in it. */
class BitPart implements Part {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly byteLength: number
  readonly #chunks: RankedBits
  readonly #more: RankedBits | undefined
  readonly #counts: Uint8Array | undefined

  constructor({ chunks, more, counts }: PackedPostings, range: { readonly from: number; readonly to: number }) {
    this.from = range.from
    this.to = range.to
    this.byteLength = chunks.length + (more?.length ?? 0) + (counts?.length ?? 0)
    this.#chunks = new RankedBits(chunks)
    this.count = this.#chunks.count
    if (more) this.#more = new RankedBits(more)
    this.#counts = counts
  }

  frequencyAt(ordinal: number): number {
    const bit = ordinal - this.from
    return this.#chunks.has(bit) ? this.#frequencyOf(this.#more === undefined ? 0 : this.#chunks.rank(bit)) : 0
  }

  #frequencyOf(posting: number): number {
    if (this.#more === undefined || !this.#more.has(posting)) return 1
    return this.#counts === undefined ? 2 : (this.#counts[this.#more.rank(posting)] ?? 2)
  }

  addTo(scores: Float64Array, { factor, saturation }: Weighing): void {
    const { bytes } = this.#chunks
    const more = this.#more?.bytes
    const counts = this.#counts
    let posting = 0
    let counted = 0
    for (let byte = 0; byte < bytes.length; byte += 1) {
      const first = this.from + byte * 8 + 31
      for (let bits = bytes[byte] ?? 0; bits !== 0; bits &= bits - 1) {
        const ordinal = first - Math.clz32(bits & -bits)
        let frequency = 1
        if (more !== undefined && (((more[posting >>> 3] ?? 0) >>> (posting & 7)) & 1) === 1) {
          frequency = counts === undefined ? 2 : (counts[counted++] ?? 2)
        }
        posting += 1
        scores[ordinal] = (scores[ordinal] ?? 0) + factor * saturation.of(ordinal, frequency)
      }
    }
  }

  appendTo(target: Postings, offset: number): void {
    let posting = offset
    const { bytes } = this.#chunks
    for (let byte = 0; byte < bytes.length; byte += 1) {
      for (let bits = bytes[byte] ?? 0; bits !== 0; bits &= bits - 1) {
        target.ordinals[posting] = this.from + byte * 8 + 31 - Math.clz32(bits & -bits)
        target.frequencies[posting] = this.#frequencyOf(posting - offset)
        posting += 1
      }
    }
  }
}

export interface EncodedPart {
  readonly reader: ByteReader
  /** Ordinals of the segment, [from, to). */
  readonly from: number
  readonly to: number
  /** Undefined where all of them live. */
  readonly dead?: DeadChunks | undefined
}

const NOWHERE: Postings = { ordinals: new Uint32Array(0), frequencies: new Uint8Array(0) }
/** The part of a key that a segment lacks, or holds for deleted chunks only. */
export const NO_PART: Part = new ArrayPart(NOWHERE, 0, 0)

/** Decodes the postings of live chunks. Throws StoreError `corrupt` for damaged bytes. */
export function readPart({ reader, from, to, dead }: EncodedPart, maxFrequency: number): Part {
  const isDense = (reader.bytes[reader.at] ?? 0) % 2 === 1
  if (isDense) {
    // A copy: a view would keep its whole block in memory.
    const packed = readPacked(new ByteReader(reader.bytes.slice(reader.at, reader.end)), maxFrequency)
    return new BitPart(dead ? withoutDead(packed, dead) : packed, { from, to })
  }
  const count = countPostings(reader)
  const postings = { ordinals: new Uint32Array(count), frequencies: new Uint8Array(count) }
  readPostings(reader, postings, { offset: 0, base: from, maxFrequency })
  return new ArrayPart(dead ? livePostings(postings, from, dead) : postings, from, to)
}

function livePostings({ ordinals, frequencies }: Postings, from: number, dead: DeadChunks): Postings {
  let count = 0
  ordinals.forEach((ordinal, at) => {
    if (isIn(dead, ordinal - from)) return
    ordinals[count] = ordinal
    frequencies[count] = frequencies[at] ?? 1
    count += 1
  })
  return count === ordinals.length
    ? { ordinals, frequencies }
    : { ordinals: ordinals.slice(0, count), frequencies: frequencies.slice(0, count) }
}

/** Occurrences of one term in all segments. */
export class PostingList {
  readonly count: number
  readonly #parts: readonly Part[]

  /** Parts in the order of their ordinals. */
  constructor(parts: readonly Part[]) {
    this.#parts = parts
    this.count = parts.reduce((sum, part) => sum + part.count, 0)
  }

  /** Frequencies by ordinal, in any order. */
  static of(frequencies: ReadonlyMap<number, number>): PostingList {
    const ordinals = Uint32Array.from(frequencies.keys()).sort()
    const postings = { ordinals, frequencies: Uint8Array.from(ordinals, (ordinal) => frequencies.get(ordinal) ?? 0) }
    return new PostingList([new ArrayPart(postings, 0, Number.POSITIVE_INFINITY)])
  }

  /** Chunks in any of the lists; frequencies add up. */
  static unite(lists: readonly PostingList[]): PostingList {
    const [only] = lists
    if (only && lists.length === 1) return only
    const united = unitePostings(lists.map((list) => list.toPostings()))
    return new PostingList([new ArrayPart(united, 0, Number.POSITIVE_INFINITY)])
  }

  /** Occurrences in one chunk, capped by the channel; 0 = none. */
  frequencyAt(ordinal: number): number {
    for (const part of this.#parts) if (ordinal < part.to) return ordinal < part.from ? 0 : part.frequencyAt(ordinal)
    return 0
  }

  addTo(scores: Float64Array, weighing: Weighing): void {
    for (const part of this.#parts) part.addTo(scores, weighing)
  }

  greatestFrequency(): number {
    let greatest = 0
    for (const frequency of this.toPostings().frequencies) greatest = Math.max(greatest, frequency)
    return greatest
  }

  toPostings(): Postings {
    const postings = { ordinals: new Uint32Array(this.count), frequencies: new Uint8Array(this.count) }
    let offset = 0
    for (const part of this.#parts) {
      part.appendTo(postings, offset)
      offset += part.count
    }
    return postings
  }
}

/** Unites in pairs, so that many short lists stay cheap. */
function unitePostings(lists: readonly Postings[]): Postings {
  if (lists.length < 2) return lists[0] ?? NOWHERE
  const middle = lists.length >>> 1
  return uniteTwo(unitePostings(lists.slice(0, middle)), unitePostings(lists.slice(middle)))
}

function uniteTwo(left: Postings, right: Postings): Postings {
  const ordinals = new Uint32Array(left.ordinals.length + right.ordinals.length)
  const frequencies = new Uint8Array(ordinals.length)
  let length = 0
  for (let a = 0, b = 0; a < left.ordinals.length || b < right.ordinals.length; length += 1) {
    const first = left.ordinals[a] ?? Number.POSITIVE_INFINITY
    const second = right.ordinals[b] ?? Number.POSITIVE_INFINITY
    ordinals[length] = Math.min(first, second)
    let frequency = 0
    if (first <= second) frequency += left.frequencies[a++] ?? 0
    if (second <= first) frequency += right.frequencies[b++] ?? 0
    frequencies[length] = Math.min(255, frequency)
  }
  return { ordinals: ordinals.subarray(0, length), frequencies: frequencies.subarray(0, length) }
}
