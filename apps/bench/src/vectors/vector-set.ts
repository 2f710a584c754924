import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import * as valibot from 'valibot'
import { VectorMaker } from './made-vectors.ts'

export const vectorSetSchema = valibot.object({
  count: valibot.number(),
  dimensions: valibot.number(),
  queries: valibot.number(),
  /** Raw little-endian float32, one vector after the other; the last ones are the queries. Made-up vectors without it. */
  file: valibot.optional(valibot.string()),
})
export type VectorSet = valibot.InferOutput<typeof vectorSetSchema>

const WORLD = 11
const DOCUMENTS = 12
const QUERIES = 13

/** The vectors of the notes, in order. */
export function* documentVectors({ count, dimensions, file }: VectorSet): Generator<Float32Array> {
  if (file !== undefined) return yield* fileVectors(file, { dimensions, from: 0, count })
  const maker = new VectorMaker(dimensions, { world: WORLD, draw: DOCUMENTS })
  for (let number = 0; number < count; number++) yield maker.next()
}

export function queryVectors({ count, dimensions, queries, file }: VectorSet): readonly Float32Array[] {
  if (file !== undefined) return [...fileVectors(file, { dimensions, from: count, count: queries })]
  const maker = new VectorMaker(dimensions, { world: WORLD, draw: QUERIES })
  return Array.from({ length: queries }, () => maker.next())
}

/** How many vectors a file holds. */
export function countFileVectors(file: string, dimensions: number): number {
  const descriptor = openSync(file, 'r')
  const { size } = fstatSync(descriptor)
  closeSync(descriptor)
  return Math.floor(size / (4 * dimensions))
}

function* fileVectors(
  file: string,
  { dimensions, from, count }: { readonly dimensions: number; readonly from: number; readonly count: number },
): Generator<Float32Array> {
  const descriptor = openSync(file, 'r')
  try {
    for (let number = from; number < from + count; number++) {
      const vector = new Float32Array(dimensions)
      if (readSync(descriptor, vector, 0, vector.byteLength, number * vector.byteLength) < vector.byteLength) return
      yield vector
    }
  } finally {
    closeSync(descriptor)
  }
}
