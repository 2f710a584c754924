import { eachLetter, packedFloor, packGram } from '../../text/packed-grams.ts'
import type { ByteWriter } from './byte-writer.ts'
import { CHANNELS, type ChannelName } from './channels.ts'
import { sortKeys } from './key-order.ts'

// Object.keys widens the keys of a constant table to string. Sorted by letter, which is the order of keys.
const IN_ORDER = (Object.keys(CHANNELS) as ChannelName[]).sort((left, right) =>
  CHANNELS[left].letter < CHANNELS[right].letter ? -1 : 1,
)

/** Numbers the terms of a segment in the order of arrival. ASCII grams, which are most grams, are never strings. */
export class TermNumbers {
  readonly #byTerm: ReadonlyMap<ChannelName, Map<string, number>> = new Map(
    IN_ORDER.map((channel) => [channel, new Map<string, number>()]),
  )
  readonly #byGram = new Map<number, number>()
  #count = 0

  get count(): number {
    return this.#count
  }

  of(channel: ChannelName, term: string): number {
    const packed = channel === 'gram' ? packGram(term) : undefined
    return packed === undefined ? this.#find(this.#termsOf(channel), term) : this.ofGram(packed)
  }

  /** `packed` as in `eachPackedGram`. */
  ofGram(packed: number): number {
    return this.#find(this.#byGram, packed)
  }

  /** Calls `visit` for every term in key order, with the UTF-8 of its key in `key`. */
  eachInOrder(key: ByteWriter, visit: (channel: ChannelName, number: number) => void): void {
    for (const channel of IN_ORDER) {
      const terms = this.#termsOf(channel)
      const grams = channel === 'gram' ? Uint32Array.from(this.#byGram.keys()).sort() : new Uint32Array(0)
      let next = 0
      const gramsBelow = (limit: number): void => {
        for (; next < grams.length && (grams[next] ?? 0) < limit; next += 1) {
          const packed = grams[next] ?? 0
          this.#begin(key, channel)
          eachLetter(packed, (code) => key.byte(code))
          visit(channel, this.#byGram.get(packed) ?? 0)
        }
      }
      for (const term of sortKeys([...terms.keys()])) {
        if (next < grams.length) gramsBelow(packedFloor(term))
        this.#begin(key, channel)
        key.utf8(term)
        visit(channel, terms.get(term) ?? 0)
      }
      gramsBelow(Number.POSITIVE_INFINITY)
    }
  }

  #termsOf(channel: ChannelName): Map<string, number> {
    // Every channel has its map from the start.
    return this.#byTerm.get(channel) as Map<string, number>
  }

  #find<Key>(numbers: Map<Key, number>, key: Key): number {
    let number = numbers.get(key)
    if (number === undefined) {
      number = this.#count
      this.#count += 1
      numbers.set(key, number)
    }
    return number
  }

  #begin(key: ByteWriter, channel: ChannelName): void {
    key.clear()
    key.utf8(CHANNELS[channel].letter)
  }
}
