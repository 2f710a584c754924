import { failureError, type RawEmbeddingReply } from '@mnemark/provider-kit'

/** The SDK does not check what comes, so neither its types nor the reply are believed. */
export function readReply(reply: unknown): RawEmbeddingReply {
  const data = member(reply, 'data')
  if (!Array.isArray(data)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named data' })
  return {
    embeddings: data.map((entry) => ({ index: member(entry, 'index'), values: member(entry, 'embedding') })),
    inputTokens: member(member(reply, 'usage'), 'prompt_tokens'),
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
