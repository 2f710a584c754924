import { failingFetch, type Fetch, guardedFetch, limitedFetch, withHeaders } from '@mnemark/provider-kit'
import type { Ollama } from 'ollama'
import { refineFailure } from './failure.ts'

export interface ClientSettings {
  readonly baseUrl: string
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** A client for one call, because only its `fetch` can carry the call's signal; it holds nothing and costs nothing. */
export type OpenClient = (signal: AbortSignal) => Promise<Ollama>

/** The SDK is loaded with the first call. */
export function lazyClient({ baseUrl, model, headers, fetch }: ClientSettings): OpenClient {
  const guarded = limitedFetch(guardedFetch(new URL(baseUrl).origin, fetch))
  // The SDK adds a key from the environment for the hosted service.
  const send = withHeaders(
    failingFetch(guarded, (failure) => refineFailure(failure, model)),
    headers,
  )
  return async (signal) => {
    const sdk = await import('ollama')
    return new sdk.Ollama({ host: baseUrl, fetch: (input, init) => send(input, { ...init, signal }) })
  }
}
