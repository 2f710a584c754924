import { NumberList } from '../format/number-list.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

function hashOf(kind: number, text: string, start: number, end: number): number {
  let hash = FNV_OFFSET ^ kind
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  // Mixed, because the low bits choose the slot, and the last letter alone would decide them.
  return (hash ^ (hash >>> 15)) >>> 0
}

/**
 * Numbers runs of text in the order in which they are added. A custom hash table, because a text has a word every six
 * letters: a Map would need a string for each look-up.
 */
export class RunNames {
  readonly #letters = new NumberList(1 << 14)
  /** Where the letters of each run begin, and one more for the end. */
  readonly #starts = new NumberList()
  readonly #kinds = new NumberList()
  readonly #hashes = new NumberList()
  /** Number of the run in each slot plus one, by the low bits of its hash; 0 is free. */
  #slots: Uint32Array = new Uint32Array(1 << 13)

  constructor() {
    this.#starts.push(0)
  }

  /** The number of the run text[start, end) of this kind. */
  find(kind: number, text: string, start: number, end: number): number | undefined {
    const hash = hashOf(kind, text, start, end)
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const run = (this.#slots[slot] ?? 0) - 1
      if (run < 0) return undefined
      if (this.#hashes.at(run) === hash && this.#kinds.at(run) === kind && this.#isAt(run, text, start, end)) return run
    }
  }

  #isAt(run: number, text: string, start: number, end: number): boolean {
    const from = this.#starts.at(run)
    if (this.#starts.at(run + 1) - from !== end - start) return false
    for (let at = start; at < end; at += 1) if (this.#letters.at(from + at - start) !== text.charCodeAt(at)) return false
    return true
  }

  /** Adds a run that is not in the table yet. */
  add(kind: number, run: string): void {
    for (let at = 0; at < run.length; at += 1) this.#letters.push(run.charCodeAt(at))
    this.#starts.push(this.#letters.length)
    this.#kinds.push(kind)
    this.#hashes.push(hashOf(kind, run, 0, run.length))
    if (this.#hashes.length * 2 > this.#slots.length) this.#grow()
    else this.#place(this.#hashes.length - 1)
  }

  #place(run: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#hashes.at(run) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = run + 1
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    for (let run = 0; run < this.#hashes.length; run += 1) this.#place(run)
  }
}
