import { failingFetch, type Fetch, guardedFetch, limitedFetch, withHeaders } from '@mnemark/provider-kit'
import type { OpenAI } from 'openai'

export interface ClientSettings {
  readonly baseUrl: string
  /** All headers of ours, including the key's. */
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** The longest a timer of Node can run: time-outs are the caller's. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** The SDK's client, loaded with the first call and shared by calls made meanwhile. */
export function lazyClient(settings: ClientSettings): () => Promise<OpenAI> {
  let loading: Promise<OpenAI> | undefined
  return () => (loading ??= load(settings))
}

async function load({ baseUrl, headers, fetch }: ClientSettings): Promise<OpenAI> {
  const sdk = await import('openai')
  // Every option is set that the SDK would otherwise read from the environment.
  return new sdk.OpenAI({
    // The SDK requires one; the key that is sent is among the headers.
    apiKey: 'none',
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    // Refusals are read before the SDK, whose errors keep no body that is not JSON.
    fetch: withHeaders(failingFetch(limitedFetch(guardedFetch(new URL(baseUrl).origin, fetch))), headers),
  })
}
