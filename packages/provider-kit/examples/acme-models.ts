import {
  checkHeaders,
  type DefinedReranker,
  defineReranker,
  defineTextGenerator,
  fieldsOf,
  guardedFetch,
  isPrivateHost,
  limitedFetch,
  normaliseEndpoint,
  parseBaseUrl,
  postJson,
  requireKey,
  secretsOf,
} from '@mnemark/provider-kit'
import type { FinishReason, TextGenerator } from '@mnemark/spec'

interface AcmeOptions {
  apiKey: string
  model: string
  baseUrl?: string
  fetch?: typeof fetch
}

/** The common part of both: one host, one key, answers of at most 10 MiB. */
function acmeService({ apiKey, baseUrl = 'https://api.acme.example/v1', fetch }: AcmeOptions) {
  const url = parseBaseUrl('acme', baseUrl)
  const endpoint = normaliseEndpoint(url)
  const headers = checkHeaders('acme', { authorization: `Bearer ${requireKey('acme', apiKey)}` })
  const limited = limitedFetch(guardedFetch(url.origin, fetch))
  const post = (path: string, body: object, signal: AbortSignal) =>
    postJson({ url: endpoint + path, body, headers, fetch: limited, signal })
  const shared = {
    provider: 'acme',
    endpoint,
    traits: { isLocal: isPrivateHost(url.hostname) },
    secrets: secretsOf(apiKey, headers),
  }
  return { shared, post }
}

const REASONS = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'filtered'],
])

/** A chat model of an imaginary service, which knows no schemas and says so. */
export function createAcmeGenerator(options: AcmeOptions): TextGenerator {
  const { model } = options
  const { shared, post } = acmeService(options)
  return defineTextGenerator({
    ...shared,
    model,
    traits: { ...shared.traits, hasSchema: false },
    async generate({ system, prompt, maxOutputTokens, signal }) {
      const messages = [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }]
      const reply = fieldsOf(await post('/chat/completions', { model, messages, max_tokens: maxOutputTokens }, signal))
      const choice = fieldsOf(Array.isArray(reply['choices']) ? reply['choices'][0] : undefined)
      const { content, refusal } = fieldsOf(choice['message'])
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = fieldsOf(reply['usage'])
      const finishReason = typeof refusal === 'string' ? 'refused' : REASONS.get(choice['finish_reason'])
      return { text: content, finishReason, inputTokens, outputTokens }
    },
  })
}

/** A reranker of the same service. */
export function createAcmeReranker(options: AcmeOptions): DefinedReranker {
  const { model } = options
  const { shared, post } = acmeService(options)
  return defineReranker({
    ...shared,
    model,
    limits: { maxPassages: 100 },
    async rerank({ query, passages, signal }) {
      const reply = fieldsOf(await post('/rerank', { model, query, documents: passages, top_n: passages.length }, signal))
      const results = Array.isArray(reply['results']) ? reply['results'].map(fieldsOf) : []
      return {
        results: results.map((entry) => ({ index: entry['index'], score: entry['relevance_score'] })),
        inputTokens: fieldsOf(reply['usage'])['total_tokens'],
      }
    },
  })
}
