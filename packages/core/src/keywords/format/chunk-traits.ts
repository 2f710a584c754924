import type { KeywordBlock } from '@mnemark/spec'
import { dayNumber, isCalendarDay } from '../../dates/calendar/calendar-day.ts'
import { BlockWriter } from './block.ts'
import type { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { MEASURED } from './channels.ts'
import { damagedSegment } from './damaged-segment.ts'
import { writeIds } from './segment-header.ts'

/** Reserved keys before every channel, in the order in which they are written. */
export const DAYS_KEY = '\u0001d'
export const FIRSTS_KEY = '\u0001f'
export const HASHES_KEY = '\u0001h'
export const IDS_KEY = '\u0001i'
export const LENGTHS_KEY = '\u0001l'
export const TRAIT_KEYS: readonly string[] = [DAYS_KEY, FIRSTS_KEY, HASHES_KEY, IDS_KEY, LENGTHS_KEY]

/** Below every day, so that an undated chunk is never the newest. */
export const UNDATED: number = -(2 ** 31)

/** Data of each chunk in a segment beside its postings, by ordinal. */
export interface ChunkTraits {
  /** One list for each channel of MEASURED. */
  readonly lengths: readonly ArrayLike<number>[]
  /** Whole days since 1970-01-01, or UNDATED. */
  readonly days: ArrayLike<number>
  /** See `tieHash`. */
  readonly hashes: ArrayLike<number>
  /** 1 for the first chunk of a document, else 0: a document's chunks are adjacent. */
  readonly firsts: ArrayLike<number>
}

export interface DecodedTraits extends ChunkTraits {
  readonly lengths: readonly Uint32Array[]
  readonly days: Int32Array
  readonly hashes: Uint32Array
  readonly firsts: Uint8Array
}

export function dayOrUndated(day: string | undefined): number {
  return day !== undefined && isCalendarDay(day) ? dayNumber(day) : UNDATED
}

export function emptyTraits(count: number): DecodedTraits {
  return {
    lengths: MEASURED.map(() => new Uint32Array(count)),
    days: new Int32Array(count).fill(UNDATED),
    hashes: new Uint32Array(count),
    firsts: new Uint8Array(count),
  }
}

export function copyTraits(from: DecodedTraits, at: number, to: DecodedTraits, place: number): void {
  to.lengths.forEach((channel, index) => {
    channel[place] = from.lengths[index]?.[at] ?? 0
  })
  to.days[place] = from.days[at] ?? UNDATED
  to.hashes[place] = from.hashes[at] ?? 0
  to.firsts[place] = from.firsts[at] ?? 0
}

/**
 * Below zero where the left chunk comes first among equals: the newer, then the smaller hash; zero where their keys
 * must decide.
 */
export function compareTraits({ days, hashes }: Pick<ChunkTraits, 'days' | 'hashes'>, left: number, right: number): number {
  return (days[right] ?? UNDATED) - (days[left] ?? UNDATED) || (hashes[left] ?? 0) - (hashes[right] ?? 0)
}

/** Everything but the ids, in the order of the keys before and after theirs. */
export interface EncodedTraits {
  readonly days: Uint8Array
  readonly firsts: Uint8Array
  readonly hashes: Uint8Array
  readonly lengths: Uint8Array
}

export function encodeTraits(traits: ChunkTraits, count: number): EncodedTraits {
  return {
    days: encodeDays(traits.days, count),
    firsts: encodeFirsts(traits.firsts, count),
    hashes: encodeHashes(traits.hashes, count),
    lengths: encodeLengths(traits.lengths, count),
  }
}

/** Decodes the values of TRAIT_KEYS except the ids. Throws StoreError `corrupt` where one is missing or damaged. */
export function decodeTraits(values: ReadonlyMap<string, ByteReader>, count: number): DecodedTraits {
  const valueOf = (key: string): ByteReader => {
    const value = values.get(key)
    if (!value) throw damagedSegment('a segment has lost its first blocks')
    return value
  }
  return {
    lengths: decodeLengths(valueOf(LENGTHS_KEY), count),
    days: decodeDays(valueOf(DAYS_KEY), count),
    hashes: decodeHashes(valueOf(HASHES_KEY), count),
    firsts: decodeFirsts(valueOf(FIRSTS_KEY), count),
  }
}

/** First blocks of a segment: which chunks its ordinals are, and the traits of each. */
export function traitBlocks(ids: readonly number[], { days, firsts, hashes, lengths }: EncodedTraits): KeywordBlock[] {
  const blocks: KeywordBlock[] = []
  const writer = new BlockWriter((block) => blocks.push(block))
  const put = (key: string, write: (value: ByteWriter) => void): void => {
    const [name, value] = [new ByteWriter(8), new ByteWriter()]
    name.utf8(key)
    write(value)
    writer.put(name, value)
  }
  put(DAYS_KEY, (value) => value.bytes(days))
  put(FIRSTS_KEY, (value) => value.bytes(firsts))
  put(HASHES_KEY, (value) => value.bytes(hashes))
  put(IDS_KEY, (value) => writeIds(value, ids))
  put(LENGTHS_KEY, (value) => value.bytes(lengths))
  writer.finish()
  return blocks
}

export function totalsOf(lengths: readonly ArrayLike<number>[]): number[] {
  return lengths.map((channel) => {
    let total = 0
    for (let at = 0; at < channel.length; at += 1) total += channel[at] ?? 0
    return total
  })
}

/** Runs of one day: number of chunks, then 0 for undated, else one more than the zigzag-coded distance from the last day. */
function encodeDays(days: ArrayLike<number>, count: number): Uint8Array {
  const writer = new ByteWriter(64)
  let last = 0
  for (let at = 0; at < count; ) {
    const day = days[at] ?? UNDATED
    let end = at + 1
    while (end < count && days[end] === day) end += 1
    writer.varint(end - at)
    if (day === UNDATED) writer.varint(0)
    else {
      const way = day - last
      writer.varint(1 + (way < 0 ? -2 * way - 1 : 2 * way))
      last = day
    }
    at = end
  }
  return writer.toBytes()
}

function decodeDays(reader: ByteReader, count: number): Int32Array {
  const days = new Int32Array(count)
  let last = 0
  for (let at = 0; at < count; ) {
    const end = at + reader.varint()
    const code = reader.varint()
    if (end === at || end > count) throw damagedSegment('its days are of other chunks')
    const folded = code - 1
    if (code > 0) last += folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2
    days.fill(code === 0 ? UNDATED : last, at, end)
    at = end
  }
  return days
}

/** Encodes distances between the first chunks of documents. */
function encodeFirsts(firsts: ArrayLike<number>, count: number): Uint8Array {
  const writer = new ByteWriter(64)
  let last = -1
  for (let at = 0; at < count; at += 1) {
    if (firsts[at] !== 1) continue
    writer.varint(at - last)
    last = at
  }
  return writer.toBytes()
}

function decodeFirsts(reader: ByteReader, count: number): Uint8Array {
  const firsts = new Uint8Array(count)
  for (let at = -1; !reader.isDone; ) {
    at += reader.varint()
    if (at >= count) throw damagedSegment('its documents are of other chunks')
    firsts[at] = 1
  }
  return firsts
}

function encodeHashes(hashes: ArrayLike<number>, count: number): Uint8Array {
  const writer = new ByteWriter(4 * count)
  for (let at = 0; at < count; at += 1) writer.uint32(hashes[at] ?? 0)
  return writer.toBytes()
}

function decodeHashes(reader: ByteReader, count: number): Uint32Array {
  const bytes = reader.slice(4 * count)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: count }, (_, at) => view.getUint32(4 * at, true))
}

/** Encodes the lengths of `count` chunks, one array per channel of MEASURED. */
function encodeLengths(lengths: readonly ArrayLike<number>[], count: number): Uint8Array {
  const writer = new ByteWriter(count * 4)
  for (const channel of lengths) for (let at = 0; at < count; at += 1) writer.varint(channel[at] ?? 0)
  return writer.toBytes()
}

function decodeLengths(reader: ByteReader, count: number): Uint32Array[] {
  return MEASURED.map(() => {
    const lengths = new Uint32Array(count)
    for (let at = 0; at < count; at += 1) lengths[at] = reader.varint()
    return lengths
  })
}
