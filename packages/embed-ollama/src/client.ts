import { failingFetch, type Fetch, guardedFetch } from '@mnemark/provider-kit'
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
  const send = failingFetch(guardedFetch(new URL(baseUrl).origin, fetch), (failure) => refineFailure(failure, model))
  return async (signal) => {
    const sdk = await import('ollama')
    return new sdk.Ollama({
      host: baseUrl,
      fetch: (input, init) => send(input, { ...init, signal, headers: headersOf(init, headers) }),
    })
  }
}

/** Our headers and the SDK's, without the key that the SDK reads from the environment for the hosted service. */
function headersOf(init: RequestInit | undefined, ours: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(init?.headers)
  headers.delete('authorization')
  for (const [name, value] of Object.entries(ours)) headers.set(name, value)
  return headers
}
