import { ProviderError } from '@mnemark/spec'

/** True for errors of the AI SDK of that name, from any copy of it. */
export function isAISDKError(error: unknown, name: string): error is object {
  return typeof error === 'object' && error !== null && Reflect.get(error, Symbol.for(`vercel.ai.error.${name}`)) === true
}

/** Marks a `ProviderError` by the AI SDK's own symbols, so that its retries and `APICallError.isInstance` work. Others pass unchanged. */
export function knownToAISDK(error: unknown, endpoint: string | null): unknown {
  if (!ProviderError.isInstance(error)) return error
  const { status, retryAfterMs } = error
  const members = {
    [Symbol.for('vercel.ai.error')]: true,
    [Symbol.for('vercel.ai.error.AI_APICallError')]: true,
    url: endpoint ?? '',
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) },
  }
  const descriptors = Reflect.ownKeys(members).map((name) => [name, { value: Reflect.get(members, name), configurable: true }])
  return Object.defineProperties(error, Object.fromEntries(descriptors))
}
