/** Characters in a shingle: about three words of an alphabet, six to eight of Chinese. */
const SHINGLE_LENGTH = 12
/** Only the beginning of a very long text is compared, and its whole length. */
const LONGEST_COMPARED = 4096
/** Least share of shingles that makes two texts equal, 9 of 10; in whole numbers, since binary has no 0.9. */
const [LEAST_SHARED, OF_ALL] = [9, 10]
const BASE = 16_777_619

/** Comparable form of a text: hashes of all runs of 12 characters, ascending, each once. */
export interface Shingles {
  readonly hashes: Uint32Array
  readonly length: number
}

export function shinglesOf(text: string): Shingles {
  const end = Math.min(text.length, LONGEST_COMPARED)
  const size = Math.min(SHINGLE_LENGTH, end)
  const hashes = new Uint32Array(Math.max(0, end - size + 1))
  let leadingPower = 1
  for (let step = 1; step < size; step += 1) leadingPower = Math.imul(leadingPower, BASE)
  let rolling = 0
  for (let at = 0; at < end; at += 1) {
    if (at >= size) rolling -= Math.imul(text.charCodeAt(at - size), leadingPower)
    rolling = (Math.imul(rolling, BASE) + text.charCodeAt(at)) | 0
    if (at >= size - 1) hashes[at - size + 1] = rolling
  }
  return { hashes: ascendingDistinct(hashes), length: text.length }
}

/**
 * Whether two texts of similar length have a Jaccard index over shingles of 0.9 or more. Texts without shingles are
 * never alike.
 */
export function areNearlyEqual(left: Shingles, right: Shingles): boolean {
  if (!couldBe(left.length, right.length) || !couldBe(left.hashes.length, right.hashes.length)) return false
  const total = left.hashes.length + right.hashes.length
  // shared / (total - shared) >= 9/10, solved for what may be missing on both sides together.
  const mayMiss = total - 2 * Math.ceil((LEAST_SHARED * total) / (OF_ALL + LEAST_SHARED))
  return total > 0 && missing(left.hashes, right.hashes, mayMiss) <= mayMiss
}

function couldBe(left: number, right: number): boolean {
  return OF_ALL * Math.min(left, right) >= LEAST_SHARED * Math.max(left, right)
}

/** Number of hashes on one side only; stops counting above the limit. */
function missing(left: Uint32Array, right: Uint32Array, limit: number): number {
  let count = 0
  let [atLeft, atRight] = [0, 0]
  while (atLeft < left.length && atRight < right.length && count <= limit) {
    // Both places lie inside their arrays.
    const difference = (left[atLeft] ?? 0) - (right[atRight] ?? 0)
    if (difference <= 0) atLeft += 1
    if (difference >= 0) atRight += 1
    if (difference !== 0) count += 1
  }
  return count + (left.length - atLeft) + (right.length - atRight)
}

function ascendingDistinct(hashes: Uint32Array): Uint32Array {
  hashes.sort()
  let length = 0
  for (const [at, hash] of hashes.entries()) {
    if (at === 0 || hash !== hashes[length - 1]) {
      hashes[length] = hash
      length += 1
    }
  }
  return hashes.subarray(0, length)
}
