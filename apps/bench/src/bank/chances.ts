import { createRandom } from '../speed/notes/random.ts'

/** Choices that depend on the seed alone. */
export class Chances {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = createRandom(seed)
  }

  /** From `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1))
  }

  /** True in this share of all cases, 0 to 1. */
  happens(share: number): boolean {
    return this.#random() < share
  }

  /** One of a list that is not empty. */
  one<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new RangeError('There is nothing to choose from.')
    return item
  }

  shuffled<Item>(items: readonly Item[]): readonly Item[] {
    const order = items.map((item) => ({ item, key: this.#random() }))
    return order.sort((left, right) => left.key - right.key).map(({ item }) => item)
  }
}
