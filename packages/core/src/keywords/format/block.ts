import type { KeywordBlock } from '@mnemark/spec'
import { damagedSegment } from './damaged-segment.ts'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** Size at which a block is closed; a longer single entry makes a longer block. */
const BLOCK_BYTES = 12_000
/** One entry in this many has its whole key, so that a look-up can jump there. */
const RESTART_EVERY = 16

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Writes ascending keys with their values into front-coded blocks. An entry: length of the prefix shared with the entry
 * before, length of the rest, rest, length of the value, value. After the entries: offsets of the restarts (4 bytes
 * each), and their number.
 */
export class BlockWriter {
  readonly #emit: (block: KeywordBlock) => void
  readonly #writer = new ByteWriter(BLOCK_BYTES * 2)
  readonly #previous = new ByteWriter(64)
  #firstKey: string | undefined
  #restarts: number[] = []
  #entries = 0

  constructor(emit: (block: KeywordBlock) => void) {
    this.#emit = emit
  }

  /** `key` in UTF-8. */
  put(key: ByteWriter, value: ByteWriter): void {
    if (this.#entries > 0 && this.#writer.length + value.length > BLOCK_BYTES) this.finish()
    this.#firstKey ??= decoder.decode(key.bytesView())
    const isRestart = this.#entries % RESTART_EVERY === 0
    if (isRestart) this.#restarts.push(this.#writer.length)
    const shared = isRestart ? 0 : key.sharedWith(this.#previous)
    this.#writer.varint(shared)
    this.#writer.varint(key.length - shared)
    this.#writer.append(key, shared)
    this.#writer.varint(value.length)
    this.#writer.append(value)
    this.#previous.truncate(shared)
    this.#previous.append(key, shared)
    this.#entries += 1
  }

  finish(): void {
    if (this.#firstKey === undefined) return
    for (const restart of this.#restarts) this.#writer.uint32(restart)
    this.#writer.uint32(this.#restarts.length)
    this.#emit({ firstKey: this.#firstKey, bytes: this.#writer.toBytes() })
    this.#writer.clear()
    this.#firstKey = undefined
    this.#restarts = []
    this.#entries = 0
  }
}

function uint32At(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0
}

function restartsOf(bytes: Uint8Array): { readonly count: number; readonly start: number } {
  const count = uint32At(bytes, bytes.length - 4)
  const start = bytes.length - 4 - 4 * count
  if (bytes.length < 4 || start < 0) throw damagedSegment('a block has no end')
  return { count, start }
}

/** Walks the entries of a block in order, without making a string of each key. */
export class BlockWalk {
  /** UTF-8 key of the entry that `next` reached, valid until the following one. */
  readonly key: ByteWriter
  /** Value of that entry, from the reader's position to its end. */
  value: ByteReader
  readonly #reader: ByteReader

  /** `key` is a buffer that walks over many blocks can share. */
  constructor(bytes: Uint8Array, key: ByteWriter = new ByteWriter(64)) {
    this.key = key
    this.key.clear()
    this.#reader = new ByteReader(bytes, 0, restartsOf(bytes).start)
    this.value = this.#reader
  }

  /** Returns false after the last entry. */
  next(): boolean {
    const reader = this.#reader
    if (reader.isDone) return false
    const shared = reader.varint()
    const length = reader.varint()
    const from = reader.at
    reader.skip(length)
    if (shared > this.key.length) throw damagedSegment('an entry shares more than there is')
    this.key.truncate(shared)
    this.key.copy(reader.bytes, from, reader.at)
    const valueLength = reader.varint()
    const start = reader.at
    reader.skip(valueLength)
    this.value = new ByteReader(reader.bytes, start, reader.at)
    return true
  }
}

export interface BlockEntry {
  readonly key: string
  readonly value: ByteReader
}

export function* entriesOf(bytes: Uint8Array): Generator<BlockEntry> {
  const walk = new BlockWalk(bytes)
  while (walk.next()) yield { key: decoder.decode(walk.key.bytesView()), value: walk.value }
}

/** Below, equal or above zero as the key at a restart is smaller than, equal to or greater than the wanted one. */
function compareRestart(bytes: Uint8Array, at: number, wanted: Uint8Array): number {
  const reader = new ByteReader(bytes, at)
  reader.varint()
  const length = reader.varint()
  const limit = Math.min(length, wanted.length)
  for (let index = 0; index < limit; index += 1) {
    const difference = (bytes[reader.at + index] ?? 0) - (wanted[index] ?? 0)
    if (difference !== 0) return difference
  }
  return length - wanted.length
}

/** Start of the walk to a key: the last restart that is not above it. */
function startFor(bytes: Uint8Array, wanted: Uint8Array, restarts: { readonly count: number; readonly start: number }): number {
  let low = 0
  let high = restarts.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRestart(bytes, uint32At(bytes, restarts.start + 4 * middle), wanted) <= 0) low = middle + 1
    else high = middle
  }
  return low === 0 ? 0 : uint32At(bytes, restarts.start + 4 * (low - 1))
}

/**
 * The value of one key, or undefined. Walks the entries after a restart without building their keys: `matched` is how
 * many leading bytes of the wanted key the last smaller entry shared with it, so most entries are skipped by their
 * prefix length alone.
 */
export function findInBlock(bytes: Uint8Array, key: string): ByteReader | undefined {
  const wanted = encoder.encode(key)
  const restarts = restartsOf(bytes)
  const reader = new ByteReader(bytes, startFor(bytes, wanted, restarts), restarts.start)
  let matched = 0
  while (!reader.isDone) {
    const shared = reader.varint()
    const restLength = reader.varint()
    const restStart = reader.at
    reader.skip(restLength)
    const valueLength = reader.varint()
    // A restart has no shared prefix by its form, though it may in fact.
    if (shared < matched && shared > 0) return undefined
    if (shared <= matched) {
      matched = shared
      let at = 0
      while (at < restLength && matched < wanted.length && bytes[restStart + at] === wanted[matched]) {
        at += 1
        matched += 1
      }
      if (at === restLength && matched === wanted.length) return new ByteReader(bytes, reader.at, reader.at + valueLength)
      const isAbove = at < restLength && (matched === wanted.length || (bytes[restStart + at] ?? 0) > (wanted[matched] ?? 0))
      if (isAbove) return undefined
    }
    reader.skip(valueLength)
  }
  return undefined
}
