import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Where a term occurs: ordinals rise; `frequencies` runs beside them, capped by the channel. */
export interface Postings {
  readonly ordinals: Uint32Array
  readonly frequencies: Uint8Array
}

/** Per posting: delta of the ordinal, doubled, plus one where the frequency is more than one; then the frequency itself if the channel counts beyond two. */
export function writePostings(writer: ByteWriter, postings: Postings, maxFrequency: number): void {
  const { ordinals, frequencies } = postings
  writer.varint(ordinals.length)
  let previous = -1
  for (let at = 0; at < ordinals.length; at += 1) {
    const ordinal = ordinals[at] ?? 0
    const frequency = Math.min(frequencies[at] ?? 1, maxFrequency)
    writer.varint((ordinal - previous - 1) * 2 + (frequency > 1 ? 1 : 0))
    if (frequency > 1 && maxFrequency > 2) writer.byte(frequency)
    previous = ordinal
  }
}

/** Appends to `target` from `offset` on, every ordinal raised by `base`; returns how many. The arrays must have room. */
export function readPostings(
  reader: ByteReader,
  target: Postings,
  place: { readonly offset: number; readonly base: number; readonly maxFrequency: number },
): number {
  const count = reader.varint()
  let ordinal = place.base - 1
  for (let at = place.offset; at < place.offset + count; at += 1) {
    const coded = reader.varint()
    ordinal += Math.floor(coded / 2) + 1
    target.ordinals[at] = ordinal
    target.frequencies[at] = coded % 2 === 0 ? 1 : place.maxFrequency > 2 ? reader.byte() : 2
  }
  return count
}
