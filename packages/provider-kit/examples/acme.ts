import {
  checkHeaders,
  defineEmbeddingProvider,
  type EmbeddingProviderDefinition,
  type Fetch,
  guardedFetch,
  isPrivateHost,
  normaliseEndpoint,
  parseBaseUrl,
  postJson,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import type { EmbeddingProvider } from '@mnemark/spec'

export interface AcmeSettings {
  headers: Readonly<Record<string, string>>
  fetch: Fetch
  model: string
}

/** An imaginary service: `POST /embed {model, texts, type, size?}` is answered by `{vectors, tokens}`. */
export function createAcme(options: {
  apiKey: string
  model: string
  size?: number
  baseUrl?: string
  fetch?: typeof fetch
  /** Offline jobs, for who wants them. */
  jobs?: (endpoint: string, settings: AcmeSettings) => EmbeddingProviderDefinition['batch']
}): EmbeddingProvider {
  const { model, size } = options
  const apiKey = requireKey('acme', options.apiKey)
  const url = parseBaseUrl('acme', requireText('acme', 'baseUrl', options.baseUrl ?? 'https://api.acme.example'))
  const endpoint = normaliseEndpoint(url)
  const headers = checkHeaders('acme', { authorization: `Bearer ${apiKey}` })
  const fetch = guardedFetch(url.origin, options.fetch)
  return defineEmbeddingProvider({
    space: { provider: 'acme', endpoint, model, requestedDimensions: size ?? null, variant: {} },
    limits: { maxInputs: 96, concurrency: 4 },
    traits: { isLocal: isPrivateHost(url.hostname) },
    secrets: secretsOf(apiKey, headers),
    async embed({ texts, inputType, signal }) {
      const body = { model, texts, type: inputType, size }
      const reply = Object(await postJson({ url: `${endpoint}/embed`, body, headers, fetch, signal }))
      const vectors: readonly unknown[] = Array.isArray(reply.vectors) ? reply.vectors : []
      return { embeddings: vectors.map((values) => ({ values })), inputTokens: reply.tokens }
    },
    batch: options.jobs?.(endpoint, { headers, fetch, model }),
  })
}
