import type { RawEmbedding, RawEmbeddingReply } from './raw-embedding.ts'
import { failureError, type ServiceFailure } from '../failure/service-failure.ts'
import { isFields } from '../json/fields.ts'

/**
 * Reads the embeddings of a reply in OpenAI's form, from a service or an unchecked SDK. Only `data` is required: some servers
 * leave out `object`, `model`, `usage` and the entries' `index`. Throws the failure if the reply holds an `error` instead.
 */
export function readOpenAIStyleReply(reply: unknown): RawEmbeddingReply {
  const { data, usage, error } = isFields(reply) ? reply : {}
  if (!Array.isArray(data)) throw failureError(failureWithin(error))
  const { prompt_tokens: promptTokens, total_tokens: totalTokens } = isFields(usage) ? usage : {}
  return { embeddings: data.map(entryOf), inputTokens: promptTokens ?? totalTokens }
}

/**
 * Gateways (OpenRouter, 2026-11) answer 200 and put the failure of the service behind them inside, with its status as the code.
 */
function failureWithin(error: unknown): ServiceFailure {
  const code = isFields(error) ? error['code'] : undefined
  const isStatus = typeof code === 'number' && code >= 400 && code < 600
  if (isStatus) return { status: code, body: { error } }
  return { code: 'bad-response', summary: 'the answer has no list named data', body: { error } }
}

const entryOf = (entry: unknown): RawEmbedding =>
  isFields(entry) ? { index: entry['index'], values: entry['embedding'] } : { values: undefined }
