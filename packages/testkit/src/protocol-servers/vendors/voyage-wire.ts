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
import { GATEWAY_FAILURES, openAIAnswer, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, textsOf, unknownField } from '../wire/read-fields.ts'
import { voyageBatch } from '../vendor-batches/voyage-batch.ts'

type Fields = Readonly<Record<string, unknown>>

interface Model {
  readonly lengths: readonly number[]
  readonly contextTokens: number
  readonly requestTokens: number
}

const LENGTHS = [1024, 256, 512, 2048]

/** 2026-11. The first length is the default. */
const MODELS: Readonly<Record<string, Model>> = {
  'voyage-4-large': { lengths: LENGTHS, contextTokens: 32_000, requestTokens: 120_000 },
  'voyage-4': { lengths: LENGTHS, contextTokens: 32_000, requestTokens: 320_000 },
  'voyage-4-lite': { lengths: LENGTHS, contextTokens: 32_000, requestTokens: 1_000_000 },
  'voyage-law-2': { lengths: [1024], contextTokens: 16_000, requestTokens: 120_000 },
}
const FIELDS = ['model', 'input', 'input_type', 'truncation', 'output_dimension', 'output_dtype', 'encoding_format']
const DTYPES = ['float', 'int8', 'uint8', 'binary', 'ubinary']
const MAX_INPUTS = 1000

const refused = (status: number, detail: string, headers?: Readonly<Record<string, string>>): WireReply => ({
  status,
  body: { detail },
  ...(headers === undefined ? {} : { headers }),
})

const badArgument = (problem: string): WireReply =>
  refused(400, `The request body is not valid JSON, or some arguments were not specified properly. In particular, ${problem}`)
const wrongKey = (): WireReply => refused(401, 'Provided API key is invalid.')
const unknownModel = (model: string): WireReply =>
  refused(400, `Model ${model} is not supported. Supported models are ['${Object.keys(MODELS).join("', '")}'].`)
const tooManyTokens = (model: string, most: number, tokens: number): WireReply =>
  refused(
    400,
    `Request to model '${model}' failed. The max allowed tokens per submitted batch is ${most}. Your batch has ${tokens} tokens after truncation. Please lower the number of tokens in the batch.`,
  )
const tooLong = (model: string, index: number, context: number): WireReply =>
  refused(
    400,
    `Request to model '${model}' failed. The example at index ${index} in your batch has too many tokens and does not fit into the model's context window of ${context} tokens. Please lower the number of tokens in the listed example(s).`,
  )

const failure = (title: string, status: number, detail: string): WireFailure => ({ title, reply: refused(status, detail) })

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [
    { title: 'a wrong key', reply: wrongKey() },
    failure('an address that is not allowed', 403, 'Your IP address is not allowed.'),
  ],
  'not-found': [
    { title: 'an unknown model, which is a 400', reply: unknownModel('other') },
    failure('an unknown path', 404, 'Not Found'),
  ],
  quota: [failure('nothing left to spend', 402, 'Please add a payment method in the billing page.')],
  'rate-limit': rateLimits((headers) => refused(429, 'You have exceeded your rate limit.', headers)),
  'invalid-input': [
    { title: 'a refused request', reply: badArgument("Error for argument 'input': Value error") },
    failure('the same, as its framework says it', 422, 'Unprocessable Entity'),
  ],
  'input-too-long': [
    { title: 'too many tokens in all (B54)', reply: tooManyTokens('voyage-4-large', 120_000, 124_302) },
    { title: 'one text beyond the context', reply: tooLong('voyage-4', 1, 32_000), inputIndexes: [1] },
    { title: 'a body that is too large', reply: { status: 413, body: '<html>Request Entity Too Large</html>' } },
  ],
  unavailable: [failure('its own fault', 500, 'An unexpected internal error has occurred.'), ...GATEWAY_FAILURES],
}

/** Voyage's `POST /v1/embeddings` and its batches, 2026-11. */
export const voyageWire: EmbeddingWire = {
  name: 'Voyage',
  basePath: '/v1',
  inputTypes: 'distinct',
  hasIndexes: true,
  reportsUsage: true,
  lenient: [
    'what is said with 402, 403 and 422',
    'whether fields it does not know are refused: here they are',
    'which of the parameters of a request a job takes: all do here',
    'what is said to the cancellation of a job that is over: a 400 here',
  ],
  read,
  answer,
  refusal: badArgument,
  failures,
  batch: voyageBatch({ read: readRequest, answer: answerLine, refused, wrongKey }),
}

function answerLine(call: EmbeddingCall, vectors: readonly unknown[]): unknown {
  return answer(call, vectors, { order: vectors.map((_, index) => index), hasIndexes: true, hasUsage: true }).body
}

function answer(call: EmbeddingCall, vectors: readonly unknown[], shape: AnswerShape): WireReply {
  const { body, ...reply } = openAIAnswer(call, vectors, { ...shape, hasUsage: false })
  const usage = shape.hasUsage ? { usage: { total_tokens: countWireTokens(call.texts) } } : {}
  return { ...reply, body: { ...recordOf(body), ...usage } }
}

function read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply {
  if (request.path !== '/v1/embeddings') return refused(404, 'Not Found')
  if (request.method !== 'POST') return refused(405, 'Method Not Allowed')
  if (request.headers['authorization'] !== `Bearer ${apiKey}`) return wrongKey()
  const body = jsonObjectOf(request)
  if (body === undefined) return badArgument('no JSON')
  return readRequest(body)
}

function readRequest(body: Fields): EmbeddingCall | WireReply {
  const problem = problemOf(body)
  return problem === undefined ? readBody(body) : badArgument(problem)
}

function problemOf(body: Fields): string | undefined {
  const unknown = unknownField(body, FIELDS)
  if (unknown !== undefined) return `Argument '${unknown}' is not supported by our API`
  const { model, input_type: type = null, truncation = true, output_dtype: dtype = 'float', encoding_format: format } = body
  if (typeof model !== 'string') return "Error for argument 'model': Field required"
  if (![null, 'query', 'document'].some((known) => known === type)) return "Error for argument 'input_type': Value error"
  if (typeof truncation !== 'boolean') return "Error for argument 'truncation': Input should be a valid boolean"
  if (!DTYPES.some((known) => known === dtype)) return "Error for argument 'output_dtype': Value error"
  if (format !== undefined && format !== null && format !== 'base64') return "Error for argument 'encoding_format': Value error"
  const texts = textsOf(body['input'])
  if (texts === undefined || texts.length > MAX_INPUTS || !texts.every((text) => text.isWellFormed()))
    return "Error for argument 'input': Value error"
  return texts.length === 0 || texts.includes('')
    ? "Error for argument 'input': Value error, Input cannot contain empty strings or empty lists"
    : undefined
}

function readBody(body: Fields): EmbeddingCall | WireReply {
  const name = String(body['model'])
  const model = MODELS[name]
  if (model === undefined) return unknownModel(name)
  const dimensions = Number(body['output_dimension'] ?? model.lengths[0])
  if (!model.lengths.includes(dimensions)) return badArgument("Error for argument 'output_dimension': Value error")
  const texts = textsOf(body['input']) ?? []
  const tokens = texts.map((text) => countWireTokens([text]))
  const long = tokens.findIndex((count) => count > model.contextTokens)
  if (long >= 0 && body['truncation'] === false) return tooLong(name, long, model.contextTokens)
  const total = tokens.reduce((sum, count) => sum + Math.min(count, model.contextTokens), 0)
  if (total > model.requestTokens) return tooManyTokens(name, model.requestTokens, total)
  const inputType = body['input_type']
  return {
    texts,
    model: name,
    dimensions,
    ...(inputType === 'query' || inputType === 'document' ? { inputType } : {}),
    isBase64: body['encoding_format'] === 'base64',
  }
}
