/**
 * Caches values up to a total size; evicts the least recently used. A map keeps the insertion order of its keys, which
 * is enough; a library would be larger than the rest of this package.
 */
export class SizedCache<Key, Value> {
  readonly #maxSize: number
  readonly #sizeOf: (value: Value) => number
  /** Least recently used first. */
  readonly #entries = new Map<Key, Value>()
  #size = 0

  /** `maxSize` is in the unit of `sizeOf`, which must return the same for the same value; 0 caches nothing. */
  constructor(maxSize: number, sizeOf: (value: Value) => number) {
    this.#maxSize = maxSize
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** A value larger than the cache is not kept. */
  set(key: Key, value: Value): void {
    this.#delete(key)
    const size = this.#sizeOf(value)
    if (size > this.#maxSize) return
    this.#entries.set(key, value)
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) return
      this.#delete(oldest)
    }
  }

  #delete(key: Key): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#size -= this.#sizeOf(value)
  }
}
