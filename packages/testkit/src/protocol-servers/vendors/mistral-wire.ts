import type { EmbeddingWire } from '../embedding-wire.ts'
import {
  type AnswerShape,
  countWireTokens,
  type EmbeddingCall,
  type ServiceErrorCode,
  type WireFailure,
  type WireReply,
  type WireRequest,
} from '../wire/exchange.ts'
import { mistralBatch } from '../vendor-batches/mistral-batch.ts'
import { MISTRAL_FAILURES, mistralError, tooFast, unknownModel, validation, wrongKey } from '../wire/mistral-errors.ts'
import { openAIAnswer } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, textsOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** Default and longest lengths, 2026-11; one model has a single length. */
const MODELS: Readonly<Record<string, { readonly dimensions: number; readonly most?: number }>> = {
  'mistral-embed': { dimensions: 1024 },
  'codestral-embed': { dimensions: 1536, most: 3072 },
}
const FIELDS = ['model', 'input', 'output_dimension', 'output_dtype', 'encoding_format', 'metadata']
const DTYPES = ['float', 'int8', 'uint8', 'binary', 'ubinary']
const MAX_INPUTS = 256
const MAX_INPUT_TOKENS = 8192
const MAX_REQUEST_TOKENS = 16_384

const invalidPrompt = (message: string): WireReply =>
  mistralError({ status: 400, message, type: 'invalid_request_prompt', code: '3210' })
const tooLong = (index: number, tokens: number): WireReply =>
  invalidPrompt(`Input id ${index} has ${tokens} tokens, exceeding max ${MAX_INPUT_TOKENS} tokens.`)
const tooMany = (what: string): WireReply => invalidPrompt(`Too many ${what}, split into more batches.`)

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  ...MISTRAL_FAILURES,
  'invalid-input': [
    { title: 'a refused text, named', reply: validation(['input', 1], 'Value error'), inputIndexes: [1] },
    { title: 'a refused request', reply: validation(['input'], 'Value error') },
    {
      title: 'a refused request, in its own form',
      reply: mistralError({ status: 400, message: 'Invalid request', type: 'invalid_request_error', code: '1000' }),
    },
  ],
  'input-too-long': [
    { title: 'too many tokens in all (B54)', reply: tooMany('tokens overall') },
    { title: 'too many texts', reply: tooMany('inputs in request') },
    { title: 'one text beyond the context', reply: tooLong(1, 9000), inputIndexes: [1] },
    { title: 'a body that is too large', reply: { status: 413, body: '<html>Request Entity Too Large</html>' } },
  ],
}

/** Mistral's `POST /v1/embeddings` and its batches, 2026-11. */
export const mistralWire: EmbeddingWire = {
  name: 'Mistral',
  basePath: '',
  inputTypes: 'symmetric',
  hasIndexes: true,
  reportsUsage: true,
  lenient: [
    'the limits of a request, which are published nowhere',
    'what is said with 402 and 403',
    'which numbers 503 and a refused request have as their code',
    'of jobs: the form of lines that failed, and what is said to a cancellation that comes too late',
  ],
  read,
  answer,
  refusal: (words) => mistralError({ status: 400, message: words, type: 'invalid_request_error', code: '1000' }),
  failures,
  batch: mistralBatch({ read: readBody, answer: answerLine, validation, rateLimit: tooFast, wrongKey }),
}

function answerLine(call: EmbeddingCall, vectors: readonly unknown[]): unknown {
  return answer(call, vectors, { order: vectors.map((_, index) => index), hasIndexes: true, hasUsage: true }).body
}

function answer(call: EmbeddingCall, vectors: readonly unknown[], shape: AnswerShape): WireReply {
  const { body, ...reply } = openAIAnswer(call, vectors, { ...shape, hasUsage: false })
  const tokens = countWireTokens(call.texts)
  const usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens }
  return {
    ...reply,
    body: { id: '0123456789abcdef0123456789abcdef', ...recordOf(body), ...(shape.hasUsage ? { usage } : {}) },
  }
}

function read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply {
  if (request.path !== '/v1/embeddings') return { status: 404, body: { message: 'no Route matched with those values' } }
  if (request.method !== 'POST') return { status: 405, body: { detail: 'Method Not Allowed' } }
  if (request.headers['authorization'] !== `Bearer ${apiKey}`) return wrongKey()
  const body = jsonObjectOf(request)
  if (body === undefined) return validation([], 'JSON decode error')
  return readBody(body)
}

function readBody(body: Fields): EmbeddingCall | WireReply {
  const { model: name, output_dtype: dtype = 'float', encoding_format: format = 'float' } = body
  const unknown = unknownField(body, FIELDS)
  if (unknown !== undefined) return validation([unknown], 'Extra inputs are not permitted')
  if (typeof name !== 'string') return validation(['model'], 'Field required')
  if (!DTYPES.some((known) => known === dtype)) return validation(['output_dtype'], 'Input should be a known type')
  if (format !== 'float' && format !== 'base64') return validation(['encoding_format'], "Input should be 'float' or 'base64'")
  const model = MODELS[name]
  if (model === undefined) return unknownModel(name)
  const wanted = body['output_dimension'] ?? null
  if (wanted !== null && model.most === undefined)
    return validation(['output_dimension'], 'This model does not support output_dimension')
  const dimensions = Number(wanted ?? model.dimensions)
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > (model.most ?? model.dimensions))
    return validation(['output_dimension'], 'Input is out of range')
  const texts = textsOf(body['input'])
  if (texts === undefined || texts.length === 0 || !texts.every((text) => text.isWellFormed()))
    return validation(['input'], 'Input should be a valid string or list of strings')
  return tokenProblem(texts) ?? { texts, model: name, dimensions, isBase64: format === 'base64' }
}

function tokenProblem(texts: readonly string[]): WireReply | undefined {
  if (texts.length > MAX_INPUTS) return tooMany('inputs in request')
  const tokens = texts.map((text) => countWireTokens([text]))
  const long = tokens.findIndex((count) => count > MAX_INPUT_TOKENS)
  if (long >= 0) return tooLong(long, tokens[long] ?? 0)
  return tokens.reduce((sum, count) => sum + count, 0) > MAX_REQUEST_TOKENS ? tooMany('tokens overall') : undefined
}
