import { NumberList } from '../format/number-list.ts'

/** Terms of one run of text: their numbers in all channels, those of grams last. */
export interface SpokenTerms {
  readonly terms: readonly number[]
  readonly words: number
  readonly grams: number
}

/** One run of a field, and how often it occurs. */
export interface CountedRun {
  readonly count: number
  readonly words: number
  readonly grams: number
  readonly terms: NumberList
  /** Its part of `terms`, [from, to). */
  readonly from: number
  readonly to: number
}

/**
 * Caches the terms of repeated runs, and counts them over one field of one chunk. In flat lists: a batch has hundreds
 * of thousands of runs.
 */
export class RunTerms {
  readonly #terms = new NumberList()
  /** Where the terms of each run begin, and one more for the end. */
  readonly #starts = new NumberList()
  readonly #words = new NumberList()
  readonly #grams = new NumberList()
  readonly #counts = new NumberList()
  readonly #seen = new NumberList(256)

  constructor() {
    this.#starts.push(0)
  }

  /** Returns the number of the run. */
  add({ terms, words, grams }: SpokenTerms): number {
    for (const term of terms) this.#terms.push(term)
    this.#starts.push(this.#terms.length)
    this.#words.push(words)
    this.#grams.push(grams)
    this.#counts.push(0)
    return this.#counts.length - 1
  }

  count(run: number): void {
    const { values } = this.#counts
    const count = values[run] ?? 0
    if (count === 0) this.#seen.push(run)
    values[run] = count + 1
  }

  /** Calls `visit` with every counted run, and resets the counts. */
  settle(visit: (run: CountedRun) => void): void {
    for (let at = 0; at < this.#seen.length; at += 1) {
      const run = this.#seen.at(at)
      visit({
        count: this.#counts.at(run),
        words: this.#words.at(run),
        grams: this.#grams.at(run),
        terms: this.#terms,
        from: this.#starts.at(run),
        to: this.#starts.at(run + 1),
      })
      this.#counts.values[run] = 0
    }
    this.#seen.length = 0
  }
}
