/**
 * Values up to a size in all, least recently used first out. A map keeps the order in which its keys were put in, which is all that this
 * takes; a library for it would be larger than the rest of this package.
 */
export class SizedCache<Key, Value> {
  readonly #maxSize: number
  readonly #sizeOf: (value: Value) => number
  /** The least recently used first. */
  readonly #entries = new Map<Key, Value>()
  #size = 0

  /** `maxSize` in the unit of `sizeOf`, which must always say the same of one value; 0 keeps nothing. */
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

  /** What alone is larger than the cache is not kept. */
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
