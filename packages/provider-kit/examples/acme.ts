import {
  checkHeaders,
  defineEmbeddingProvider,
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

/** An imaginary service: `POST /embed {model, texts, type, size?}` is answered by `{vectors, tokens}`. */
export function createAcme(options: {
  apiKey: string
  model: string
  size?: number
  baseUrl?: string
  fetch?: typeof fetch
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
  })
}
