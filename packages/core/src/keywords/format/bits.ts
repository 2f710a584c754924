/** Sets of small whole numbers, a bit each. */

export function isIn(bits: Uint8Array, bit: number): boolean {
  return (((bits[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) === 1
}

export function putIn(bits: Uint8Array, bit: number): void {
  bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7))
}

export function bitCount(byte: number): number {
  let bits = byte - ((byte >>> 1) & 0x55)
  bits = (bits & 0x33) + ((bits >>> 2) & 0x33)
  return (bits + (bits >>> 4)) & 0x0f
}

export function countBits(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) count += bitCount(byte)
  return count
}
