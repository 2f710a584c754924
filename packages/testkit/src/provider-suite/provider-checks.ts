import assert from 'node:assert/strict'
import type { EmbeddingInput, EmbeddingProvider, EmbeddingResult, InputType } from '@mnemark/spec'
import { within } from '../service-suite/call-checks.ts'

const TOLERANCE = 1e-5

export const TEXTS: readonly string[] = ['an apple orchard in May', 'the toll of the old bridge', 'a concert for two cellos']

/** The texts of a case, or as many of them as the provider takes in one request. */
export const textsFor = ({ limits }: EmbeddingProvider): readonly string[] => TEXTS.slice(0, limits.maxInputs)

export const inputsOf = (texts: readonly string[]): readonly EmbeddingInput[] => texts.map((text) => ({ type: 'text', text }))

export function embed(
  provider: EmbeddingProvider,
  texts: readonly string[] = textsFor(provider),
  { inputType = 'document', signal }: { readonly inputType?: InputType; readonly signal?: AbortSignal } = {},
): Promise<EmbeddingResult> {
  return within(provider.embed({ inputs: inputsOf(texts), inputType, signal }), 'embed did not settle')
}

export const unit = (values: readonly number[]): readonly number[] => {
  const norm = Math.hypot(...values)
  return values.map((value) => value / norm)
}

export function assertSameVector(actual: ArrayLike<number> | null | undefined, expected: ArrayLike<number>, what: string): void {
  assert.ok(actual, `${what}: there is a vector`)
  assert.equal(actual.length, expected.length, `${what}: length`)
  for (let index = 0; index < expected.length; index++) {
    const difference = Math.abs(actual[index]! - expected[index]!)
    assert.ok(difference <= TOLERANCE, `${what}: number ${index} is ${actual[index]}, expected ${expected[index]}`)
  }
}

/** Vectors are finite, of unit length, all of one length, one for each input. */
export function assertUnitVectors({ vectors }: EmbeddingResult, count: number): void {
  assert.equal(vectors.length, count, 'one vector for each input')
  const lengths = new Set<number>()
  for (const vector of vectors) {
    if (vector === null) continue
    assert.ok(vector instanceof Float32Array, 'a vector is a Float32Array')
    assert.ok(vector.every(Number.isFinite), 'all numbers are finite')
    assert.ok(Math.abs(Math.hypot(...vector) - 1) <= TOLERANCE, `the length of the vector is 1, not ${Math.hypot(...vector)}`)
    lengths.add(vector.length)
  }
  assert.ok(lengths.size <= 1, 'all vectors are of one length')
}
