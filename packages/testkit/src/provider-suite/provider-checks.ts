import assert from 'node:assert/strict'
import type { EmbeddingInput, EmbeddingProvider, EmbeddingResult, InputType, ProviderErrorCode } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'

/** Longer than any local answer takes, shorter than a test's own limit. */
const PATIENCE_MS = 10_000
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

/** Fails the case of a hanging promise instead of the whole run. */
export async function within<Value>(
  promise: Promise<Value>,
  complaint: string,
  patienceMs: number = PATIENCE_MS,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new assert.AssertionError({ message: complaint })), patienceMs)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

export async function rejection(promise: Promise<unknown>, what: string): Promise<ProviderError> {
  const error = await promise.then(
    () => assert.fail(`${what}: it succeeds`),
    (thrown: unknown) => thrown,
  )
  if (ProviderError.isInstance(error)) return error
  throw failure(`${what}: rejects with a ProviderError, not with ${String(error)}`, error)
}

/** A failed expectation that shows the provider's own error, including its stack. */
export function failure(message: string, cause: unknown): assert.AssertionError {
  return Object.assign(new assert.AssertionError({ message }), { cause })
}

/**
 * Outcome of a call, with or without an error. Never rejects, so that a caller who awaits something else first leaves
 * no unhandled rejection.
 */
export function ending(call: Promise<unknown>): Promise<{ readonly error?: unknown; readonly hasSucceeded: boolean }> {
  return call.then(
    () => ({ hasSucceeded: true }),
    (error: unknown) => ({ error, hasSucceeded: false }),
  )
}

/** Waits for an event during a call; a call that ends before it fails the case with its own error. */
export async function meanwhile(what: Promise<void>, call: ReturnType<typeof ending>, complaint: string): Promise<void> {
  const early = call.then(({ error, hasSucceeded }) => {
    throw failure(`${complaint}: the call ${hasSucceeded ? 'succeeds' : `rejects with ${String(error)}`} before`, error)
  })
  await within(Promise.race([what, early]), complaint)
}

/** A cancelled call rejects with the exact reason of its signal. */
export async function assertCancelled(call: ReturnType<typeof ending>, reason: unknown, what: string): Promise<void> {
  const { error, hasSucceeded } = await call
  if (hasSucceeded) throw failure(`${what}: rejects with the reason of the signal, and succeeds instead`, undefined)
  if (error !== reason) throw failure(`${what}: rejects with the reason of the signal, not with ${String(error)}`, error)
}

export async function assertRejects(promise: Promise<unknown>, code: ProviderErrorCode, what: string): Promise<ProviderError> {
  const error = await rejection(promise, what)
  if (error.code === code) return error
  throw failure(`${what}: rejects with the code ${code}, not with ${error.code} (${error.message})`, error)
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
