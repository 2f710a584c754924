import type { StoredChunk, StoreSnapshot } from '@mnemark/spec'
import { entriesOf } from '../format/block.ts'
import type { ByteReader } from '../format/byte-reader.ts'
import { CHANNELS, type ChannelName, MEASURED } from '../format/channels.ts'
import { compareTraits, copyTraits, type DecodedTraits, emptyTraits, totalsOf } from '../format/chunk-traits.ts'
import { compareKeys, sortKeys } from '../format/key-order.ts'
import { maxFrequencyOf, readPlace, type SegmentPlace, valuesOf } from './keyword-reader.ts'
import { PostingList } from './posting-list.ts'
import { countPostings, readPostings } from '../format/postings.ts'
import { FLAT, Saturation } from './saturation.ts'
import { decodeHeader, isOwnSegment } from '../format/segment-header.ts'
import type { TermSource } from './term-source.ts'

const NOWHERE = 0xffffffff

interface ReadSegment {
  readonly id: string
  readonly place: SegmentPlace
  /** For each chunk of the segment, its ordinal among the chunks of the store; NOWHERE for deleted ones. */
  readonly ordinals: Uint32Array
}

/**
 * Reads the keyword index for exactly the chunks of the store: every segment directly, without tombstones, caches or
 * other optimisations. The reference for `KeywordReader`, too slow for searches.
 */
export class ExhaustiveReader implements TermSource {
  readonly ids: readonly number[]
  /** Chunks of the store that are in no segment, or in several. */
  readonly misplaced: number
  /** Positions in segments whose chunk is deleted. */
  readonly deadCount: number
  readonly #snapshot: StoreSnapshot
  readonly #segments: readonly ReadSegment[]
  readonly #traits: DecodedTraits
  readonly #saturations: ReadonlyMap<ChannelName, Saturation>

  private constructor(
    snapshot: StoreSnapshot,
    places: readonly { readonly id: string; readonly place: SegmentPlace }[],
    live: Live,
  ) {
    const all = places.flatMap(({ place }) => place.ids.filter((id) => live.has(id)))
    this.ids = [...new Set(all)].sort((left, right) => left - right)
    this.misplaced = live.size - this.ids.length + (all.length - this.ids.length)
    this.deadCount = places.reduce((sum, { place }) => sum + place.ids.length, 0) - all.length
    const ordinalOf = new Map(this.ids.map((id, ordinal) => [id, ordinal]))
    const traits = emptyTraits(this.ids.length)
    this.#segments = places.map(({ id, place }) => {
      const ordinals = Uint32Array.from(place.ids, (chunk) => ordinalOf.get(chunk) ?? NOWHERE)
      ordinals.forEach((ordinal, at) => {
        if (ordinal !== NOWHERE) copyTraits(place, at, traits, ordinal)
      })
      return { id, place, ordinals }
    })
    this.#snapshot = snapshot
    this.#traits = traits
    const totals = totalsOf(traits.lengths)
    this.#saturations = new Map(
      MEASURED.map((channel, at) => {
        const average = (totals[at] ?? 0) / this.ids.length || 1
        return [channel, new Saturation(traits.lengths.slice(at, at + 1), average, CHANNELS[channel].b)]
      }),
    )
  }

  static async open(snapshot: StoreSnapshot): Promise<ExhaustiveReader> {
    const places: { id: string; place: SegmentPlace }[] = []
    for (const { id, header } of await snapshot.segments()) {
      if (isOwnSegment(header)) places.push({ id, place: await readPlace(snapshot, id, decodeHeader(header).count) })
    }
    return new ExhaustiveReader(snapshot, places, await snapshot.filter({}))
  }

  get size(): number {
    return this.ids.length
  }

  get liveCount(): number {
    return this.ids.length
  }

  idOf(ordinal: number): number {
    return this.ids[ordinal] ?? 0
  }

  compareEquals(left: number, right: number): number {
    return compareTraits(this.#traits, left, right)
  }

  chunks(ids: readonly number[]): Promise<readonly StoredChunk[]> {
    return this.#snapshot.chunks(ids)
  }

  saturationOf(channel: ChannelName): Pick<Saturation, 'of'> {
    return this.#saturations.get(CHANNELS[channel].lengthsOf ?? channel) ?? FLAT
  }

  async postings(keys: readonly string[]): Promise<ReadonlyMap<string, PostingList>> {
    const rising = sortKeys([...new Set(keys)])
    const found = new Map<string, Map<number, number>>()
    const segments = this.#segments.filter(({ place }) => place.ids.length > 0)
    const blocks = await this.#snapshot.blocks(segments.map(({ id }) => ({ segment: id, keys: rising })))
    for (const [at, segment] of segments.entries()) {
      for (const { key, value } of valuesOf(blocks[at] ?? [], rising)) {
        for (const [ordinal, frequency] of livePostings(segment, key, value)) {
          const list = found.get(key) ?? new Map<number, number>()
          found.set(key, list.set(ordinal, frequency))
        }
      }
    }
    return new Map([...found].map(([key, list]) => [key, PostingList.of(list)]))
  }

  async keysWithPrefix(prefix: string, limit: number): Promise<readonly string[]> {
    const keys = new Set<string>()
    for (const segment of this.#segments) {
      if (segment.place.ids.length === 0) continue
      for await (const { firstKey, bytes } of this.#snapshot.scan(segment.id, prefix)) {
        if (compareKeys(firstKey, prefix) > 0 && !firstKey.startsWith(prefix)) break
        for (const { key, value } of entriesOf(bytes)) {
          if (key.startsWith(prefix) && livePostings(segment, key, value).length > 0) keys.add(key)
        }
      }
    }
    return sortKeys([...keys]).slice(0, limit)
  }
}

interface Live {
  has(chunkId: number): boolean
  readonly size: number
}

function livePostings(
  { ordinals: renumbered }: ReadSegment,
  key: string,
  value: ByteReader,
): [ordinal: number, frequency: number][] {
  const count = countPostings(value)
  const postings = { ordinals: new Uint32Array(count), frequencies: new Uint8Array(count) }
  readPostings(value, postings, { offset: 0, base: 0, maxFrequency: maxFrequencyOf(key) })
  return [...postings.ordinals].flatMap((ordinal, at): [number, number][] => {
    const place = renumbered[ordinal] ?? NOWHERE
    return place === NOWHERE ? [] : [[place, postings.frequencies[at] ?? 1]]
  })
}
