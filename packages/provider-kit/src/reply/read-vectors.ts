import { endianness } from 'node:os'
import { failureError } from '../failure/service-failure.ts'
import { inInputOrder } from './in-input-order.ts'
import type { RawEmbedding } from './raw-embedding.ts'

export interface VectorExpectation {
  readonly count: number
  /** Undefined means any length, the same for all. */
  readonly dimensions: number | undefined
  /** True if null is a valid answer; otherwise it is a gap. */
  readonly hasNullVectors: boolean
}

const bad = (summary: string): Error => failureError({ code: 'bad-response', summary })

/**
 * Reads the vectors of a reply in input order, checked (count, length, finite, not all zero) and scaled to unit length. A failed
 * check is a `bad-response`; no vector is repaired by guessing.
 */
export function readVectors(entries: readonly RawEmbedding[], expected: VectorExpectation): readonly (Float32Array | null)[] {
  if (entries.length !== expected.count)
    throw unordered(`${count(entries.length, 'vector')} came back for ${count(expected.count, 'input')}`)
  let { dimensions } = expected
  return inInputOrder(entries, unclear).map(({ values }, index) => {
    if (values === null && expected.hasNullVectors) return null
    const vector = unitVector(values, index)
    dimensions ??= vector.length
    if (vector.length !== dimensions) throw wrongLength(vector.length, dimensions, index)
    return vector
  })
}

/** Nothing says which vector belongs to which input; asked for one at a time, the service may still be usable. */
const unordered = (summary: string): Error => failureError({ code: 'bad-response', summary, isUnordered: true })

const unclear = (position: number): Error =>
  unordered(`the answer has no vector for input ${position}, or its positions are not clear`)

const count = (amount: number, thing: string): string => `${amount} ${thing}${amount === 1 ? '' : 's'}`

const wrongLength = (length: number, dimensions: number, index: number): Error =>
  failureError({
    code: 'bad-response',
    summary: `the vector of input ${index} has ${count(length, 'number')} where ${dimensions} were expected`,
    nextStep: 'Set the dimensions to what the model gives, or choose a model that gives what is set.',
  })

/** Sums of squares below this may have lost precision, or underflowed to zero. */
const SMALLEST_SQUARES = 1e-200

/**
 * Throws a `bad-response` for anything but finite numbers that are not all zero. Runs for each number of each answer, hence the
 * loops.
 */
function unitVector(values: unknown, index: number): Float32Array {
  const vector = numbersOf(values)
  if (vector === undefined || vector.length === 0) throw bad(`the vector of input ${index} is missing or not a list of numbers`)
  let squares = 0
  for (let position = 0; position < vector.length; position++) {
    const value = vector[position]!
    if (!Number.isFinite(value)) throw bad(`the vector of input ${index} has an entry that is not a finite number`)
    squares += value * value
  }
  if (squares >= SMALLEST_SQUARES && squares < Number.POSITIVE_INFINITY) return scaled(vector, 1 / Math.sqrt(squares))
  const largest = Array.from(vector, Math.abs).reduce((most, value) => Math.max(most, value), 0)
  if (largest === 0) throw bad(`the vector of input ${index} is all zeros`)
  return unitVector(
    Float64Array.from(vector, (value) => value / largest),
    index,
  )
}

function scaled(vector: ArrayLike<number>, factor: number): Float32Array {
  const unit = new Float32Array(vector.length)
  for (let position = 0; position < vector.length; position++) unit[position] = vector[position]! * factor
  return unit
}

/** A list unchanged, whatever its entries are, or decoded base64 of little-endian float32; undefined for anything else. */
function numbersOf(values: unknown): ArrayLike<number> | undefined {
  if (typeof values === 'string') return decodeBase64(values)
  return Array.isArray(values) || values instanceof Float32Array || values instanceof Float64Array ? values : undefined
}

function decodeBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  // Buffer skips characters that are not base64; then the length does not fit the text.
  const isWhole = bytes.length % 4 === 0 && Math.floor(((text.length - padding) * 3) / 4) === bytes.length
  if (!isWhole) return undefined
  const ordered = endianness() === 'LE' ? bytes : bytes.swap32()
  // A small Buffer shares its memory with others and may begin anywhere; a Float32Array must begin at a multiple of four.
  const aligned = ordered.byteOffset % 4 === 0 ? ordered : Uint8Array.from(ordered)
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
}
