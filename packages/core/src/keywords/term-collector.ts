/** Postings of all terms, by term: those of term t are at [starts[t], starts[t + 1]); ordinals rise. */
export interface SortedPostings {
  readonly starts: Uint32Array
  readonly ordinals: Uint32Array
  readonly frequencies: Uint8Array
}

function grown<Numbers extends Uint8Array | Uint32Array | Int32Array>(
  numbers: Numbers,
  make: (length: number) => Numbers,
): Numbers {
  const larger = make(numbers.length * 2)
  larger.set(numbers)
  return larger
}

/** Numbers terms and keeps who holds them in the order of arrival; sorted by term only at the end. */
export class TermCollector {
  readonly keys: string[] = []
  readonly #numbers = new Map<string, number>()
  /** Where each chunk's postings begin. */
  readonly #chunks: number[] = []
  #terms: Uint32Array = new Uint32Array(1 << 16)
  #frequencies: Uint8Array = new Uint8Array(1 << 16)
  #length = 0
  /** By term: its last posting. */
  #last: Int32Array = new Int32Array(1 << 14)

  get chunkCount(): number {
    return this.#chunks.length
  }

  numberOf(key: string): number {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.keys.length
      this.#numbers.set(key, number)
      this.keys.push(key)
      if (number >= this.#last.length) this.#last = grown(this.#last, (length) => new Int32Array(length))
      this.#last[number] = -1
    }
    return number
  }

  /** What follows is of the next chunk. */
  startChunk(): void {
    this.#chunks.push(this.#length)
  }

  add(term: number): void {
    const last = this.#last[term] ?? -1
    if (last >= (this.#chunks[this.#chunks.length - 1] ?? 0)) {
      const frequency = this.#frequencies[last] ?? 0
      if (frequency < 255) this.#frequencies[last] = frequency + 1
      return
    }
    if (this.#length === this.#terms.length) {
      this.#terms = grown(this.#terms, (length) => new Uint32Array(length))
      this.#frequencies = grown(this.#frequencies, (length) => new Uint8Array(length))
    }
    this.#terms[this.#length] = term
    this.#frequencies[this.#length] = 1
    this.#last[term] = this.#length
    this.#length += 1
  }

  addAll(terms: ArrayLike<number>): void {
    for (let at = 0; at < terms.length; at += 1) this.add(terms[at] ?? 0)
  }

  /** Counting sort: where each term's postings begin, then every posting to its place. */
  sort(): SortedPostings {
    const starts = new Uint32Array(this.keys.length + 1)
    for (let at = 0; at < this.#length; at += 1) {
      const after = (this.#terms[at] ?? 0) + 1
      starts[after] = (starts[after] ?? 0) + 1
    }
    for (let term = 0; term < this.keys.length; term += 1) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
    const next = starts.slice()
    const ordinals = new Uint32Array(this.#length)
    const frequencies = new Uint8Array(this.#length)
    for (let ordinal = 0; ordinal < this.#chunks.length; ordinal += 1) {
      const end = this.#chunks[ordinal + 1] ?? this.#length
      for (let at = this.#chunks[ordinal] ?? 0; at < end; at += 1) {
        const term = this.#terms[at] ?? 0
        const place = next[term] ?? 0
        next[term] = place + 1
        ordinals[place] = ordinal
        frequencies[place] = this.#frequencies[at] ?? 1
      }
    }
    return { starts, ordinals, frequencies }
  }

  /** The keys in the order of segments, each with its number. */
  sortedKeys(sort: (keys: string[]) => string[]): readonly { readonly key: string; readonly term: number }[] {
    return sort([...this.keys]).map((key) => ({ key, term: this.#numbers.get(key) ?? 0 }))
  }
}
