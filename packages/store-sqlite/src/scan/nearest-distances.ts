const NONE = 0xffff

/** Small whole distances of many slots, counted so that the nearest are found without sorting. */
export class NearestDistances {
  readonly #distances: Uint16Array
  readonly #counts = new Uint32Array(NONE + 1)

  constructor(slots: number) {
    this.#distances = new Uint16Array(slots).fill(NONE)
  }

  note(from: number, distances: Uint16Array): void {
    this.#distances.set(distances, from)
    for (const distance of distances) this.#counts[distance]!++
  }

  forget(slot: number): void {
    this.#counts[this.#distances[slot] ?? NONE]!--
    this.#distances[slot] = NONE
  }

  /**
   * The nearest `count` wanted slots, by slot where distances are equal; more if few were wanted at first. `isWanted`
   * is called for near slots only.
   */
  take(count: number, isWanted: (slot: number) => boolean): number[] {
    const taken: number[] = []
    let nearest = 0
    for (let goal = count; taken.length < count && nearest < NONE; goal = 4 * (goal + count)) {
      const farthest = this.#farthest(nearest, goal)
      this.#collect({ nearest, farthest, count }, isWanted, taken)
      nearest = farthest + 1
    }
    return taken
  }

  /** The distance from `nearest` on within which there are `goal` slots. */
  #farthest(nearest: number, goal: number): number {
    let sum = 0
    for (let distance = nearest; distance < NONE; distance++) {
      sum += this.#counts[distance] ?? 0
      if (sum >= goal) return distance
    }
    return NONE - 1
  }

  /** Takes all slots nearer than `farthest`, and as many at that distance as are missing. */
  #collect(
    { nearest, farthest, count }: { readonly nearest: number; readonly farthest: number; readonly count: number },
    isWanted: (slot: number) => boolean,
    taken: number[],
  ): void {
    const atTheEdge: number[] = []
    for (let slot = 0; slot < this.#distances.length; slot++) {
      const distance = this.#distances[slot] ?? NONE
      if (distance > farthest || distance < nearest) continue
      if (distance === farthest) atTheEdge.push(slot)
      else if (isWanted(slot)) taken.push(slot)
    }
    for (const slot of atTheEdge) {
      if (taken.length >= count) return
      if (isWanted(slot)) taken.push(slot)
    }
  }
}
