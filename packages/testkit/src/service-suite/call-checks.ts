import assert from 'node:assert/strict'
import { ProviderError, type ProviderErrorCode } from '@mnemark/spec'

/** Longer than any answer from this machine takes, shorter than a test's own limit. */
const PATIENCE_MS = 10_000

/** Fails the case, instead of the whole run, if the promise does not settle in time. */
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

/** A failed expectation that shows what the provider itself threw, stack and all. */
export function failure(message: string, cause: unknown): assert.AssertionError {
  return Object.assign(new assert.AssertionError({ message }), { cause })
}

/** How a call ends: with an error or without. Never rejects, so that no rejection is unhandled while something else is awaited. */
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

/** A cancelled call rejects with the very reason of its signal. */
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
