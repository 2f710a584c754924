import type { KeywordBlock } from '@mnemark/spec'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** Size at which a block is closed; a longer single entry makes a longer block. */
const BLOCK_BYTES = 12_000

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Writes rising keys with their values into front-coded blocks: shared prefix length, rest of the key, value. */
export class BlockWriter {
  readonly #emit: (block: KeywordBlock) => void
  readonly #writer = new ByteWriter(BLOCK_BYTES * 2)
  #firstKey: string | undefined
  #previous: Uint8Array = new Uint8Array(0)

  constructor(emit: (block: KeywordBlock) => void) {
    this.#emit = emit
  }

  put(key: string, value: Uint8Array): void {
    if (this.#writer.length > 0 && this.#writer.length + value.length > BLOCK_BYTES) this.finish()
    const encoded = encoder.encode(key)
    if (this.#firstKey === undefined) {
      this.#firstKey = key
      this.#previous = new Uint8Array(0)
    }
    const limit = Math.min(encoded.length, this.#previous.length)
    let shared = 0
    while (shared < limit && encoded[shared] === this.#previous[shared]) shared += 1
    this.#writer.varint(shared)
    this.#writer.varint(encoded.length - shared)
    this.#writer.bytes(encoded.subarray(shared))
    this.#writer.varint(value.length)
    this.#writer.bytes(value)
    this.#previous = encoded
  }

  finish(): void {
    if (this.#firstKey === undefined) return
    this.#emit({ firstKey: this.#firstKey, bytes: this.#writer.toBytes() })
    this.#writer.clear()
    this.#firstKey = undefined
  }
}

export interface BlockEntry {
  readonly key: string
  readonly value: ByteReader
}

export function* entriesOf(bytes: Uint8Array): Generator<BlockEntry> {
  const reader = new ByteReader(bytes)
  let key = new Uint8Array(0)
  while (!reader.isDone) {
    const shared = reader.varint()
    const rest = reader.slice(reader.varint())
    const grown = new Uint8Array(shared + rest.length)
    grown.set(key.subarray(0, shared))
    grown.set(rest, shared)
    key = grown
    const length = reader.varint()
    yield { key: decoder.decode(key), value: new ByteReader(bytes, reader.at, reader.at + length) }
    reader.slice(length)
  }
}

/**
 * The value of one key, or undefined. Walks the entries without building their keys: `matched` is how many leading bytes of
 * the wanted key the last smaller entry shared with it, so most entries are skipped by their prefix length alone.
 */
export function findInBlock(bytes: Uint8Array, key: string): ByteReader | undefined {
  const wanted = encoder.encode(key)
  const reader = new ByteReader(bytes)
  let matched = 0
  while (!reader.isDone) {
    const shared = reader.varint()
    const restLength = reader.varint()
    const restStart = reader.at
    reader.slice(restLength)
    const valueLength = reader.varint()
    if (shared < matched) return undefined
    if (shared === matched) {
      let at = 0
      while (at < restLength && matched < wanted.length && bytes[restStart + at] === wanted[matched]) {
        at += 1
        matched += 1
      }
      if (at === restLength && matched === wanted.length) return new ByteReader(bytes, reader.at, reader.at + valueLength)
      const isAbove = at < restLength && (matched === wanted.length || (bytes[restStart + at] ?? 0) > (wanted[matched] ?? 0))
      if (isAbove) return undefined
    }
    reader.slice(valueLength)
  }
  return undefined
}
