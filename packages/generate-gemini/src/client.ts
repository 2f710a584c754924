import { failingFetch, type Fetch, guardedFetch, limitedFetch, refineGoogleFailure } from '@mnemark/provider-kit'
import type { GoogleGenAI } from '@google/genai'

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

/** Google's SDK, loaded with the first call and shared by calls made meanwhile. */
export function lazyClient(settings: ClientSettings): () => Promise<GoogleGenAI> {
  let loading: Promise<GoogleGenAI> | undefined
  return () => (loading ??= load(settings))
}

async function load({ apiKey, baseUrl, apiVersion, headers, fetch: given }: ClientSettings): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai')
  // Refusals are read before the SDK, whose errors keep no headers.
  const fetch = failingFetch(limitedFetch(guardedFetch(new URL(baseUrl).origin, given)), refineGoogleFailure)
  // The SDK reads missing options from the environment, where `vertexai` could send the call to another host. Without
  // `retryOptions` nothing is retried.
  return new GoogleGenAI({ apiKey, vertexai: false, apiVersion, httpOptions: { baseUrl, headers: { ...headers }, fetch } })
}
