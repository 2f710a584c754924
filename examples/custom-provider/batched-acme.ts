import {
  checkHeaders,
  defineEmbeddingProvider,
  failingFetch,
  guardedFetch,
  isPrivateHost,
  openAIStyleBase,
  parseBaseUrl,
  postJson,
  readOpenAIStyleReply,
  requireKey,
  secretsOf,
} from '@mnemark/provider-kit'
import type { EmbeddingProvider } from '@mnemark/spec'
import { acmeJobs } from './acme-jobs.ts'

/** A service with the `/v1/embeddings`, `/v1/files` and `/v1/batches` of OpenAI, and no SDK of its own. */
export function createBatchedAcme(options: {
  apiKey: string
  model?: string
  dimensions?: number
  baseUrl?: string
  fetch?: typeof fetch
}): EmbeddingProvider {
  const { model = 'text-embedding-3-small', dimensions } = options
  const apiKey = requireKey('acme', options.apiKey)
  const url = parseBaseUrl('acme', options.baseUrl ?? 'https://embeddings.acme.example/v1')
  const endpoint = openAIStyleBase(url)
  const headers = checkHeaders('acme', { authorization: `Bearer ${apiKey}` })
  const fetch = guardedFetch(url.origin, options.fetch)
  const bodyOf = (input: string | readonly string[]) => ({ model, input, dimensions })
  return defineEmbeddingProvider({
    space: { provider: 'acme', endpoint, model, requestedDimensions: dimensions ?? null, variant: {} },
    limits: { maxInputs: 96, concurrency: 4 },
    traits: { isLocal: isPrivateHost(url.hostname) },
    secrets: secretsOf(apiKey, headers),
    embed: async ({ texts, signal }) =>
      readOpenAIStyleReply(await postJson({ url: `${endpoint}/embeddings`, body: bodyOf(texts), headers, fetch, signal })),
    batch: acmeJobs(
      (path, init) => failingFetch(fetch)(`${endpoint}${path}`, { ...init, headers: { ...headers, ...init.headers } }),
      bodyOf,
    ),
  })
}
