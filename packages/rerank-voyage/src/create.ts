import {
  checkHeaders,
  type DefinedReranker,
  defineReranker,
  failureError,
  fieldsOf,
  freezeOptions,
  isPrivateHost,
  openAIStyleBase,
  parseBaseUrl,
  type RawRerankReply,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import { lazyRerank } from './client.ts'
import { knownModel, limitsOf } from './models.ts'
import type { VoyageRerankerOptions } from './options.ts'

const ID = 'voyage'
const BASE_URL = 'https://api.voyageai.com/v1'

/**
 * A reranker on Voyage AI's models, through the official SDK, which is loaded with the first call. Throws a `config` error at once for a
 * missing key or an invalid address.
 */
export function createVoyageReranker(given: VoyageRerankerOptions): DefinedReranker {
  const options = freezeOptions(given)
  const apiKey = requireKey(ID, options.apiKey)
  const url = parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl ?? BASE_URL))
  const endpoint = openAIStyleBase(url)
  const model = requireText(ID, 'model', options.model ?? 'rerank-2.5')
  const known = knownModel(model)
  const headers = checkHeaders(ID, options.headers)
  const rerank = lazyRerank({ apiKey, baseUrl: endpoint, headers, fetch: options.fetch })
  // The table's price is Voyage's own; a proxy may charge anything.
  const price = known === undefined || endpoint !== BASE_URL ? {} : { usdPerMillionInput: known.usdPerMillionTokens }
  // The service's own default cuts without a word.
  const truncation = options.truncation ?? false
  return defineReranker({
    provider: ID,
    endpoint,
    model,
    traits: { isLocal: isPrivateHost(url.hostname), ...price, ...options.traits },
    limits: { ...limitsOf(known), ...options.limits },
    secrets: secretsOf(apiKey, headers),
    timeoutMs: options.timeoutMs,
    // Without `top_k` every passage gets its score.
    rerank: async ({ query, passages, signal }) =>
      readReply(await rerank({ model, query, documents: [...passages], truncation }, signal)),
  })
}

function readReply(reply: unknown): RawRerankReply {
  const { data, usage } = fieldsOf(reply)
  if (!Array.isArray(data)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named data' })
  return {
    results: data.map((entry) => {
      const { index, relevance_score: score } = fieldsOf(entry)
      return { index, score }
    }),
    inputTokens: fieldsOf(usage)['total_tokens'],
  }
}
