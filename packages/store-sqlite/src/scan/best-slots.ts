/** Keeps the `capacity` best scores: a heap with the worst on top. Of equal scores, the first stays. */
export class BestSlots {
  /** A score must be above this to be kept. */
  floor: number = Number.NEGATIVE_INFINITY
  readonly #capacity: number
  readonly #scores: number[] = []
  readonly #items: number[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
    if (capacity === 0) this.floor = Number.POSITIVE_INFINITY
  }

  get items(): readonly number[] {
    return this.#items
  }

  get isFull(): boolean {
    return this.#items.length === this.#capacity
  }

  /** Call it only with a score above the floor. */
  add(score: number, item: number): void {
    if (!this.isFull) this.#rise(score, item)
    else this.#sink(score, item)
    if (this.isFull) this.floor = this.#scores[0] ?? this.floor
  }

  #rise(score: number, item: number): void {
    let at = this.#items.length
    this.#scores.push(score)
    this.#items.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      if ((this.#scores[above] ?? 0) <= score) break
      this.#move(above, at)
      at = above
    }
    this.#put(at, score, item)
  }

  #sink(score: number, item: number): void {
    const size = this.#items.length
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      if (below + 1 < size && (this.#scores[below + 1] ?? 0) < (this.#scores[below] ?? 0)) below++
      if ((this.#scores[below] ?? 0) >= score) break
      this.#move(below, at)
      at = below
    }
    this.#put(at, score, item)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#scores[from] ?? 0, this.#items[from] ?? 0)
  }

  #put(at: number, score: number, item: number): void {
    this.#scores[at] = score
    this.#items[at] = item
  }
}
