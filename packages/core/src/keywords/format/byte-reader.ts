import { damagedSegment } from './damaged-segment.ts'

const decoder = new TextDecoder()

export class ByteReader {
  readonly bytes: Uint8Array
  at: number
  readonly end: number

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  get isDone(): boolean {
    return this.at >= this.end
  }

  byte(): number {
    const value = this.bytes[this.at]
    if (value === undefined || this.at >= this.end) throw damagedSegment('a segment ends too early')
    this.at += 1
    return value
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const next = this.byte()
      value += (next & 0x7f) * scale
      if (next < 0x80) return value
      scale *= 128
    }
  }

  skip(length: number): void {
    if (this.at + length > this.end) throw damagedSegment('a segment ends too early')
    this.at += length
  }

  slice(length: number): Uint8Array {
    const from = this.at
    this.skip(length)
    return this.bytes.subarray(from, this.at)
  }

  string(): string {
    return decoder.decode(this.slice(this.varint()))
  }
}
