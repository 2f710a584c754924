import type { KeywordBlock, KeywordSegment, StoreSnapshot } from '@mnemark/spec'
import { type BlockEntry, BlockWriter, entriesOf } from './block.ts'
import { ByteWriter } from './byte-writer.ts'
import { CHANNELS, channelOf, MEASURED } from './channels.ts'
import { compareKeys } from './key-order.ts'
import { readPlace, readRuns, type SegmentPlace } from './keyword-reader.ts'
import { countPostings, type Postings, readPostings, writePostings } from './postings.ts'
import { placeBlocks } from './segment-builder.ts'
import { decodeHeader, encodeHeader, encodeLengths, holdsId, isOwnSegment, type SegmentHeader } from './segment-header.ts'

const DEAD = 0xffffffff

interface Listed {
  readonly id: string
  readonly header: SegmentHeader
}

interface MergeInput {
  readonly id: string
  readonly place: SegmentPlace
  /** New ordinal of each old one, or DEAD. */
  readonly renumbered: Uint32Array
}

interface MergePlan {
  readonly inputs: readonly MergeInput[]
  readonly ids: readonly number[]
  readonly lengths: readonly Uint32Array[]
  readonly removed: readonly number[]
}

async function planNumbers(snapshot: StoreSnapshot, drop: ReadonlySet<string>): Promise<MergePlan> {
  const listed: Listed[] = (await snapshot.segments())
    .filter(({ header }) => isOwnSegment(header))
    .map(({ id, header }) => ({ id, header: decodeHeader(header) }))
  const dead = new Set(listed.flatMap(({ header }) => header.removed))
  const dropped = listed.filter(({ id }) => drop.has(id))
  const places = new Map<string, SegmentPlace>()
  for (const { id, header } of dropped) places.set(id, await readPlace(snapshot, id, header.count))

  const live: { id: number; input: number; ordinal: number }[] = []
  dropped.forEach(({ id }, input) => {
    places.get(id)?.ids.forEach((chunkId, ordinal) => {
      if (!dead.has(chunkId)) live.push({ id: chunkId, input, ordinal })
    })
  })
  live.sort((left, right) => left.id - right.id)
  const inputs = dropped.map(({ id, header }): MergeInput => {
    const place = places.get(id) ?? { ids: [], lengths: [] }
    return { id, place, renumbered: new Uint32Array(header.count).fill(DEAD) }
  })
  const lengths = MEASURED.map(() => new Uint32Array(live.length))
  live.forEach(({ input, ordinal }, renumbered) => {
    const from = inputs[input]
    if (!from) return
    from.renumbered[ordinal] = renumbered
    lengths.forEach((channel, at) => {
      channel[renumbered] = from.place.lengths[at]?.[ordinal] ?? 0
    })
  })
  const others = listed.filter(({ id }) => !drop.has(id))
  const removed = await stillNeeded(
    snapshot,
    dropped.flatMap(({ header }) => header.removed),
    others,
  )
  return { inputs, ids: live.map(({ id }) => id), lengths, removed }
}

/** A tombstone is needed for as long as its chunk stands in a segment that is not merged here. */
async function stillNeeded(
  snapshot: StoreSnapshot,
  removed: readonly number[],
  others: readonly Listed[],
): Promise<readonly number[]> {
  const ids = [...new Set(removed)].sort((left, right) => left - right)
  const needed = new Set<number>()
  for (const { id: segment, header } of ids.length === 0 ? [] : others) {
    const runs = await readRuns(snapshot, segment, header.count)
    for (const id of ids) if (holdsId(runs, id)) needed.add(id)
  }
  return ids.filter((id) => needed.has(id))
}

/** Walks the entries of one segment in key order, a block at a time. */
class EntryCursor {
  readonly input: MergeInput
  current: BlockEntry | undefined
  readonly #blocks: AsyncIterator<KeywordBlock>
  #entries: Iterator<BlockEntry> = [][Symbol.iterator]()

  constructor(input: MergeInput, blocks: AsyncIterable<KeywordBlock>) {
    this.input = input
    this.#blocks = blocks[Symbol.asyncIterator]()
  }

  /** True when the next entry is there; false when the next block must be loaded first. */
  step(): boolean {
    const { done, value } = this.#entries.next()
    this.current = done ? undefined : value
    return !done
  }

  async load(): Promise<void> {
    while (!this.step()) {
      const { done, value } = await this.#blocks.next()
      if (done) return
      this.#entries = entriesOf(value.bytes)
    }
  }

  async close(): Promise<void> {
    await this.#blocks.return?.()
  }
}

function smallest(cursors: readonly EntryCursor[]): string | undefined {
  let key: string | undefined
  for (const { current } of cursors) if (current && (key === undefined || compareKeys(current.key, key) < 0)) key = current.key
  return key
}

/** Renumbered postings of one key; rising, though segments of other merges may lie between those of this one. */
function joinPostings(cursors: readonly EntryCursor[], maxFrequency: number): Postings {
  const counts = cursors.map(({ current }) => (current ? countPostings(current.value) : 0))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const old = { ordinals: new Uint32Array(total), frequencies: new Uint8Array(total) }
  let length = 0
  let isRising = true
  for (const { current, input } of cursors) {
    if (!current) continue
    const end = length + readPostings(current.value, old, { offset: length, base: 0, maxFrequency })
    for (let at = length; at < end; at += 1) {
      const renumbered = input.renumbered[old.ordinals[at] ?? 0] ?? DEAD
      if (renumbered === DEAD) continue
      if (length > 0 && renumbered < (old.ordinals[length - 1] ?? 0)) isRising = false
      old.ordinals[length] = renumbered
      old.frequencies[length] = old.frequencies[at] ?? 1
      length += 1
    }
  }
  const joined = { ordinals: old.ordinals.subarray(0, length), frequencies: old.frequencies.subarray(0, length) }
  return isRising ? joined : sorted(joined)
}

function sorted({ ordinals, frequencies }: Postings): Postings {
  const order = Uint32Array.from(ordinals, (_, at) => at).sort((left, right) => (ordinals[left] ?? 0) - (ordinals[right] ?? 0))
  return { ordinals: ordinals.slice().sort(), frequencies: Uint8Array.from(order, (at) => frequencies[at] ?? 1) }
}

async function* mergedBlocks(snapshot: StoreSnapshot, plan: MergePlan): AsyncGenerator<KeywordBlock> {
  if (plan.ids.length === 0) return
  yield* placeBlocks(plan.ids, encodeLengths(plan.lengths, plan.ids.length))
  const cursors = plan.inputs.map((input) => new EntryCursor(input, snapshot.scan(input.id)))
  const ready: KeywordBlock[] = []
  const writer = new BlockWriter((block) => ready.push(block))
  const value = new ByteWriter()
  try {
    for (const cursor of cursors) await cursor.load()
    for (let key = smallest(cursors); key !== undefined; key = smallest(cursors)) {
      const holders = cursors.filter((cursor) => cursor.current?.key === key)
      const channel = channelOf(key)
      if (channel !== undefined) {
        const { maxFrequency } = CHANNELS[channel]
        const postings = joinPostings(holders, maxFrequency)
        if (postings.ordinals.length > 0) {
          value.clear()
          writePostings(value, postings, { maxFrequency, segmentCount: plan.ids.length })
          writer.put(key, value.toBytes())
        }
      }
      for (const cursor of holders) if (!cursor.step()) await cursor.load()
      yield* ready.splice(0)
    }
    writer.finish()
    yield* ready
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
}

/**
 * One segment that says what `drop` said, without dead chunks; its blocks are read and written in pieces. The snapshot must
 * stay open until the blocks were read.
 */
export async function mergeSegments(snapshot: StoreSnapshot, drop: readonly string[], id: string): Promise<KeywordSegment> {
  const plan = await planNumbers(snapshot, new Set(drop))
  const totals = plan.lengths.map((channel) => channel.reduce((sum, length) => sum + length, 0))
  const header = encodeHeader({ count: plan.ids.length, totals, removed: plan.removed })
  return { id, header, blocks: mergedBlocks(snapshot, plan) }
}
