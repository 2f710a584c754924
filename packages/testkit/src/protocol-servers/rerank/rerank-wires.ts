import type { ServiceErrorCode, WireFailure, WireReply, WireRequest } from '../wire/exchange.ts'
import { GATEWAY_FAILURES, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, textsOf, unknownField } from '../wire/read-fields.ts'
import type { RerankAnswer, RerankCall, RerankResult, RerankWire } from './rerank-wire.ts'

type Fields = Readonly<Record<string, unknown>>

/** The form of one service for what all of them do. */
interface Wording {
  readonly name: string
  readonly basePath: string
  readonly fields: readonly string[]
  readonly maxPassages: number
  readonly reportsUsage: boolean
  body(results: readonly RerankResult[], usage: RerankAnswer['usage'], model: string): unknown
  error(message: string): unknown
  /** The field that limits how many results come back; accepted, and not honoured here. */
  readonly topField: string
}

const entriesOf = (results: readonly RerankResult[]): readonly Fields[] =>
  results.map(({ index, score }) => ({ ...(index === undefined ? {} : { index }), relevance_score: score }))

const COHERE: Wording = {
  name: 'Cohere rerank',
  basePath: '/v2',
  fields: ['max_tokens_per_doc', 'priority'],
  maxPassages: 1000,
  reportsUsage: false,
  topField: 'top_n',
  body: (results) => ({ id: '1', results: entriesOf(results), meta: { billed_units: { search_units: 1 } } }),
  error: (message) => ({ id: '1', message }),
}

/** Jina, vLLM, llama.cpp and TEI behind a gateway: Cohere's form with `usage`. */
const COHERE_LIKE: Wording = {
  ...COHERE,
  name: 'Cohere-shaped rerank',
  basePath: '/v1',
  fields: ['return_documents', 'truncate'],
  reportsUsage: true,
  body: (results, usage, model) => ({
    model,
    results: entriesOf(results),
    ...(usage === undefined ? {} : { usage: { total_tokens: usage.inputTokens } }),
  }),
  error: (detail) => ({ detail }),
}

const VOYAGE: Wording = {
  name: 'Voyage rerank',
  basePath: '/v1',
  fields: ['return_documents', 'truncation'],
  maxPassages: 1000,
  reportsUsage: true,
  topField: 'top_k',
  body: (results, usage, model) => ({
    object: 'list',
    data: entriesOf(results),
    model,
    ...(usage === undefined ? {} : { usage: { total_tokens: usage.inputTokens } }),
  }),
  error: (detail) => ({ detail }),
}

/** Cohere's `POST /v2/rerank`, 2026-11: https://docs.cohere.com/reference/rerank. It counts searches, not tokens. */
export const cohereRerankWire: RerankWire = wireOf(COHERE)
/** A server that speaks Cohere's form under `/v1/rerank`, with tokens counted as OpenAI does. */
export const cohereLikeRerankWire: RerankWire = wireOf(COHERE_LIKE)
/** Voyage's `POST /v1/rerank`, 2026-11: https://docs.voyageai.com/reference/reranker-api. */
export const voyageRerankWire: RerankWire = wireOf(VOYAGE)

function wireOf(wording: Wording): RerankWire {
  const refused = (status: number, message: string, headers?: Readonly<Record<string, string>>): WireReply => ({
    status,
    body: wording.error(message),
    ...(headers === undefined ? {} : { headers }),
  })
  return {
    name: wording.name,
    basePath: wording.basePath,
    reportsUsage: wording.reportsUsage,
    hasIndexes: true,
    lenient: ['the model: any name is served'],
    read: (request, apiKey) => read(request, apiKey, { wording, refused }),
    answer: ({ model }, { results, usage }) => ({ status: 200, body: wording.body(results, usage, model) }),
    refusal: (words) => refused(400, words),
    failures: failuresOf(refused),
  }
}

type Refuse = (status: number, message: string, headers?: Readonly<Record<string, string>>) => WireReply

function failuresOf(refused: Refuse): Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> {
  const failure = (title: string, status: number): WireFailure => ({ title, reply: refused(status, title) })
  return {
    auth: [failure('a wrong key', 401), failure('a key that may not do this', 403)],
    'not-found': [failure('an unknown model', 404)],
    quota: [failure('an empty account', 402)],
    'rate-limit': rateLimits((headers) => refused(429, 'Slow down.', headers)),
    'invalid-input': [failure('a refused request', 400), failure('a request of another form', 422)],
    'input-too-long': [failure('passages that are too long', 413)],
    unavailable: [failure('its own fault', 500), failure('took too long', 408), ...GATEWAY_FAILURES],
  }
}

function read(
  request: WireRequest,
  apiKey: string,
  { wording, refused }: { readonly wording: Wording; readonly refused: Refuse },
): RerankCall | WireReply {
  if (request.path !== `${wording.basePath}/rerank`) return refused(404, 'Not Found')
  if (request.method !== 'POST') return refused(405, 'Method Not Allowed')
  if (apiKey !== '' && request.headers['authorization'] !== `Bearer ${apiKey}`) return refused(401, 'Unauthorized')
  const body = jsonObjectOf(request)
  if (body === undefined) return refused(400, 'The body is not JSON.')
  const unknown = unknownField(body, ['model', 'query', 'documents', wording.topField, ...wording.fields])
  if (unknown !== undefined) return refused(422, `${unknown} is not a field`)
  const { model, query, documents } = body
  const passages = textsOf(documents)
  if (typeof model !== 'string' || typeof query !== 'string' || query === '') return refused(400, 'model or query is missing')
  if (passages === undefined || passages.length === 0 || passages.length > wording.maxPassages)
    return refused(400, 'documents is not a list that is short enough')
  if (![query, ...passages].every((text) => text.isWellFormed())) return refused(400, 'The body is not UTF-8.')
  return { model, query, passages }
}
