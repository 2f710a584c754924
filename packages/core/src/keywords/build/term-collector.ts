import { NumberList } from '../format/number-list.ts'

/** Postings of all terms, by term: those of term t are at [starts[t], starts[t + 1]), in ascending order of ordinals. */
export interface SortedPostings {
  readonly starts: Uint32Array
  readonly ordinals: Uint32Array
  readonly frequencies: Uint8Array
}

const MAX_FREQUENCY = 255

function withRoom<Numbers extends Uint8Array | Uint32Array>(numbers: Numbers, larger: Numbers): Numbers {
  larger.set(numbers)
  return larger
}

/** Collects which chunks hold which terms in the order of arrival; sorts by term only at the end. */
export class TermCollector {
  /** Where each chunk's postings begin. */
  readonly #chunks = new NumberList(256)
  readonly #terms = new NumberList(1 << 14)
  #frequencies: Uint8Array = new Uint8Array(1 << 14)
  /** One more than the last posting of each term. */
  #after: Uint32Array = new Uint32Array(1 << 12)

  get chunkCount(): number {
    return this.#chunks.length
  }

  startChunk(): void {
    this.#chunks.push(this.#terms.length)
  }

  add(term: number, count: number): void {
    if (term >= this.#after.length) this.#makeRoom(term)
    const last = (this.#after[term] ?? 0) - 1
    if (last >= this.#chunks.at(this.#chunks.length - 1)) {
      this.#frequencies[last] = Math.min(MAX_FREQUENCY, (this.#frequencies[last] ?? 0) + count)
      return
    }
    const at = this.#terms.length
    if (at === this.#frequencies.length) this.#frequencies = withRoom(this.#frequencies, new Uint8Array(2 * at))
    this.#terms.push(term)
    this.#frequencies[at] = Math.min(MAX_FREQUENCY, count)
    this.#after[term] = at + 1
  }

  #makeRoom(term: number): void {
    this.#after = withRoom(this.#after, new Uint32Array(Math.max(term + 1, this.#after.length * 2)))
  }

  /** Counting sort: finds where the postings of each term begin, then moves every posting to its place. */
  sort(termCount: number): SortedPostings {
    const { values: terms, length } = this.#terms
    const starts = new Uint32Array(termCount + 1)
    for (let at = 0; at < length; at += 1) {
      const after = (terms[at] ?? 0) + 1
      starts[after] = (starts[after] ?? 0) + 1
    }
    for (let term = 0; term < termCount; term += 1) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
    const next = starts.slice()
    const ordinals = new Uint32Array(length)
    const frequencies = new Uint8Array(length)
    for (let ordinal = 0; ordinal < this.#chunks.length; ordinal += 1) {
      const end = ordinal + 1 < this.#chunks.length ? this.#chunks.at(ordinal + 1) : length
      for (let at = this.#chunks.at(ordinal); at < end; at += 1) {
        const term = terms[at] ?? 0
        const place = next[term] ?? 0
        next[term] = place + 1
        ordinals[place] = ordinal
        frequencies[place] = this.#frequencies[at] ?? 1
      }
    }
    return { starts, ordinals, frequencies }
  }
}
