const encoder = new TextEncoder()

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

  /** Four bytes, little end first. */
  uint32(value: number): void {
    this.#reserve(4)
    for (let shift = 0; shift < 32; shift += 8) this.#bytes[this.#length++] = (value >>> shift) & 0xff
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
  }

  string(value: string): void {
    const encoded = encoder.encode(value)
    this.varint(encoded.length)
    this.bytes(encoded)
  }

  /** A copy of what was written. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  /** What was written, valid until the next write. */
  bytesView(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }
}
