import { createRandom } from '../speed/notes/random.ts'

/**
 * Vectors as embedding models give them, made up: notes gather in topics of uneven size, share aspects across topics, and differ
 * by a little noise. Unit length. Isotropic noise alone would have no near neighbours to find.
 */
const TOPICS = 1_000
const ASPECTS = 2_048
const ASPECTS_A_VECTOR = 6
const NOISE = 0.25
/** Above 1: early topics have more notes. */
const SKEW = 1.6
const NOISE_TABLE = 1 << 16

export class VectorMaker {
  readonly #dimensions: number
  readonly #topics: readonly Float32Array[]
  readonly #aspects: readonly Float32Array[]
  readonly #noise: Float32Array
  readonly #random: () => number

  /** Makers of one world seed have the same topics; the draw seed says which vectors come. */
  constructor(dimensions: number, { world, draw }: { readonly world: number; readonly draw: number }) {
    const random = createRandom(world)
    this.#dimensions = dimensions
    this.#topics = Array.from({ length: TOPICS }, () => direction(dimensions, random))
    this.#aspects = Array.from({ length: ASPECTS }, () => direction(dimensions, random))
    this.#noise = Float32Array.from({ length: NOISE_TABLE }, () => gaussian(random))
    this.#random = createRandom(draw)
  }

  next(): Float32Array {
    const vector = new Float32Array(this.#dimensions)
    add(vector, this.#pick(this.#topics), 1)
    for (let count = 0; count < ASPECTS_A_VECTOR; count++) add(vector, this.#pick(this.#aspects), 0.15 + 0.35 * this.#random())
    const scale = NOISE / Math.sqrt(this.#dimensions)
    let at = Math.floor(this.#random() * NOISE_TABLE)
    // Odd, so that it goes through the whole table.
    const step = 2 * Math.floor(this.#random() * 2_000) + 1
    for (let index = 0; index < vector.length; index++, at = (at + step) % NOISE_TABLE) {
      vector[index]! += scale * (this.#noise[at] ?? 0)
    }
    return unit(vector)
  }

  #pick(list: readonly Float32Array[]): Float32Array {
    return list[Math.floor(list.length * this.#random() ** SKEW)] ?? new Float32Array(this.#dimensions)
  }
}

function add(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let index = 0; index < sum.length; index++) sum[index]! += weight * (vector[index] ?? 0)
}

function direction(dimensions: number, random: () => number): Float32Array {
  return unit(Float32Array.from({ length: dimensions }, () => gaussian(random)))
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  for (let index = 0; index < vector.length; index++) vector[index]! /= length
  return vector
}
