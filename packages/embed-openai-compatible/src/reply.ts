import { failureError, type RawEmbedding, type RawEmbeddingReply } from '@mnemark/provider-kit'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only `data` is needed. `object`, `model`, `usage` and the entries' `index` are left out by some servers. */
export function readReply(reply: unknown): RawEmbeddingReply {
  const { data, usage, error } = isRecord(reply) ? reply : {}
  if (!Array.isArray(data)) throw failureError(isRecord(error) ? failureWithin(error) : NO_DATA)
  return {
    embeddings: data.map(entryOf),
    inputTokens: isRecord(usage) ? (usage['prompt_tokens'] ?? usage['total_tokens']) : undefined,
  }
}

const NO_DATA = { code: 'bad-response', summary: 'the answer has no list named data' } as const

/** Gateways (OpenRouter, 2026-11) answer 200 and say inside that the service behind them failed, with its status as the code. */
function failureWithin(error: Readonly<Record<string, unknown>>): Parameters<typeof failureError>[0] {
  const { code } = error
  const isStatus = typeof code === 'number' && code >= 400 && code < 600
  return isStatus ? { status: code, body: { error } } : { ...NO_DATA, body: { error } }
}

const entryOf = (entry: unknown): RawEmbedding =>
  isRecord(entry) ? { index: entry['index'], values: entry['embedding'] } : { values: undefined }
