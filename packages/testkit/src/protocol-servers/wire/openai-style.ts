/** The answer and the error body that OpenAI and the servers that follow it have in common. */
import { type AnswerShape, countWireTokens, type EmbeddingCall, type WireFailure, type WireReply } from './exchange.ts'
import { httpDate } from './read-fields.ts'
import { base64Vector } from './sample-vector.ts'

export interface OpenAIError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code?: string | number | null
  readonly param?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export const openAIError = ({ status, message, type, code = null, param = null, headers }: OpenAIError): WireReply => ({
  status,
  body: { error: { message, type, param, code } },
  ...(headers === undefined ? {} : { headers }),
})

export function openAIAnswer(call: EmbeddingCall, vectors: readonly unknown[], shape: AnswerShape): WireReply {
  // A broken service's list may have another length than the inputs; then it is sent unchanged.
  const positions = shape.order.length === vectors.length ? shape.order : [...vectors.keys()]
  const data = positions.map((index) => ({
    object: 'embedding',
    ...(shape.hasIndexes ? { index } : {}),
    embedding: encoded(vectors[index], call.isBase64 ?? false),
  }))
  const tokens = countWireTokens(call.texts)
  const usage = shape.hasUsage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}
  return { status: 200, body: { object: 'list', data, model: call.model, ...usage } }
}

function encoded(vector: unknown, isBase64: boolean): unknown {
  const isNumbers = Array.isArray(vector) && vector.every((value) => typeof value === 'number')
  return isBase64 && isNumbers ? base64Vector(vector) : vector
}

/** 429 with the wait in each known form. */
export function rateLimits(reply: (headers: Readonly<Record<string, string>>) => WireReply): readonly WireFailure[] {
  return [
    {
      title: 'too many requests, to wait so many milliseconds',
      reply: reply({ 'retry-after-ms': '1500', 'retry-after': '2' }),
      retryAfterMs: 1500,
    },
    { title: 'too many requests, to wait so many seconds', reply: reply({ 'retry-after': '20' }), retryAfterMs: 20_000 },
    {
      title: 'too many requests, to wait until a date',
      // One hour from sending, however long the tests before it took.
      get reply() {
        return reply({ 'retry-after': httpDate(3_600_000) })
      },
      retryAfterMs: 3_600_000,
    },
    { title: 'too many requests, to wait for a day', reply: reply({ 'retry-after': '86400' }), retryAfterMs: 86_400_000 },
    { title: 'too many requests, without a word about waiting', reply: reply({}) },
  ]
}

/** Failures of any service behind a gateway. */
export const GATEWAY_FAILURES: readonly WireFailure[] = [
  {
    title: 'a gateway answers with its own page',
    reply: { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' },
  },
  {
    title: 'busy, to come back in a while',
    reply: { status: 503, headers: { 'retry-after': '7' }, body: '' },
    retryAfterMs: 7000,
  },
  { title: 'took too long', reply: { status: 504, body: 'upstream timed out' } },
]
