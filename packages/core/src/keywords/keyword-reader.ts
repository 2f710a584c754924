import type { StoreSnapshot } from '@mnemark/spec'
import { entriesOf, findInBlock } from './block.ts'
import type { ByteReader } from './byte-reader.ts'
import { CHANNELS, type ChannelName, channelOf, MEASURED } from './channels.ts'
import { type DecodedTraits, decodeTraits, emptyTraits, IDS_KEY, TRAIT_KEYS, UNDATED } from './chunk-traits.ts'
import { compareKeys, sortKeys } from './key-order.ts'
import { PartCache } from './part-cache.ts'
import { type Part, PostingList, readPart } from './posting-list.ts'
import { FLAT, Saturation } from './saturation.ts'
import { decodeHeader, type IdRuns, isOwnSegment, readIdRuns, readIds, type SegmentHeader } from './segment-header.ts'
import { damagedSegment } from './damaged-segment.ts'

/** Which chunks a segment's ordinals are, and what is known of each. */
export interface SegmentPlace extends DecodedTraits {
  readonly ids: readonly number[]
}

interface PlacedSegment {
  readonly id: string
  /** Ordinal of its first chunk. */
  readonly base: number
  readonly header: SegmentHeader
}

/** All segments of one snapshot seen as one list of chunks, numbered through. */
interface Territory {
  readonly key: string
  readonly segments: readonly PlacedSegment[]
  readonly ids: Float64Array
  readonly days: Int32Array
  readonly hashes: Uint32Array
  readonly firsts: Uint8Array
  readonly isDead: Uint8Array
  readonly liveCount: number
  readonly saturations: ReadonlyMap<ChannelName, Saturation>
}

/** Remembers what never changes between searches: the places of segments, postings, and the last territory. Belongs to one store. */
export class KeywordCache {
  readonly places: Map<string, SegmentPlace> = new Map()
  readonly parts: PartCache = new PartCache()
  territory: Territory | undefined
}

/** Ordinals are part of what is kept, so the place of the segment is part of its name. */
function entryOf({ id, base }: PlacedSegment, key: string): string {
  return `${id} ${base} ${key}`
}

type Blocks = readonly { readonly firstKey: string; readonly bytes: Uint8Array }[]

/** Values of rising keys in the blocks that may hold them. */
function* valuesOf(blocks: Blocks, keys: readonly string[]): Generator<{ readonly key: string; readonly value: ByteReader }> {
  const rising = blocks.toSorted((left, right) => compareKeys(left.firstKey, right.firstKey))
  let at = -1
  for (const key of keys) {
    for (let next = rising[at + 1]; next && compareKeys(next.firstKey, key) <= 0; next = rising[at + 1]) at += 1
    const holder = rising[at]
    const value = holder && findInBlock(holder.bytes, key)
    if (value) yield { key, value }
  }
}

/** Reads which chunks a segment's ordinals are. Throws StoreError `corrupt` for a damaged segment. */
export async function readPlace(snapshot: StoreSnapshot, id: string, count: number): Promise<SegmentPlace> {
  if (count === 0) return { ids: [], ...emptyTraits(0) }
  const blocks = await snapshot.blocks(id, TRAIT_KEYS)
  const values = new Map([...valuesOf(blocks, TRAIT_KEYS)].map(({ key, value }) => [key, value]))
  const ids = values.get(IDS_KEY)
  if (!ids) throw damagedSegment(`segment ${id} has lost its first block`)
  return { ids: readIds(ids), ...decodeTraits(values, count) }
}

/** Which chunks a segment has, without their lengths: little to read however large it is. */
export async function readRuns(snapshot: StoreSnapshot, id: string, count: number): Promise<IdRuns> {
  if (count === 0) return []
  const [found] = valuesOf(await snapshot.blocks(id, [IDS_KEY]), [IDS_KEY])
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

async function survey(snapshot: StoreSnapshot, cache: KeywordCache): Promise<Territory> {
  const listed = (await snapshot.segments()).filter(({ header }) => isOwnSegment(header))
  const key = listed.map((segment) => segment.id).join('\n')
  if (cache.territory?.key === key) return cache.territory
  const known = new Set(listed.map((segment) => segment.id))
  for (const id of cache.places.keys()) if (!known.has(id)) cache.places.delete(id)

  const segments: { id: string; base: number; header: SegmentHeader }[] = []
  const places: SegmentPlace[] = []
  let base = 0
  for (const { id, header: bytes } of listed) {
    const header = decodeHeader(bytes)
    const place = cache.places.get(id) ?? (await readPlace(snapshot, id, header.count))
    cache.places.set(id, place)
    segments.push({ id, base, header })
    places.push(place)
    base += header.count
  }
  const ids = new Float64Array(base)
  const { days, hashes, firsts } = emptyTraits(base)
  places.forEach((place, at) => {
    const from = segments[at]?.base ?? 0
    ids.set(place.ids, from)
    days.set(place.days, from)
    hashes.set(place.hashes, from)
    firsts.set(place.firsts, from)
  })
  const isDead = new Uint8Array(base)
  let liveCount = base
  for (const removed of segments.flatMap((segment) => segment.header.removed)) {
    for (const { base: from, header } of segments) {
      const ordinal = findOrdinal(ids, removed, [from, from + header.count])
      if (ordinal === undefined || isDead[ordinal] === 1) continue
      isDead[ordinal] = 1
      liveCount -= 1
    }
  }
  const saturations = new Map<ChannelName, Saturation>()
  MEASURED.forEach((channel, at) => {
    const total = segments.reduce((sum, segment) => sum + (segment.header.totals[at] ?? 0), 0)
    const lengths = places.map((place) => place.lengths[at] ?? new Uint32Array(0))
    saturations.set(channel, new Saturation(lengths, total, CHANNELS[channel].b))
  })
  cache.territory = { key, segments, ids, days, hashes, firsts, isDead, liveCount, saturations }
  return cache.territory
}

/** Reads postings of one snapshot. Ordinals number the chunks of all its segments, dead ones included. */
export class KeywordReader {
  readonly #snapshot: StoreSnapshot
  readonly #cache: KeywordCache
  readonly #territory: Territory

  private constructor(snapshot: StoreSnapshot, cache: KeywordCache, territory: Territory) {
    this.#snapshot = snapshot
    this.#cache = cache
    this.#territory = territory
  }

  static async open(snapshot: StoreSnapshot, cache: KeywordCache): Promise<KeywordReader> {
    return new KeywordReader(snapshot, cache, await survey(snapshot, cache))
  }

  /** Chunks, dead ones included: the length of an accumulator. */
  get size(): number {
    return this.#territory.ids.length
  }

  get liveCount(): number {
    return this.#territory.liveCount
  }

  idOf(ordinal: number): number {
    return this.#territory.ids[ordinal] ?? 0
  }

  ordinalOf(chunkId: number): number | undefined {
    for (const { base, header } of this.#territory.segments) {
      const ordinal = findOrdinal(this.#territory.ids, chunkId, [base, base + header.count])
      if (ordinal !== undefined && !this.isDead(ordinal)) return ordinal
    }
    return undefined
  }

  isDead(ordinal: number): boolean {
    return this.#territory.isDead[ordinal] === 1
  }

  /** Whole days since 1970-01-01 of the chunk's own day, else its document's. */
  dayOf(ordinal: number): number | undefined {
    const day = this.#territory.days[ordinal] ?? UNDATED
    return day === UNDATED ? undefined : day
  }

  /** See `tieHash`. */
  hashOf(ordinal: number): number {
    return this.#territory.hashes[ordinal] ?? 0
  }

  /** True for the first chunk of a document; its others follow it. */
  isFirst(ordinal: number): boolean {
    return this.#territory.firsts[ordinal] === 1
  }

  saturationOf(channel: ChannelName): Pick<Saturation, 'of'> {
    return this.#territory.saturations.get(CHANNELS[channel].lengthsOf ?? channel) ?? FLAT
  }

  /** Postings of each key that occurs. */
  async postings(keys: readonly string[]): Promise<ReadonlyMap<string, PostingList>> {
    const rising = sortKeys([...keys])
    const parts = new Map<string, Part[]>()
    for (const segment of this.#territory.segments) {
      if (segment.header.count === 0) continue
      await this.#readUnknown(segment, rising)
      for (const key of rising) {
        const part = this.#cache.parts.get(entryOf(segment, key))
        if (!part) continue
        const found = parts.get(key)
        if (found) found.push(part)
        else parts.set(key, [part])
      }
    }
    return new Map([...parts].map(([key, found]) => [key, new PostingList(found)]))
  }

  /** Brings what the cache does not know of these keys in one segment into it. */
  async #readUnknown(segment: PlacedSegment, rising: readonly string[]): Promise<void> {
    const { parts } = this.#cache
    const unknown = rising.filter((key) => parts.get(entryOf(segment, key)) === undefined)
    if (unknown.length === 0) return
    const range = { from: segment.base, to: segment.base + segment.header.count }
    const values = new Map(
      [...valuesOf(await this.#snapshot.blocks(segment.id, unknown), unknown)].map(({ key, value }) => [key, value]),
    )
    for (const key of unknown) {
      const reader = values.get(key)
      parts.set(entryOf(segment, key), reader ? readPart({ reader, ...range }, maxFrequencyOf(key)) : null)
    }
  }

  /** Up to `limit` keys that begin with `prefix`, over all segments. */
  async keysWithPrefix(prefix: string, limit: number): Promise<readonly string[]> {
    const keys = new Set<string>()
    for (const { id, header } of this.#territory.segments) {
      if (header.count === 0) continue
      await collectKeys(this.#snapshot.scan(id, prefix), prefix, { keys, limit })
    }
    return [...keys]
  }
}

async function collectKeys(
  blocks: AsyncIterable<{ bytes: Uint8Array }>,
  prefix: string,
  into: { keys: Set<string>; limit: number },
): Promise<void> {
  for await (const block of blocks) {
    for (const { key } of entriesOf(block.bytes)) {
      if (key.startsWith(prefix)) into.keys.add(key)
      else if (compareKeys(key, prefix) > 0) return
      if (into.keys.size >= into.limit) return
    }
  }
}

function maxFrequencyOf(key: string): number {
  const channel = channelOf(key)
  return channel === undefined ? 255 : CHANNELS[channel].maxFrequency
}
