/** BM25's k1. */
export const K1 = 1.2

/**
 * BM25's f / (f + k1 · (1 − b + b · length / average)) for every chunk of a channel, with the most common case, f = 1,
 * precomputed: a search would spend its time on one division per posting.
 */
export class Saturation {
  readonly #norms: Float32Array
  readonly #once: Float32Array

  /** `lengths` in parts, by ordinal; `average` is that of live chunks. */
  constructor(lengths: readonly Uint32Array[], average: number, b: number) {
    const count = lengths.reduce((sum, part) => sum + part.length, 0)
    this.#norms = new Float32Array(count)
    this.#once = new Float32Array(count)
    let at = 0
    for (const part of lengths) {
      for (const length of part) {
        const norm = K1 * (1 - b + (b * length) / average)
        this.#norms[at] = norm
        this.#once[at] = 1 / (1 + norm)
        at += 1
      }
    }
  }

  of(ordinal: number, frequency: number): number {
    return frequency === 1 ? (this.#once[ordinal] ?? 0) : frequency / (frequency + (this.#norms[ordinal] ?? K1))
  }
}

/** Saturation of channels without lengths. */
export const FLAT: Pick<Saturation, 'of'> = { of: (_ordinal, frequency) => frequency / (frequency + K1) }
