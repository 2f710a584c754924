import type { ChunkAttributes, DocumentId } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/** `part` of an undivided document; a key column cannot be null. */
export const WHOLE = -1

export function partOf({ part }: DocumentId): number {
  return part ?? WHOLE
}

/** A plain view without a copy: a Buffer would slice differently from the Uint8Array of the contract. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Decodes little-endian float32, the format of vectors before they were packed. */
export function vectorFrom(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}

/** A chunk with one date only is dated on that day. */
export function dayRange({ from, to }: ChunkAttributes): { readonly first: string | null; readonly last: string | null } {
  return { first: from ?? to ?? null, last: to ?? from ?? null }
}

export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`limit must be a whole number from 0, got ${limit}.`)
}

export function assertDimensions(expected: number, got: number): void {
  if (expected === got) return
  throw new StoreError('space-mismatch', `This vector space holds vectors of ${expected} numbers, got one of ${got}.`)
}
