import type { KeywordBlock, KeywordSegment, StoreSnapshot } from '@mnemark/spec'
import { BlockWalk, BlockWriter } from '../format/block.ts'
import type { ByteReader } from '../format/byte-reader.ts'
import { ByteWriter } from '../format/byte-writer.ts'
import { CHANNELS, channelOf } from '../format/channels.ts'
import { copyTraits, type DecodedTraits, emptyTraits, encodeTraits, totalsOf, traitBlocks } from '../format/chunk-traits.ts'
import { readPlace, readRuns, type SegmentPlace } from '../read/keyword-reader.ts'
import { countPostings, type Postings, readPostings, writePostings } from '../format/postings.ts'
import { decodeHeader, encodeHeader, holdsId, isOwnSegment, type SegmentHeader } from '../format/segment-header.ts'

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
  readonly traits: DecodedTraits
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
    const place = places.get(id) ?? { ids: [], ...emptyTraits(0) }
    return { id, place, renumbered: new Uint32Array(header.count).fill(DEAD) }
  })
  const traits = emptyTraits(live.length)
  live.forEach(({ input, ordinal }, renumbered) => {
    const from = inputs[input]
    if (!from) return
    from.renumbered[ordinal] = renumbered
    copyTraits(from.place, ordinal, traits, renumbered)
  })
  const others = listed.filter(({ id }) => !drop.has(id))
  const removed = await stillNeeded(
    snapshot,
    dropped.flatMap(({ header }) => header.removed),
    others,
  )
  return { inputs, ids: live.map(({ id }) => id), traits, removed }
}

/** A tombstone is needed as long as a segment outside this merge holds its chunk. */
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
  readonly renumbered: Uint32Array
  /** UTF-8 of the current key. */
  readonly key: ByteWriter = new ByteWriter(64)
  isDone = false
  readonly #blocks: AsyncIterator<KeywordBlock>
  #walk: BlockWalk | undefined

  constructor({ renumbered }: MergeInput, blocks: AsyncIterable<KeywordBlock>) {
    this.renumbered = renumbered
    this.#blocks = blocks[Symbol.asyncIterator]()
  }

  get value(): ByteReader | undefined {
    return this.#walk?.value
  }

  /** True when the next entry is ready; false when the next block must be loaded first. */
  step(): boolean {
    return this.#walk?.next() === true
  }

  async load(): Promise<void> {
    while (!this.step()) {
      const { done, value } = await this.#blocks.next()
      if (done) {
        this.isDone = true
        return
      }
      this.#walk = new BlockWalk(value.bytes, this.key)
    }
  }

  async close(): Promise<void> {
    await this.#blocks.return?.()
  }
}

/** The cursors at the smallest key; none when all are done. */
function smallest(cursors: readonly EntryCursor[]): readonly EntryCursor[] {
  const holders: EntryCursor[] = []
  for (const cursor of cursors) {
    if (cursor.isDone) continue
    const order = holders[0] === undefined ? 0 : cursor.key.compare(holders[0].key)
    if (order < 0) holders.length = 0
    if (order <= 0) holders.push(cursor)
  }
  return holders
}

/** Joins the postings of one key after another in reused arrays. */
class PostingJoiner {
  #ordinals: Uint32Array = new Uint32Array(1 << 10)
  #frequencies: Uint8Array = new Uint8Array(1 << 10)

  /**
   * Renumbered postings of one key, and their count; ascending, though segments of other merges may lie between those
   * of this one.
   */
  join(cursors: readonly EntryCursor[], maxFrequency: number): Postings & { readonly count: number } {
    this.#makeRoom(cursors)
    const old = { ordinals: this.#ordinals, frequencies: this.#frequencies }
    let count = 0
    let isRising = true
    for (const { value, renumbered } of cursors) {
      if (!value) continue
      const end = count + readPostings(value, old, { offset: count, base: 0, maxFrequency })
      for (let at = count; at < end; at += 1) {
        const ordinal = renumbered[old.ordinals[at] ?? 0] ?? DEAD
        if (ordinal === DEAD) continue
        if (count > 0 && ordinal < (old.ordinals[count - 1] ?? 0)) isRising = false
        old.ordinals[count] = ordinal
        old.frequencies[count] = old.frequencies[at] ?? 1
        count += 1
      }
    }
    return { ...(isRising ? old : sorted(old, count)), count }
  }

  #makeRoom(cursors: readonly EntryCursor[]): void {
    let needed = 0
    for (const { value } of cursors) if (value) needed += countPostings(value)
    if (needed <= this.#ordinals.length) return
    this.#ordinals = new Uint32Array(2 * needed)
    this.#frequencies = new Uint8Array(2 * needed)
  }
}

function sorted({ ordinals, frequencies }: Postings, count: number): Postings {
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort(
    (left, right) => (ordinals[left] ?? 0) - (ordinals[right] ?? 0),
  )
  return {
    ordinals: order.map((at) => ordinals[at] ?? 0),
    frequencies: Uint8Array.from(order, (at) => frequencies[at] ?? 1),
  }
}

async function* mergedBlocks(snapshot: StoreSnapshot, plan: MergePlan): AsyncGenerator<KeywordBlock> {
  if (plan.ids.length === 0) return
  yield* traitBlocks(plan.ids, encodeTraits(plan.traits, plan.ids.length))
  const cursors = plan.inputs.map((input) => new EntryCursor(input, snapshot.scan(input.id)))
  const ready: KeywordBlock[] = []
  const writer = new BlockWriter((block) => ready.push(block))
  const value = new ByteWriter()
  const joiner = new PostingJoiner()
  try {
    for (const cursor of cursors) await cursor.load()
    for (let holders = smallest(cursors); holders[0] !== undefined; holders = smallest(cursors)) {
      const channel = channelOf(String.fromCharCode(holders[0].key.at(0)))
      if (channel !== undefined) {
        const { maxFrequency } = CHANNELS[channel]
        const postings = joiner.join(holders, maxFrequency)
        if (postings.count > 0) {
          value.clear()
          writePostings(value, postings, { maxFrequency, segmentCount: plan.ids.length, from: 0, to: postings.count })
          writer.put(holders[0].key, value)
        }
      }
      for (const cursor of holders) if (!cursor.step()) await cursor.load()
      // Delegation awaits a promise even where there is nothing.
      if (ready.length > 0) yield* ready.splice(0)
    }
    writer.finish()
    yield* ready
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
}

/**
 * Merges the segments of `drop` into one, without dead chunks; blocks are read and written in pieces. The snapshot must
 * stay open until the blocks are read.
 */
export async function mergeSegments(snapshot: StoreSnapshot, drop: readonly string[], id: string): Promise<KeywordSegment> {
  const plan = await planNumbers(snapshot, new Set(drop))
  const header = encodeHeader({ count: plan.ids.length, totals: totalsOf(plan.traits.lengths), removed: plan.removed })
  return { id, header, blocks: mergedBlocks(snapshot, plan) }
}
