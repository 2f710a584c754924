import { failingFetch, type Fetch, guardedFetch } from '@mnemark/provider-kit'
import type { Models } from '@google/genai'
import { refineFailure } from './failure.ts'

export interface GeminiEndpoint {
  /** Without a version and a trailing slash. */
  readonly baseUrl: string
  readonly apiVersion: string
}

const DEFAULT_VERSION = 'v1beta'
const VERSION = /^(?<base>.*)\/(?<version>v\d+(?:(?:alpha|beta)\d*)?)(?:\/openai)?$/

/** `https://h`, `https://h/`, `https://h/v1beta/` and the address of the OpenAI-style face, `https://h/v1beta/openai`, are one. */
export function splitVersion(endpoint: string): GeminiEndpoint {
  const { base, version } = VERSION.exec(endpoint)?.groups ?? {}
  return { baseUrl: base ?? endpoint, apiVersion: version ?? DEFAULT_VERSION }
}

export interface ClientSettings extends GeminiEndpoint {
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** The SDK's models, loaded with the first call and shared by those that come meanwhile. */
export function lazyModels(settings: ClientSettings): () => Promise<Models> {
  let loading: Promise<Models> | undefined
  return () => (loading ??= load(settings))
}

async function load({ apiKey, baseUrl, apiVersion, headers, fetch }: ClientSettings): Promise<Models> {
  const sdk = await import('@google/genai')
  // What is left out is read from the environment; `vertexai` would then move the call to another host. Without `retryOptions`
  // nothing is retried.
  const client = new sdk.GoogleGenAI({
    apiKey,
    vertexai: false,
    apiVersion,
    httpOptions: {
      baseUrl,
      headers: { ...headers },
      fetch: failingFetch(guardedFetch(new URL(baseUrl).origin, fetch), refineFailure),
    },
  })
  return client.models
}
