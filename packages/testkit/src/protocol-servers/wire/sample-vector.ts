import { hash } from 'node:crypto'

/** The seeded vector a protocol server gives a text: equal for equal texts, not of unit length. */
export function sampleVector(text: string, dimensions: number): readonly number[] {
  const seed = Number.parseInt(hash('sha256', text.toWellFormed(), 'hex').slice(0, 8), 16)
  return Array.from({ length: dimensions }, (_, index) => 3 * noise(seed + index * 0x9e3779b9))
}

/** Between -1 and 1, never 0. Mixing as in MurmurHash3's finaliser. */
function noise(value: number): number {
  let mixed = value >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  mixed = (mixed ^ (mixed >>> 16)) >>> 0
  return Math.fround((mixed + 0.5) / 2 ** 31 - 1)
}

/** Base64 of little-endian float32, the binary form of services. */
export function base64Vector(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4))
  return bytes.toString('base64')
}
