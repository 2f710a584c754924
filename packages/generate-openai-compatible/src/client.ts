import { failingFetch, type Fetch, guardedFetch, limitedFetch, withHeaders } from '@mnemark/provider-kit'
import type { OpenAI } from 'openai'

export interface ClientSettings {
  readonly baseUrl: string
  /** All there are to be, the key's among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** The longest a timer of Node can run: time-outs are the caller's. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** The SDK's client, loaded with the first call and shared by those that come meanwhile. */
export function lazyClient(settings: ClientSettings): () => Promise<OpenAI> {
  let loading: Promise<OpenAI> | undefined
  return () => (loading ??= load(settings))
}

async function load({ baseUrl, headers, fetch }: ClientSettings): Promise<OpenAI> {
  const sdk = await import('openai')
  // What is left out is read from the environment, so nothing is.
  return new sdk.OpenAI({
    // Must be something; what is sent stands in the headers.
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
