import type { BlockContent } from '../vectors/code-blocks.ts'
import { BLOCK_SLOTS, countUsed } from '../vectors/code-blocks.ts'
import type { ScanKernel } from './scan-kernel.ts'
import { signCode, signCodeLength } from '../codec/vector-codes.ts'

/** Int8 codes that the kernel reads at a time. */
const ROW_STEP = 32
/** Levels of a query in int16: finer ones would gain nothing over int8 codes. */
const QUERY_LEVELS = 2_047
const ALIGNMENT = 64
const SMALLEST_GROWTH = 1 << 20

/** One block in memory. Never changes except for its int8 codes, which are added when there is time. */
export interface CodeFrame {
  readonly vectors: Uint32Array
  readonly inputs: Uint32Array
  readonly used: number
  /** Position of the 1-bit codes. */
  readonly signs: number
  bytes: ByteCodes | null
}

export interface ByteCodes {
  readonly place: number
  /** Factors that make the dot products of slots comparable; NaN in a free slot. */
  readonly factors: Float32Array
}

/** A query in both forms that the kernel compares. */
export interface EncodedQuery {
  readonly vector: Float32Array
  readonly signs: Uint8Array
  readonly numbers: Int16Array
}

/** The codes of one space in the kernel's memory. */
export class CodeMemory {
  readonly kernel: ScanKernel
  readonly dimensions: number
  readonly #signLength: number
  readonly #rowLength: number
  readonly #free = new Map<number, number[]>()
  readonly #query: { readonly signs: number; readonly numbers: number }
  readonly #out: number
  #end = ALIGNMENT
  #buffer: ArrayBuffer | undefined
  #memory = new Uint8Array(0)
  #distances = new Uint16Array(0)
  #products = new Int32Array(0)

  constructor(kernel: ScanKernel, dimensions: number) {
    this.kernel = kernel
    this.dimensions = dimensions
    this.#signLength = signCodeLength(dimensions)
    this.#rowLength = byteRowLength(dimensions)
    this.#query = { signs: this.#take(this.#signLength), numbers: this.#take(2 * this.#rowLength) }
    this.#out = this.#take(BLOCK_SLOTS * 4)
  }

  /** Bytes of the int8 codes of one block. */
  get byteBlockLength(): number {
    return BLOCK_SLOTS * this.#rowLength
  }

  add({ vectors, inputs, codes }: BlockContent): CodeFrame {
    const signs = this.#take(codes.length)
    this.#refresh()
    this.#memory.set(codes, signs)
    return { vectors, inputs, used: countUsed(vectors), signs, bytes: null }
  }

  /** `codesOf` gives the int8 codes of the vector in a slot; null where there are none, so that the slot never ranks. */
  addBytes(frame: CodeFrame, codesOf: (slot: number) => Int8Array | null): void {
    const place = this.#take(this.byteBlockLength)
    this.#refresh()
    const rows = new Int8Array(this.kernel.buffer, place, this.byteBlockLength).fill(0)
    const factors = new Float32Array(BLOCK_SLOTS).fill(Number.NaN)
    for (const [slot, id] of frame.vectors.entries()) {
      const codes = id === 0 ? null : codesOf(slot)
      if (!codes) continue
      rows.set(codes, slot * this.#rowLength)
      factors[slot] = 1 / lengthOf(codes)
    }
    frame.bytes = { place, factors }
  }

  /** The int8 codes of a slot of a frame that has them. */
  codesOf(bytes: ByteCodes, slot: number): Int8Array {
    return new Int8Array(this.kernel.buffer, bytes.place + slot * this.#rowLength, this.dimensions)
  }

  remove(frame: CodeFrame): void {
    this.#giveBack(BLOCK_SLOTS * this.#signLength, frame.signs)
    if (frame.bytes) this.#giveBack(this.byteBlockLength, frame.bytes.place)
  }

  /** Call it before comparing, and again after anything else may have run. */
  setQuery(query: EncodedQuery): void {
    this.#refresh()
    this.#memory.set(query.signs, this.#query.signs)
    new Int16Array(this.kernel.buffer, this.#query.numbers, this.#rowLength).set(query.numbers)
  }

  /** Number of bits of each slot that differ from the query; valid until the next call. */
  distances(frame: CodeFrame): Uint16Array {
    const call = { query: this.#query.signs, rows: frame.signs, out: this.#out, count: BLOCK_SLOTS, length: this.#signLength }
    this.kernel.hamming(call)
    return this.#distances
  }

  /** The dot product of each slot and the query; valid until the next call. */
  products(bytes: ByteCodes): Int32Array {
    const call = { query: this.#query.numbers, rows: bytes.place, out: this.#out, count: BLOCK_SLOTS, length: this.#rowLength }
    this.kernel.dot(call)
    return this.#products
  }

  /** Compares 1-bit codes with the numbers of a query, by a table of the sums for each byte. */
  signScorer(query: Float32Array): (frame: CodeFrame, slot: number) => number {
    this.#refresh()
    const memory = this.#memory
    const length = this.#signLength
    const sums = signSums(query, length)
    return ({ signs }, slot) => {
      const place = signs + slot * length
      let score = 0
      for (let index = 0; index < length; index++) score += sums[256 * index + (memory[place + index] ?? 0)] ?? 0
      return score
    }
  }

  #take(bytes: number): number {
    const known = this.#free.get(bytes)?.pop()
    if (known !== undefined) return known
    const place = this.#end
    this.#end = place + ALIGNMENT * Math.ceil(bytes / ALIGNMENT)
    const missing = this.#end - this.kernel.buffer.byteLength
    if (missing > 0) this.kernel.grow(Math.max(missing, SMALLEST_GROWTH, this.kernel.buffer.byteLength / 4))
    return place
  }

  #giveBack(bytes: number, place: number): void {
    const places = this.#free.get(bytes)
    if (places) places.push(place)
    else this.#free.set(bytes, [place])
  }

  /** Views of a buffer are detached when the memory grows. */
  #refresh(): void {
    const { buffer } = this.kernel
    if (buffer === this.#buffer) return
    this.#buffer = buffer
    this.#memory = new Uint8Array(buffer)
    this.#distances = new Uint16Array(buffer, this.#out, BLOCK_SLOTS)
    this.#products = new Int32Array(buffer, this.#out, BLOCK_SLOTS)
  }
}

/** For each byte of a code and each of its values, the sum of the query's numbers with set bits. */
function signSums(query: Float32Array, length: number): Float32Array {
  const sums = new Float32Array(256 * length)
  for (let index = 0; index < length; index++) {
    for (let value = 1; value < 256; value++) {
      const bit = 31 - Math.clz32(value)
      const rest = sums[256 * index + (value ^ (1 << bit))] ?? 0
      sums[256 * index + value] = rest + (query[8 * index + bit] ?? 0)
    }
  }
  return sums
}

function byteRowLength(dimensions: number): number {
  return ROW_STEP * Math.ceil(dimensions / ROW_STEP)
}

function lengthOf(codes: Int8Array): number {
  let squares = 0
  for (const code of codes) squares += code * code
  return Math.sqrt(squares)
}

/** A query that is not all zeros. */
export function encodeQuery(query: Float32Array): EncodedQuery {
  const length = byteRowLength(query.length)
  const numbers = new Int16Array(length)
  // Keeps every sum of products with int8 codes within 32 bits.
  const levels = Math.min(QUERY_LEVELS, Math.floor((2 ** 31 - 1) / (127 * length)))
  let peak = 0
  for (const value of query) peak = Math.max(peak, Math.abs(value))
  for (const [index, value] of query.entries()) numbers[index] = Math.round((value / peak) * levels)
  return { vector: query, signs: signCode(query), numbers }
}
