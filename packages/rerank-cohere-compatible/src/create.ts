import {
  checkHeaders,
  configError,
  type DefinedReranker,
  defineReranker,
  failureError,
  fieldsOf,
  freezeOptions,
  guardedFetch,
  isPrivateHost,
  limitedFetch,
  normaliseEndpoint,
  parseBaseUrl,
  postJson,
  type RawRerankReply,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import type { CohereCompatibleRerankerOptions } from './options.ts'

const COHERE = 'https://api.cohere.com/v2'
/** Cohere takes 1,000; more than a hundred are seldom worth their time, and smaller servers take fewer. */
const DEFAULT_LIMITS = { maxPassages: 100 }
/** Fields that the adapter fills itself. */
const OWN_FIELDS = ['model', 'query', 'documents', 'top_n']

/**
 * A reranker on any server with Cohere's `/rerank`. Throws a `config` error at once for invalid settings: a missing model, a key or
 * header that cannot be sent, plain http to a public host.
 */
export function createCohereCompatibleReranker(given: CohereCompatibleRerankerOptions): DefinedReranker {
  const options = freezeOptions(given)
  const isCohere = options.baseUrl === undefined || isAtCohere(options.baseUrl)
  const id = options.id ?? (isCohere ? 'cohere' : 'cohere-compatible')
  const url = parseBaseUrl(id, requireText(id, 'baseUrl', options.baseUrl ?? COHERE))
  const endpoint = normaliseEndpoint(url).replace(/\/rerank$/, '')
  const model = requireText(id, 'model', options.model)
  const headers = headersOf(id, options, isCohere)
  const fields = checkedFields(id, options.body)
  const fetch = limitedFetch(guardedFetch(url.origin, options.fetch))
  return defineReranker({
    provider: id,
    endpoint,
    model,
    traits: { isLocal: isPrivateHost(url.hostname), ...options.traits },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    secrets: secretsOf(undefined, headers),
    timeoutMs: options.timeoutMs,
    rerank: async ({ query, passages, signal }) => {
      // Every score is wanted: some servers answer with the best few only, unless told how many.
      const body = { ...fields, model, query, documents: passages, top_n: passages.length }
      return readReply(await postJson({ url: `${endpoint}/rerank`, body, headers, fetch, signal }))
    },
  })
}

const isAtCohere = (baseUrl: string): boolean => URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(COHERE).origin

function headersOf(
  id: string,
  { apiKey, headers }: CohereCompatibleRerankerOptions,
  isCohere: boolean,
): Readonly<Record<string, string>> {
  const checked = checkHeaders(id, headers)
  const needsKey = isCohere && !Object.hasOwn(checked, 'authorization')
  if (apiKey === undefined && !needsKey) return checked
  return { authorization: `Bearer ${requireKey(id, apiKey)}`, ...checked }
}

function checkedFields(id: string, body: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const taken = OWN_FIELDS.find((name) => Object.hasOwn(body, name))
  if (taken !== undefined) throw configError(id, `body.${taken} is filled by the adapter`, 'Leave it out.')
  return body
}

/** Cohere counts searches, not tokens; servers that follow it report `usage` in OpenAI's form. */
function readReply(reply: unknown): RawRerankReply {
  const { results, usage, error } = fieldsOf(reply)
  if (!Array.isArray(results))
    throw failureError({ code: 'bad-response', summary: 'the answer has no list named results', body: { error } })
  const { total_tokens: totalTokens, prompt_tokens: promptTokens } = fieldsOf(usage)
  return {
    results: results.map((entry) => {
      const { index, relevance_score: score } = fieldsOf(entry)
      return { index, score }
    }),
    inputTokens: totalTokens ?? promptTokens,
  }
}
