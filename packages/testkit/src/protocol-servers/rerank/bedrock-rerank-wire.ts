import { bedrockWire, denialOf, refused } from '../vendors/bedrock-wire.ts'
import type { WireReply, WireRequest } from '../wire/exchange.ts'
import { recordOf, textsOf, unknownField } from '../wire/read-fields.ts'
import type { RerankAnswer, RerankCall, RerankWire } from './rerank-wire.ts'

const MAX_PASSAGES = 1000
const PREFIX = /^(?:arn:aws[\w-]*:bedrock:[a-z0-9-]*:\d*:[a-z-]+\/)?(?:(?:us|eu|apac|jp|ca|global)\.)?/

const malformed = (what: string): WireReply =>
  refused(400, 'ValidationException', `Malformed input request: ${what}, please reformat your input and try again.`)

/**
 * Bedrock's `POST /model/{id}/invoke` for rerankers, 2026-11, signed as its embeddings are. Cohere's form is that of
 * https://docs.cohere.com/reference/rerank with a version of the API, 2 or later.
 */
export const bedrockRerankWire: RerankWire = {
  name: 'Amazon Bedrock rerank',
  basePath: '',
  hasIndexes: true,
  reportsUsage: true,
  lenient: [
    "the form of Amazon's own model, which is not documented for this route: that of Cohere without a version",
    'the token count, which is taken to be in the header',
    'an id that names no model is served as Cohere',
  ],
  read,
  answer,
  refusal: malformed,
  failures: bedrockWire().failures,
}

function answer(_: RerankCall, { results, usage }: RerankAnswer): WireReply {
  const count = usage === undefined ? {} : { 'x-amzn-bedrock-input-token-count': String(usage.inputTokens) }
  const entries = results.map(({ index, score }) => ({ ...(index === undefined ? {} : { index }), relevance_score: score }))
  return { status: 200, headers: { 'content-type': 'application/json', ...count }, body: { results: entries } }
}

function read(request: WireRequest, apiKey: string): RerankCall | WireReply {
  const id = /^\/model\/([^/]+)\/invoke$/.exec(request.path)?.[1]
  if (id === undefined) return refused(404, 'UnknownOperationException', '')
  if (request.method !== 'POST') return refused(405, 'UnknownOperationException', '')
  const denial = denialOf(request, apiKey)
  if (denial !== undefined) return denial
  const model = decodeURIComponent(id)
  const body = recordOf(request.body)
  if (body === undefined || request.headers['content-type'] !== 'application/json') return malformed('#: no JSON')
  const isAmazon = model.replace(PREFIX, '').startsWith('amazon.rerank-')
  const unknown = unknownField(body, ['query', 'documents', 'top_n', ...(isAmazon ? [] : ['api_version', 'max_tokens_per_doc'])])
  if (unknown !== undefined) return malformed(`#: extraneous key [${unknown}] is not permitted`)
  const { query, documents, top_n: wanted, api_version: version } = body
  if (!isAmazon && !(Number(version) >= 2)) return malformed('#/api_version: 1 is not greater or equal to 2')
  const passages = textsOf(documents)
  if (typeof query !== 'string' || query === '' || passages === undefined) return malformed('#: required key not found')
  if (passages.length === 0 || passages.length > MAX_PASSAGES) return malformed('#/documents: is not short enough')
  if (wanted !== undefined && !(Number(wanted) >= 1 && Number(wanted) <= passages.length))
    return malformed('#/top_n: exceeds the number of documents')
  if (![query, ...passages].every((text) => text.isWellFormed()))
    return refused(400, 'SerializationException', 'The body is not UTF-8.')
  return { model, query, passages }
}
