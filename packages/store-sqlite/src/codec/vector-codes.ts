/**
 * Format of a stored vector: the largest absolute number (float32), then each number as a share of it in 12 bits: a
 * signed byte each (a multiple of 16), then four bits each (the remainder, two per byte). The bytes alone are the int8
 * codes of the scan. Measured at 20,000 x 384: the ten nearest are those of the float32 vectors in .997 to 1.0 of
 * cases, at 580 bytes instead of 1,536; with the bytes alone in .995, too near to the goal of .99 for vectors that lie
 * closer together.
 */
const PEAK_BYTES = 4
/** Nearly the maximum of 12 bits, and divisible by small numbers: vectors of small whole numbers are restored exactly. */
const LEVELS = 2_016
const REMAINDER = 8

/** Bytes of one packed vector. */
export function packedLength(dimensions: number): number {
  return PEAK_BYTES + dimensions + Math.ceil(dimensions / 2)
}

/**
 * Packs a vector of finite numbers. Each is restored to within a 4,000th of the largest one; the largest one and zero
 * exactly.
 */
export function packVector(vector: Float32Array): Uint8Array {
  const { length } = vector
  const packed = new Uint8Array(packedLength(length))
  let peak = 0
  for (let index = 0; index < length; index++) peak = Math.max(peak, Math.abs(vector[index] ?? 0))
  new DataView(packed.buffer).setFloat32(0, peak, true)
  if (peak === 0) return packed
  for (let index = 0; index < length; index++) {
    const level = Math.round(((vector[index] ?? 0) / peak) * LEVELS)
    const high = (level + REMAINDER) >> 4
    packed[PEAK_BYTES + index] = high
    packed[PEAK_BYTES + length + (index >> 1)]! |= (level - 16 * high + REMAINDER) << (4 * (index & 1))
  }
  return packed
}

/** Direction of a packed vector, whatever its length: whole numbers from -2,016 to 2,016. */
export function unpackLevels(packed: Uint8Array, dimensions: number): Int16Array {
  const levels = new Int16Array(dimensions)
  for (let index = 0; index < dimensions; index++) levels[index] = levelAt(packed, dimensions, index)
  return levels
}

function levelAt(packed: Uint8Array, dimensions: number, index: number): number {
  const high = ((packed[PEAK_BYTES + index] ?? 0) << 24) >> 24
  const remainder = ((packed[PEAK_BYTES + dimensions + (index >> 1)] ?? 0) >> ((index & 1) << 2)) & 15
  return (high << 4) + remainder - REMAINDER
}

export function squaresOf(vector: Float32Array): number {
  let squares = 0
  for (const value of vector) squares += value * value
  return squares
}

/** The cosine of a packed vector and a query, both with a direction; `squares` is the query's sum of squares. */
export function packedCosine(packed: Uint8Array, query: Float32Array, squares: number): number {
  const dimensions = query.length
  const codes = byteCodes(packed, dimensions)
  const even = dimensions - (dimensions & 1)
  let at = PEAK_BYTES + dimensions
  let dot = 0
  let ownSquares = 0
  // Two at a time, like the remainders: this takes half the time of one by one, and a search spends most of its time here.
  for (let index = 0; index < even; index += 2, at++) {
    const remainders = packed[at] ?? 0
    const first = ((codes[index] ?? 0) << 4) + (remainders & 15) - REMAINDER
    const second = ((codes[index + 1] ?? 0) << 4) + (remainders >> 4) - REMAINDER
    dot += first * (query[index] ?? 0) + second * (query[index + 1] ?? 0)
    ownSquares += first * first + second * second
  }
  if (even < dimensions) {
    const last = levelAt(packed, dimensions, even)
    dot += last * (query[even] ?? 0)
    ownSquares += last * last
  }
  return dot / Math.sqrt(ownSquares * squares)
}

export function unpackVector(packed: Uint8Array, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  const peak = peakOf(packed)
  if (peak === 0) return vector
  for (const [index, level] of unpackLevels(packed, dimensions).entries()) vector[index] = (level * peak) / LEVELS
  return vector
}

/** False for a vector of zeros. */
export function hasDirection(packed: Uint8Array): boolean {
  return peakOf(packed) > 0
}

function peakOf(packed: Uint8Array): number {
  return new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getFloat32(0, true)
}

/** The int8 codes, a view of the packed vector. */
export function byteCodes(packed: Uint8Array, dimensions: number): Int8Array {
  return new Int8Array(packed.buffer, packed.byteOffset + PEAK_BYTES, dimensions)
}

/** Bytes of the 1-bit code, rounded up to the kernel's step. */
export function signCodeLength(dimensions: number): number {
  return 16 * Math.ceil(dimensions / 128)
}

/** One bit per number: whether it is above zero. */
export function signCode(vector: ArrayLike<number>): Uint8Array {
  const code = new Uint8Array(signCodeLength(vector.length))
  for (let index = 0; index < vector.length; index++) {
    if ((vector[index] ?? 0) > 0) code[index >> 3]! |= 1 << (index & 7)
  }
  return code
}
