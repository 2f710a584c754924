export interface Ranked {
  readonly ordinal: number
  readonly score: number
}

export interface TopRequest {
  readonly limit: number
  /** Called only for chunks that would enter. */
  readonly accepts: (ordinal: number) => boolean
  /** Below zero where the left one comes first among equal scores, zero where both are equal. */
  readonly compareEquals: (left: number, right: number) => number
  /** Ascending; undefined = all. */
  readonly ordinals?: Uint32Array | undefined
}

/**
 * The `limit` best above zero, best first, followed by every chunk that ties with the last in all that is compared: the
 * caller decides between those. A binary heap with the worst on top.
 */
export function topScores(scores: Float64Array, { limit, accepts, compareEquals, ordinals }: TopRequest): Ranked[] {
  const heap: Ranked[] = []
  /** Chunks that tie with the worst of the heap. */
  let alike: Ranked[] = []
  const compare = (left: Ranked, right: Ranked) => right.score - left.score || compareEquals(left.ordinal, right.ordinal)
  const count = ordinals?.length ?? scores.length
  for (let at = 0; at < count; at += 1) {
    const ordinal = ordinals === undefined ? at : (ordinals[at] ?? 0)
    const score = scores[ordinal] ?? 0
    const worst = heap.length < limit ? undefined : heap[0]
    if (score <= 0 || (worst !== undefined && score < worst.score)) continue
    const item = { ordinal, score }
    const order = worst === undefined ? -1 : compare(item, worst)
    if (order > 0 || !accepts(ordinal)) continue
    if (worst === undefined) pushHeap(heap, item, compare)
    else if (order === 0) alike.push(item)
    else {
      replaceTop(heap, item, compare)
      const isStillLast = heap[0] !== undefined && compare(heap[0], worst) === 0
      alike = isStillLast ? [...alike, worst] : []
    }
  }
  return [...heap.sort(compare), ...alike]
}

type Compare = (left: Ranked, right: Ranked) => number

function pushHeap(heap: Ranked[], item: Ranked, compare: Compare): void {
  let at = heap.length
  heap.push(item)
  while (at > 0) {
    const parent = (at - 1) >>> 1
    const above = heap[parent]
    if (!above || compare(item, above) <= 0) break
    heap[at] = above
    at = parent
  }
  heap[at] = item
}

function replaceTop(heap: Ranked[], item: Ranked, compare: Compare): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    let below = heap[child]
    const sibling = heap[child + 1]
    if (below && sibling && compare(sibling, below) > 0) {
      child += 1
      below = sibling
    }
    if (!below || compare(below, item) <= 0) break
    heap[at] = below
    at = child
  }
  heap[at] = item
}
