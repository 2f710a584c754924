import type { StoredChunk, StoreSnapshot } from '@mnemark/spec'
import { entriesOf, findInBlock } from '../format/block.ts'
import type { ByteReader } from '../format/byte-reader.ts'
import { CHANNELS, type ChannelName, channelOf, MEASURED } from '../format/channels.ts'
import {
  compareTraits,
  type DecodedTraits,
  decodeTraits,
  emptyTraits,
  IDS_KEY,
  TRAIT_KEYS,
  UNDATED,
} from '../format/chunk-traits.ts'
import { countBits, isIn, putIn } from '../format/bits.ts'
import { compareKeys, sortKeys } from '../format/key-order.ts'
import { createPartCache, type PartCache } from './part-cache.ts'
import { type DeadChunks, NO_PART, type Part, PostingList, readPart } from './posting-list.ts'
import { FLAT, Saturation } from './saturation.ts'
import { decodeHeader, type IdRuns, isOwnSegment, readIdRuns, readIds, type SegmentHeader } from '../format/segment-header.ts'
import { damagedSegment } from '../format/damaged-segment.ts'
import type { TermSource } from './term-source.ts'

/** The part of a snapshot that keyword search reads. */
export type SegmentSnapshot = Pick<StoreSnapshot, 'segments' | 'blocks' | 'scan' | 'chunks'>

/** The chunks of a segment's ordinals, and the traits of each. */
export interface SegmentPlace extends DecodedTraits {
  readonly ids: readonly number[]
}

interface PlacedSegment {
  readonly id: string
  /** Ordinal of its first chunk. */
  readonly base: number
  readonly header: SegmentHeader
  /** Undefined where all its chunks live. */
  readonly dead?: DeadChunks | undefined
  readonly deadCount: number
}

/** The segment view: all segments of one snapshot as one list of chunks, numbered throughout. */
interface SegmentView {
  readonly key: string
  readonly segments: readonly PlacedSegment[]
  readonly ids: Float64Array
  readonly days: Int32Array
  readonly hashes: Uint32Array
  readonly firsts: Uint8Array
  readonly liveCount: number
  readonly saturations: ReadonlyMap<ChannelName, Saturation>
}

/**
 * Caches what never changes between searches: chunks and traits of segments, postings, and the last segment view.
 * Belongs to one store.
 */
export class KeywordCache {
  readonly places: Map<string, SegmentPlace> = new Map()
  readonly parts: PartCache
  view: SegmentView | undefined

  constructor(parts: PartCache = createPartCache()) {
    this.parts = parts
  }
}

/**
 * Cached parts hold ordinals, so the base of the segment is part of the key. They also leave out deleted chunks, and
 * the count identifies these: chunks of a segment are only ever deleted.
 */
function entryOf({ id, base, deadCount }: PlacedSegment, key: string): string {
  return `${id} ${base} ${deadCount} ${key}`
}

type Blocks = readonly { readonly firstKey: string; readonly bytes: Uint8Array }[]

/** Values of ascending keys in the blocks that may hold them. */
export function* valuesOf(
  blocks: Blocks,
  keys: readonly string[],
): Generator<{ readonly key: string; readonly value: ByteReader }> {
  const rising = blocks.toSorted((left, right) => compareKeys(left.firstKey, right.firstKey))
  let at = -1
  for (const key of keys) {
    for (let next = rising[at + 1]; next && compareKeys(next.firstKey, key) <= 0; next = rising[at + 1]) at += 1
    const holder = rising[at]
    const value = holder && findInBlock(holder.bytes, key)
    if (value) yield { key, value }
  }
}

/** Reads the chunks of a segment's ordinals. Throws StoreError `corrupt` for a damaged segment. */
export async function readPlace(snapshot: SegmentSnapshot, id: string, count: number): Promise<SegmentPlace> {
  const [blocks = []] = count === 0 ? [] : await snapshot.blocks([{ segment: id, keys: TRAIT_KEYS }])
  return placeIn(blocks, id, count)
}

function placeIn(blocks: Blocks, id: string, count: number): SegmentPlace {
  if (count === 0) return { ids: [], ...emptyTraits(0) }
  const values = new Map([...valuesOf(blocks, TRAIT_KEYS)].map(({ key, value }) => [key, value]))
  const ids = values.get(IDS_KEY)
  if (!ids) throw damagedSegment(`segment ${id} has lost its first block`)
  return { ids: readIds(ids), ...decodeTraits(values, count) }
}

/** The chunks of a segment, without their lengths: little to read however large it is. */
export async function readRuns(snapshot: SegmentSnapshot, id: string, count: number): Promise<IdRuns> {
  if (count === 0) return []
  const [blocks = []] = await snapshot.blocks([{ segment: id, keys: [IDS_KEY] }])
  const [found] = valuesOf(blocks, [IDS_KEY])
  if (!found) throw damagedSegment(`segment ${id} has lost its first block`)
  return readIdRuns(found.value)
}

function findOrdinal(ids: Float64Array, id: number, range: readonly [from: number, to: number]): number | undefined {
  let [low, high] = range
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return low < range[1] && ids[low] === id ? low : undefined
}

const NONE_DEAD: DeadChunks = new Uint8Array(0)

/** Deleted chunks of each segment, in bits; undefined where all chunks live. */
function findDead(segments: readonly PlacedSegment[], ids: Float64Array): (DeadChunks | undefined)[] {
  const dead: (DeadChunks | undefined)[] = segments.map(() => undefined)
  for (const id of segments.flatMap((segment) => segment.header.removed)) {
    segments.forEach(({ base, header }, at) => {
      const ordinal = findOrdinal(ids, id, [base, base + header.count])
      if (ordinal === undefined) return
      const bits = (dead[at] ??= new Uint8Array((header.count + 7) >>> 3))
      putIn(bits, ordinal - base)
    })
  }
  return dead
}

/** Sum of the lengths of live chunks in one channel. */
function liveTotal(segments: readonly PlacedSegment[], places: readonly SegmentPlace[], channel: number): number {
  let total = 0
  segments.forEach(({ header, dead }, at) => {
    total += header.totals[channel] ?? 0
    if (!dead) return
    const lengths = places[at]?.lengths[channel]
    for (let bit = 0; bit < header.count; bit += 1) if (isIn(dead, bit)) total -= lengths?.[bit] ?? 0
  })
  return total
}

/**
 * The segment view and the blocks read for it: `keys` are read with it, so that a first search of a remote store needs
 * one call.
 */
interface ReadView {
  readonly view: SegmentView
  readonly read: ReadonlyMap<string, Blocks>
}

async function readSegmentView(snapshot: SegmentSnapshot, cache: KeywordCache, keys: readonly string[]): Promise<ReadView> {
  const listed = (await snapshot.segments()).filter(({ header }) => isOwnSegment(header))
  const key = listed.map((segment) => segment.id).join('\n')
  if (cache.view?.key === key) return { view: cache.view, read: new Map() }
  const segments = listed.map(({ id, header }) => ({ id, header: decodeHeader(header) }))
  const unknown = segments.filter(({ id, header }) => header.count > 0 && !cache.places.has(id))
  const requests = unknown.map(({ id }) => ({ segment: id, keys: [...TRAIT_KEYS, ...keys] }))
  const blocks = requests.length === 0 ? [] : await snapshot.blocks(requests)
  const read = new Map(unknown.map(({ id }, at) => [id, blocks[at] ?? []]))
  for (const { id, header } of segments)
    if (!cache.places.has(id)) cache.places.set(id, placeIn(read.get(id) ?? [], id, header.count))
  return { view: segmentViewOf(key, segments, cache), read }
}

function segmentViewOf(
  key: string,
  listed: readonly { readonly id: string; readonly header: SegmentHeader }[],
  cache: KeywordCache,
): SegmentView {
  const known = new Set(listed.map(({ id }) => id))
  for (const id of cache.places.keys()) if (!known.has(id)) cache.places.delete(id)
  const placed: PlacedSegment[] = []
  const places: SegmentPlace[] = []
  let size = 0
  for (const { id, header } of listed) {
    const place = cache.places.get(id) ?? { ids: [], ...emptyTraits(0) }
    placed.push({ id, base: size, header, deadCount: 0 })
    places.push(place)
    size += header.count
  }
  const ids = new Float64Array(size)
  const { days, hashes, firsts } = emptyTraits(size)
  places.forEach((place, at) => {
    const from = placed[at]?.base ?? 0
    ids.set(place.ids, from)
    days.set(place.days, from)
    hashes.set(place.hashes, from)
    firsts.set(place.firsts, from)
  })
  const dead = findDead(placed, ids)
  const segments = placed.map((segment, at) => ({ ...segment, dead: dead[at], deadCount: countBits(dead[at] ?? NONE_DEAD) }))
  const liveCount = size - segments.reduce((sum, { deadCount }) => sum + deadCount, 0)
  const saturations = new Map<ChannelName, Saturation>()
  MEASURED.forEach((channel, at) => {
    const total = liveTotal(segments, places, at)
    const lengths = places.map((place) => place.lengths[at] ?? new Uint32Array(0))
    const average = liveCount > 0 && total > 0 ? total / liveCount : 1
    saturations.set(channel, new Saturation(lengths, average, CHANNELS[channel].b))
  })
  cache.view = { key, segments, ids, days, hashes, firsts, liveCount, saturations }
  return cache.view
}

/** Reads postings of one snapshot. Ordinals number the chunks of all its segments, deleted ones included. */
export class KeywordReader implements TermSource {
  readonly #snapshot: SegmentSnapshot
  readonly #cache: KeywordCache
  readonly #view: SegmentView
  /** All parts this reader has looked up, even if the cache evicts them: it is asked for the same keys many times. */
  readonly #parts = new Map<PlacedSegment, Map<string, Part>>()

  private constructor(snapshot: SegmentSnapshot, cache: KeywordCache, view: SegmentView) {
    this.#snapshot = snapshot
    this.#cache = cache
    this.#view = view
  }

  /** `keys` are read together with what the reader itself needs, and stay available as long as it does. */
  static async open(snapshot: SegmentSnapshot, cache: KeywordCache, keys: readonly string[] = []): Promise<KeywordReader> {
    const rising = sortKeys([...new Set(keys)])
    const { view, read } = await readSegmentView(snapshot, cache, rising)
    const reader = new KeywordReader(snapshot, cache, view)
    for (const segment of view.segments) reader.#note(segment, rising, read.get(segment.id))
    await reader.#read(rising)
    return reader
  }

  /** Number of chunks, deleted ones included: the length of an accumulator. */
  get size(): number {
    return this.#view.ids.length
  }

  get liveCount(): number {
    return this.#view.liveCount
  }

  idOf(ordinal: number): number {
    return this.#view.ids[ordinal] ?? 0
  }

  ordinalOf(chunkId: number): number | undefined {
    for (const { base, header } of this.#view.segments) {
      const ordinal = findOrdinal(this.#view.ids, chunkId, [base, base + header.count])
      if (ordinal !== undefined && !this.#isDead(ordinal)) return ordinal
    }
    return undefined
  }

  #isDead(ordinal: number): boolean {
    const holder = this.#view.segments.findLast(({ base }) => base <= ordinal)
    return holder?.dead !== undefined && isIn(holder.dead, ordinal - holder.base)
  }

  /** Days since 1970-01-01 of the chunk's own day, else its document's. */
  dayOf(ordinal: number): number | undefined {
    const day = this.#view.days[ordinal] ?? UNDATED
    return day === UNDATED ? undefined : day
  }

  compareEquals(left: number, right: number): number {
    return compareTraits(this.#view, left, right)
  }

  chunks(ids: readonly number[]): Promise<readonly StoredChunk[]> {
    return this.#snapshot.chunks(ids)
  }

  /** True for the first chunk of a document; its others follow it. */
  isFirst(ordinal: number): boolean {
    return this.#view.firsts[ordinal] === 1
  }

  saturationOf(channel: ChannelName): Pick<Saturation, 'of'> {
    return this.#view.saturations.get(CHANNELS[channel].lengthsOf ?? channel) ?? FLAT
  }

  async postings(keys: readonly string[]): Promise<ReadonlyMap<string, PostingList>> {
    const rising = sortKeys([...new Set(keys)])
    const found = await this.#read(rising)
    const lists = new Map<string, Part[]>()
    for (const parts of found) {
      for (const [key, part] of parts) {
        if (part.count === 0) continue
        const known = lists.get(key)
        if (known) known.push(part)
        else lists.set(key, [part])
      }
    }
    return new Map([...lists].map(([key, parts]) => [key, new PostingList(parts)]))
  }

  /** Parts of each segment for these keys: known ones, and the rest by one call for all segments. */
  async #read(rising: readonly string[]): Promise<readonly ReadonlyMap<string, Part>[]> {
    const looks = this.#view.segments
      .filter(({ header }) => header.count > 0)
      .map((segment) => ({ segment, ...this.#known(segment, rising) }))
    const asked = looks.filter(({ unknown }) => unknown.length > 0)
    if (asked.length === 0) return looks.map(({ parts }) => parts)
    const blocks = await this.#snapshot.blocks(asked.map(({ segment, unknown }) => ({ segment: segment.id, keys: unknown })))
    for (const [at, { segment, parts, unknown }] of asked.entries())
      for (const [key, part] of this.#note(segment, unknown, blocks[at])) parts.set(key, part)
    return looks.map(({ parts }) => parts)
  }

  #known(segment: PlacedSegment, rising: readonly string[]): { readonly parts: Map<string, Part>; readonly unknown: string[] } {
    const parts = new Map<string, Part>()
    const unknown: string[] = []
    const own = this.#partsOf(segment)
    for (const key of rising) {
      const part = own.get(key) ?? this.#cache.parts.get(entryOf(segment, key))
      if (part) {
        parts.set(key, part)
        own.set(key, part)
      } else unknown.push(key)
    }
    return { parts, unknown }
  }

  #partsOf(segment: PlacedSegment): Map<string, Part> {
    const known = this.#parts.get(segment) ?? new Map<string, Part>()
    this.#parts.set(segment, known)
    return known
  }

  /** Caches the parts of these keys in blocks of a segment; without blocks nothing was read. */
  #note(segment: PlacedSegment, keys: readonly string[], blocks: Blocks | undefined): ReadonlyMap<string, Part> {
    const parts = new Map<string, Part>()
    if (blocks === undefined) return parts
    for (const { key, value } of valuesOf(blocks, keys)) parts.set(key, partOf(segment, key, value))
    for (const key of keys) this.#keep(segment, key, parts.get(key) ?? NO_PART)
    return parts
  }

  #keep(segment: PlacedSegment, key: string, part: Part): void {
    this.#partsOf(segment).set(key, part)
    this.#cache.parts.set(entryOf(segment, key), part)
  }

  async keysWithPrefix(prefix: string, limit: number): Promise<readonly string[]> {
    const segments = this.#view.segments.filter(({ header }) => header.count > 0)
    // The first keys overall are among the first of each segment.
    const found = await Promise.all(segments.map((segment) => this.#liveKeys(segment, prefix, limit)))
    const keys = sortKeys([...new Set(found.flat())]).slice(0, limit)
    // A key that a full scan of a segment did not find is not in it.
    for (const segment of segments)
      for (const key of keys) if (!this.#partsOf(segment).has(key)) this.#keep(segment, key, NO_PART)
    return keys
  }

  /** The postings are beside the keys, and are read next. */
  async #liveKeys(segment: PlacedSegment, prefix: string, limit: number): Promise<readonly string[]> {
    const keys: string[] = []
    for await (const block of this.#snapshot.scan(segment.id, prefix)) {
      for (const { key, value } of entriesOf(block.bytes)) {
        if (!key.startsWith(prefix)) {
          if (compareKeys(key, prefix) > 0) return keys
          continue
        }
        const part = partOf(segment, key, value)
        this.#keep(segment, key, part)
        if (part.count > 0) keys.push(key)
        if (keys.length >= limit) return keys
      }
    }
    return keys
  }
}

function partOf({ base, header, dead }: PlacedSegment, key: string, reader: ByteReader): Part {
  return readPart({ reader, from: base, to: base + header.count, dead }, maxFrequencyOf(key))
}

export function maxFrequencyOf(key: string): number {
  const channel = channelOf(key)
  return channel === undefined ? 255 : CHANNELS[channel].maxFrequency
}
