export interface Ranked {
  readonly ordinal: number
  readonly score: number
}

export interface TopRequest {
  readonly limit: number
  /** Asked only of those that would enter. */
  readonly accepts: (ordinal: number) => boolean
  /** Rising; undefined = all. */
  readonly ordinals?: Uint32Array | undefined
}

/** The `limit` best above zero by score, ties by ordinal; a binary heap with the worst on top. */
export function topScores(scores: Float32Array, { limit, accepts, ordinals }: TopRequest): Ranked[] {
  const heap: Ranked[] = []
  const isWorse = (left: Ranked, right: Ranked) =>
    left.score < right.score || (left.score === right.score && left.ordinal > right.ordinal)
  const count = ordinals?.length ?? scores.length
  for (let at = 0; at < count; at += 1) {
    const ordinal = ordinals === undefined ? at : (ordinals[at] ?? 0)
    const score = scores[ordinal] ?? 0
    if (score <= 0 || (heap.length >= limit && score <= (heap[0]?.score ?? 0)) || !accepts(ordinal)) continue
    if (heap.length < limit) pushHeap(heap, { ordinal, score }, isWorse)
    else replaceTop(heap, { ordinal, score }, isWorse)
  }
  return heap.sort((left, right) => right.score - left.score || left.ordinal - right.ordinal)
}

type IsWorse = (left: Ranked, right: Ranked) => boolean

function pushHeap(heap: Ranked[], item: Ranked, isWorse: IsWorse): void {
  let at = heap.length
  heap.push(item)
  while (at > 0) {
    const parent = (at - 1) >>> 1
    const above = heap[parent]
    if (!above || !isWorse(item, above)) break
    heap[at] = above
    at = parent
  }
  heap[at] = item
}

function replaceTop(heap: Ranked[], item: Ranked, isWorse: IsWorse): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    let below = heap[child]
    const sibling = heap[child + 1]
    if (below && sibling && isWorse(sibling, below)) {
      child += 1
      below = sibling
    }
    if (!below || !isWorse(below, item)) break
    heap[at] = below
    at = child
  }
  heap[at] = item
}
