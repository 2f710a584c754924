import type { EmbeddingWire } from '../embedding-wire.ts'
import type { EmbeddingCall, ServiceErrorCode, WireFailure, WireReply, WireRequest } from '../wire/exchange.ts'
import { openAIBatch } from '../vendor-batches/openai-batch.ts'
import { GATEWAY_FAILURES, openAIAnswer, openAIError, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, textsOf, unknownField } from '../wire/read-fields.ts'

/** Lengths of OpenAI's embedding models, 2026-11; `canShorten` where `dimensions` is accepted. */
const MODELS: Readonly<Record<string, { readonly dimensions: number; readonly canShorten: boolean }>> = {
  'text-embedding-3-small': { dimensions: 1536, canShorten: true },
  'text-embedding-3-large': { dimensions: 3072, canShorten: true },
  'text-embedding-ada-002': { dimensions: 1536, canShorten: false },
}
const FIELDS = ['model', 'input', 'dimensions', 'encoding_format', 'user']
const MAX_INPUTS = 2048

const RATE_HEADERS = {
  'x-ratelimit-limit-requests': '3000',
  'x-ratelimit-remaining-requests': '2999',
  'x-ratelimit-reset-requests': '20ms',
  'x-ratelimit-limit-tokens': '1000000',
  'x-ratelimit-remaining-tokens': '999990',
  'x-ratelimit-reset-tokens': '6m0s',
  'x-request-id': 'req_0123456789abcdef',
}

const invalid = (message: string, param: string | null = null, code: string | null = null): WireReply =>
  openAIError({ status: 400, message, type: 'invalid_request_error', param, code, headers: RATE_HEADERS })

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [
    { title: 'a wrong key', reply: wrongKey() },
    {
      title: 'a key that may not do this',
      reply: openAIError({ status: 403, message: 'You are not allowed.', type: 'invalid_request_error' }),
    },
  ],
  'not-found': [{ title: 'an unknown model', reply: unknownModel() }],
  quota: [
    {
      title: 'an empty account',
      reply: openAIError({
        status: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
        headers: { 'retry-after': '1' },
      }),
    },
  ],
  'rate-limit': rateLimits((headers) =>
    openAIError({
      status: 429,
      message: 'Rate limit reached for requests.',
      type: 'requests',
      code: 'rate_limit_exceeded',
      headers: { ...RATE_HEADERS, ...headers },
    }),
  ),
  'invalid-input': [
    { title: 'a refused input, named', reply: invalid("'$.input[1]' is invalid.", '$.input[1]'), inputIndexes: [1] },
    { title: 'a refused request', reply: invalid("'$.input' is invalid.", 'input') },
  ],
  'input-too-long': [
    { title: 'too many tokens in all', reply: invalid('Requested 300001 tokens, max 300000.', null, 'max_tokens_per_request') },
    { title: 'a body that is too large', reply: { status: 413, body: 'Request Entity Too Large' } },
  ],
  unavailable: [
    { title: 'its own fault', reply: openAIError({ status: 500, message: 'The server had an error.', type: 'server_error' }) },
    ...GATEWAY_FAILURES,
  ],
}

/** OpenAI's `POST /v1/embeddings` and its batches, 2026-11. */
export const openAIWire: EmbeddingWire = {
  name: 'OpenAI',
  basePath: '/v1',
  inputTypes: 'symmetric',
  hasIndexes: true,
  reportsUsage: true,
  lenient: [],
  read,
  answer: (call, vectors, shape) => ({ ...openAIAnswer(call, vectors, shape), headers: RATE_HEADERS }),
  refusal: (words) => invalid(words, 'input'),
  failures,
  batch: openAIBatch(readBody, wrongKey),
}

function wrongKey(): WireReply {
  return openAIError({
    status: 401,
    message: 'Incorrect API key provided.',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  })
}

function unknownModel(): WireReply {
  return openAIError({
    status: 404,
    message: 'The model does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    code: 'model_not_found',
  })
}

function read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply {
  if (request.path !== '/v1/embeddings' || request.method !== 'POST')
    return openAIError({ status: 404, message: `Invalid URL (${request.method} ${request.path})`, type: 'invalid_request_error' })
  if (request.headers['authorization'] !== `Bearer ${apiKey}`) return wrongKey()
  const body = jsonObjectOf(request)
  if (body === undefined) return invalid('We could not parse the JSON body of your request.')
  const unknown = unknownField(body, FIELDS)
  if (unknown !== undefined) return invalid(`Unrecognized request argument supplied: ${unknown}`)
  return readBody(body)
}

function readBody(body: Readonly<Record<string, unknown>>): EmbeddingCall | WireReply {
  const { model, encoding_format: format = 'float', user } = body
  const known = typeof model === 'string' ? MODELS[model] : undefined
  if (typeof model !== 'string') return invalid('you must provide a model parameter')
  if (known === undefined) return unknownModel()
  if (format !== 'float' && format !== 'base64') return invalid('Invalid encoding_format.', 'encoding_format')
  if (user !== undefined && typeof user !== 'string') return invalid('Invalid user.', 'user')
  const dimensions = body['dimensions'] ?? known.dimensions
  const isLength = Number.isInteger(dimensions) && Number(dimensions) >= 1 && Number(dimensions) <= known.dimensions
  if (body['dimensions'] !== undefined && !known.canShorten) return invalid('This model does not support specifying dimensions.')
  if (!isLength) return invalid(`Invalid value for 'dimensions'.`, 'dimensions')
  const texts = textsOf(body['input'])
  if (texts === undefined || texts.length === 0 || texts.length > MAX_INPUTS) return invalid("'$.input' is invalid.", 'input')
  const empty = texts.indexOf('')
  if (empty >= 0) return invalid(`'$.input[${empty}]' is invalid.`, `$.input[${empty}]`)
  if (!texts.every((text) => text.isWellFormed())) return invalid('We could not parse the JSON body of your request.')
  return { texts, model, dimensions: Number(dimensions), isBase64: format === 'base64' }
}
