import { failingFetch, type Fetch, guardedFetch, refineGoogleFailure } from '@mnemark/provider-kit'
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

/** Access to the service: Google's SDK, loaded with the first call, and plain requests for calls the SDK lacks. */
export interface GeminiClient {
  sdk(): Promise<GoogleGenAI>
  /** The SDK with all its requests under this signal: its uploads take none. */
  sdkUnder(signal: AbortSignal): Promise<GoogleGenAI>
  /** Throws for anything but a success. `path` follows the version. */
  send(path: string, init: RequestInit): Promise<Response>
}

export function createClient(settings: ClientSettings): GeminiClient {
  const { apiKey, baseUrl, apiVersion, headers } = settings
  const fetch = failingFetch(guardedFetch(new URL(baseUrl).origin, settings.fetch), refineGoogleFailure)
  let loading: Promise<GoogleGenAI> | undefined
  const plainHeaders = { 'content-type': 'application/json', 'x-goog-api-key': apiKey, ...headers }
  return {
    sdk: () => (loading ??= load(settings, fetch)),
    sdkUnder: (signal) => load(settings, (input, init) => fetch(input, { ...init, signal: either(signal, init?.signal) })),
    send: (path, init) => fetch(`${baseUrl}/${apiVersion}/${path}`, { ...init, headers: plainHeaders }),
  }
}

async function load({ apiKey, baseUrl, apiVersion, headers }: ClientSettings, fetch: Fetch): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai')
  // The SDK reads missing options from the environment, where `vertexai` could send the call to another host. Without
  // `retryOptions` nothing is retried.
  return new GoogleGenAI({ apiKey, vertexai: false, apiVersion, httpOptions: { baseUrl, headers: { ...headers }, fetch } })
}

const either = (signal: AbortSignal, other: AbortSignal | null | undefined): AbortSignal =>
  other ? AbortSignal.any([signal, other]) : signal
