import type { VectorSet } from './vector-set.ts'
import { documentVectors, queryVectors } from './vector-set.ts'

/** The oracle: for each query the numbers of its `limit` nearest vectors by cosine, in float64, over all of them. */
export function exactNearest(set: VectorSet, limit: number): readonly (readonly number[])[] {
  const queries = queryVectors(set)
  const best = queries.map(() => [] as { readonly number: number; readonly similarity: number }[])
  let number = 0
  for (const vector of documentVectors(set)) {
    const length = Math.hypot(...vector)
    for (const [index, query] of queries.entries()) {
      const list = best[index] ?? []
      const similarity = dot(query, vector) / length
      if (list.length === limit && similarity <= (list.at(-1)?.similarity ?? 0)) continue
      list.push({ number, similarity })
      list.sort((left, right) => right.similarity - left.similarity)
      if (list.length > limit) list.pop()
    }
    number++
  }
  return best.map((list) => list.map((one) => one.number))
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0
  for (let index = 0; index < left.length; index++) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}

/** The share of the true nearest that were found; 1 where there are none. */
export function recall(found: readonly number[], truth: readonly number[]): number {
  const set = new Set(found)
  return truth.length === 0 ? 1 : truth.filter((number) => set.has(number)).length / truth.length
}
