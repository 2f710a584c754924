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
import { geminiBatch } from '../vendor-batches/gemini-batch.ts'
import { GATEWAY_FAILURES, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>
type Generation = 'first' | 'second'

/** 2026-11: the models, and whether they take task types (first generation) or prefixes of the text (second). */
const MODELS: Readonly<Record<string, Generation>> = {
  'gemini-embedding-001': 'first',
  'gemini-embedding-2': 'second',
  'gemini-embedding-2-preview': 'second',
}
const DIMENSIONS = { least: 128, most: 3072 }
const MAX_REQUESTS = 100
const TASK_TYPES: Readonly<Record<string, EmbeddingCall['inputType']>> = {
  RETRIEVAL_QUERY: 'query',
  CODE_RETRIEVAL_QUERY: 'query',
  QUESTION_ANSWERING: 'query',
  FACT_VERIFICATION: 'query',
  RETRIEVAL_DOCUMENT: 'document',
  SEMANTIC_SIMILARITY: undefined,
  CLASSIFICATION: undefined,
  CLUSTERING: undefined,
}
const CONFIG_FIELDS = ['taskType', 'title', 'outputDimensionality']
const PATH = /^\/(?:v1|v1beta)\/models\/([^/:]+):batchEmbedContents$/

const typeUrl = (name: string): string => `type.googleapis.com/google.rpc.${name}`

interface GoogleError {
  readonly code: number
  readonly status: string
  readonly message?: string
  readonly details?: readonly Fields[]
  readonly headers?: Readonly<Record<string, string>>
}

function googleError({ code, status, message = 'A failure.', details, headers }: GoogleError): WireReply {
  const error = { code, message, status, ...(details === undefined ? {} : { details }) }
  return { status: code, body: { error }, ...(headers === undefined ? {} : { headers }) }
}

const invalid = (message: string, details?: readonly Fields[]): WireReply =>
  googleError({ code: 400, status: 'INVALID_ARGUMENT', message, ...(details === undefined ? {} : { details }) })

const badField = (field: string, description: string): WireReply =>
  invalid(description, [{ '@type': typeUrl('BadRequest'), fieldViolations: [{ field, description }] }])

const wrongKey = (): WireReply =>
  invalid('API key not valid. Please pass a valid API key.', [
    { '@type': typeUrl('ErrorInfo'), reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
  ])

const unknownModel = (model: string): WireReply =>
  googleError({ code: 404, status: 'NOT_FOUND', message: `models/${model} is not found for this API version.` })

function exhausted(details: readonly Fields[], headers: Readonly<Record<string, string>> = {}): WireReply {
  const help = {
    '@type': typeUrl('Help'),
    links: [{ description: 'Quotas', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' }],
  }
  const message = 'You exceeded your current quota.'
  return googleError({ code: 429, status: 'RESOURCE_EXHAUSTED', message, details: [help, ...details], headers })
}

const violation = (quotaValue: string): Fields => ({
  '@type': typeUrl('QuotaFailure'),
  violations: [{ quotaMetric: 'embed_content_requests', quotaId: 'EmbedContentRequestsPerMinutePerProjectPerModel', quotaValue }],
})
const retryInfo = (retryDelay: string): Fields => ({ '@type': typeUrl('RetryInfo'), retryDelay })

const plainFailure = (title: string, code: number, status: string): WireFailure => ({
  title,
  reply: googleError({ code, status }),
})

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [
    { title: 'a key that is none, which is a 400', reply: wrongKey() },
    plainFailure('no credentials', 401, 'UNAUTHENTICATED'),
    plainFailure('a key that may not do this', 403, 'PERMISSION_DENIED'),
  ],
  'not-found': [{ title: 'an unknown model', reply: unknownModel('other') }],
  quota: [
    { title: 'an allowance of nothing', reply: exhausted([violation('0'), retryInfo('34s')]) },
    plainFailure('no free tier in this country', 400, 'FAILED_PRECONDITION'),
  ],
  'rate-limit': [
    { title: 'a delay in the body (B64)', reply: exhausted([violation('100'), retryInfo('34s')]), retryAfterMs: 34_000 },
    { title: 'a delay with decimals', reply: exhausted([retryInfo('1.281s')]), retryAfterMs: 1281 },
    ...rateLimits((headers) => exhausted([], headers)),
  ],
  'invalid-input': [
    { title: 'a refused text, named', reply: badField('batch.requests[1].content', 'content is empty'), inputIndexes: [1] },
    { title: 'a refused request', reply: invalid('Request contains an invalid argument.') },
  ],
  'input-too-long': [{ title: 'a body that is too large', reply: { status: 413, body: '<html>Request Too Large</html>' } }],
  unavailable: [
    plainFailure('its own fault', 500, 'INTERNAL'),
    {
      title: 'an overload, with a delay',
      reply: googleError({ code: 503, status: 'UNAVAILABLE', details: [retryInfo('5s')] }),
      retryAfterMs: 5000,
    },
    plainFailure('too late', 504, 'DEADLINE_EXCEEDED'),
    ...GATEWAY_FAILURES,
  ],
}

/** Gemini's `POST /{version}/models/{model}:batchEmbedContents`, 2026-11, also used for a single text, and its offline jobs. */
export const geminiWire: EmbeddingWire = {
  name: 'Gemini',
  basePath: '',
  inputTypes: 'distinct',
  hasIndexes: false,
  reportsUsage: true,
  lenient: [
    'which models report usage: all do here',
    'the settings of a request stand beside its content or, newer, in embedContentConfig',
    'a text that is too long is not refused',
    'an invalid key is a 400 with the reason API_KEY_INVALID',
  ],
  read,
  answer,
  refusal: (words) => invalid(words),
  failures,
  batch: geminiBatch({
    read: (request, model) => {
      const generation = MODELS[model]
      return generation === undefined
        ? unknownModel(model)
        : readRequests([{ model: `models/${model}`, ...request }], model, generation)
    },
    invalid,
    error: (code, status, message) => googleError({ code, status, message }),
    wrongKey,
  }),
}

function answer({ texts }: EmbeddingCall, vectors: readonly unknown[], { hasUsage }: AnswerShape): WireReply {
  const usage = hasUsage ? { usageMetadata: { promptTokenCount: countWireTokens(texts) } } : {}
  return { status: 200, body: { embeddings: vectors.map((values) => ({ values })), ...usage } }
}

function read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply {
  const model = PATH.exec(request.path)?.[1]
  if (model === undefined || request.method !== 'POST') return { status: 404, body: '<html>Not Found</html>' }
  if (request.headers['x-goog-api-key'] !== apiKey) return wrongKey()
  const body = jsonObjectOf(request)
  if (body === undefined) return invalid('Invalid JSON payload.')
  const unknown = unknownField(body, ['requests'])
  if (unknown !== undefined) return badField('', `Unknown name "${unknown}"`)
  const generation = MODELS[model]
  if (generation === undefined) return unknownModel(model)
  const requests = body['requests']
  if (!Array.isArray(requests) || requests.length === 0) return badField('requests', 'requests is empty')
  if (requests.length > MAX_REQUESTS) return invalid(`at most ${MAX_REQUESTS} requests can be in one batch`)
  return readRequests(requests, model, generation)
}

function readRequests(requests: readonly unknown[], model: string, generation: Generation): EmbeddingCall | WireReply {
  const settings: Fields[] = []
  const texts: string[] = []
  for (const [index, entry] of requests.entries()) {
    const request = recordOf(entry) ?? {}
    const config = { ...request, ...recordOf(request['embedContentConfig']) }
    const text = textOf(request['content'])
    const problem = problemOf(request, config, model) ?? (text === undefined ? 'content has no text' : undefined)
    if (problem !== undefined) return badField(`requests[${index}]`, problem)
    settings.push(config)
    texts.push(text ?? '')
  }
  const dimensions = Number(settings[0]?.['outputDimensionality'] ?? DIMENSIONS.most)
  const inputType = generation === 'first' ? TASK_TYPES[String(settings[0]?.['taskType'])] : typeInText(texts)
  return { texts, model, dimensions, ...(inputType === undefined ? {} : { inputType }) }
}

function problemOf(request: Fields, config: Fields, model: string): string | undefined {
  const unknown = unknownField(request, ['model', 'content', 'embedContentConfig', ...CONFIG_FIELDS])
  if (unknown !== undefined) return `Unknown name "${unknown}"`
  if (request['model'] !== `models/${model}`) return 'the model is not that of the path'
  const { taskType, outputDimensionality: dimensions = DIMENSIONS.most } = config
  if (taskType !== undefined && !Object.hasOwn(TASK_TYPES, String(taskType))) return 'taskType is not known'
  if (config['title'] !== undefined && taskType !== 'RETRIEVAL_DOCUMENT') return 'a title needs the task type of a document'
  const isLength = Number.isInteger(dimensions) && Number(dimensions) >= DIMENSIONS.least && Number(dimensions) <= DIMENSIONS.most
  return isLength ? undefined : 'outputDimensionality is out of range'
}

/** The text of a content: several parts form one text, with one vector. */
function textOf(content: unknown): string | undefined {
  const { parts, ...rest } = recordOf(content) ?? {}
  if (!Array.isArray(parts) || unknownField(rest, ['role']) !== undefined) return undefined
  const texts = parts.map((part: unknown) => recordOf(part)?.['text'])
  const text = texts.every((value) => typeof value === 'string') ? texts.join('') : ''
  return text === '' || !text.isWellFormed() ? undefined : text
}

function typeInText(texts: readonly string[]): EmbeddingCall['inputType'] {
  if (texts.every((text) => /^task: [\w ]+ \| query: /.test(text))) return 'query'
  return texts.every((text) => /^title: .+? \| text: /.test(text)) ? 'document' : undefined
}
