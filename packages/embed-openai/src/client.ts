import { failingFetch, type Fetch, guardedFetch, withHeaders } from '@mnemark/provider-kit'
import type { OpenAI } from 'openai'

export interface ClientSettings {
  readonly apiKey: string
  readonly baseUrl: string
  /** All headers to send, the key's included. */
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** The longest a Node timer can run: time-outs are the caller's. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** The SDK's client, loaded with the first call and shared by calls made meanwhile. */
export function lazyClient(settings: ClientSettings): () => Promise<OpenAI> {
  let loading: Promise<OpenAI> | undefined
  return () => (loading ??= load(settings))
}

async function load({ apiKey, baseUrl, headers, fetch }: ClientSettings): Promise<OpenAI> {
  const sdk = await import('openai')
  // The SDK reads missing options from the environment, so every option is set.
  return new sdk.OpenAI({
    apiKey,
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    // Refusals are read before the SDK, whose errors keep no body that is not JSON.
    fetch: withHeaders(failingFetch(guardedFetch(new URL(baseUrl).origin, fetch)), headers),
  })
}
