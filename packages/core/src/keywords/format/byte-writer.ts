const encoder = new TextEncoder()
const COPY_BY_HAND = 32

/** A growing byte buffer with the few encodings that segments need. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** The byte at `index`, 0 beyond the end. */
  at(index: number): number {
    return index < this.#length ? (this.#bytes[index] ?? 0) : 0
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** LEB128; `value` is a whole number from 0 to 2^53 − 1. */
  varint(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest = rest > 0x7fffffff ? Math.floor(rest / 128) : rest >>> 7
    }
    this.#bytes[this.#length++] = rest
  }

  /** Writes four bytes, little-endian. */
  uint32(value: number): void {
    this.#reserve(4)
    for (let shift = 0; shift < 32; shift += 8) this.#bytes[this.#length++] = (value >>> shift) & 0xff
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
  }

  /** Writes a part of other bytes; short ones in a loop, which costs less than a view of them. */
  copy(values: Uint8Array, from: number, to: number): void {
    const count = to - from
    this.#reserve(count)
    if (count > COPY_BY_HAND) this.#bytes.set(values.subarray(from, to), this.#length)
    else for (let at = 0; at < count; at += 1) this.#bytes[this.#length + at] = values[from + at] ?? 0
    this.#length += count
  }

  /** Appends the other writer's bytes from `from` on. */
  append(other: ByteWriter, from = 0): void {
    this.copy(other.#bytes, from, other.#length)
  }

  /** Writes the UTF-8 of a text, without its length. */
  utf8(value: string): void {
    this.#reserve(3 * value.length)
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at)
      if (code > 0x7f) {
        this.#length += encoder.encodeInto(value.slice(at), this.#bytes.subarray(this.#length)).written
        return
      }
      this.#bytes[this.#length++] = code
    }
  }

  /** Keeps the first `length` bytes. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length)
  }

  /** Length of the common prefix in bytes. */
  sharedWith(other: ByteWriter): number {
    const limit = Math.min(this.#length, other.#length)
    let shared = 0
    while (shared < limit && this.#bytes[shared] === other.#bytes[shared]) shared += 1
    return shared
  }

  /** Below, equal or above zero, in byte order. */
  compare(other: ByteWriter): number {
    const shared = this.sharedWith(other)
    if (shared === this.#length || shared === other.#length) return this.#length - other.#length
    return (this.#bytes[shared] ?? 0) - (other.#bytes[shared] ?? 0)
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  /** The written bytes, valid until the next write. */
  bytesView(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }
}
