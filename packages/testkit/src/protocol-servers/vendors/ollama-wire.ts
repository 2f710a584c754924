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
import { GATEWAY_FAILURES, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, textsOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>

interface Model {
  readonly dimensions: number
  readonly contextSize: number
  /** Prefixes that the model card asks for. The server does not check them; the tests do. */
  readonly prefix?: { readonly query: string; readonly document: string }
}

/** Downloaded models, 2026-11. */
const MODELS: Readonly<Record<string, Model>> = {
  'nomic-embed-text': { dimensions: 768, contextSize: 8192, prefix: { query: 'search_query: ', document: 'search_document: ' } },
  'all-minilm': { dimensions: 384, contextSize: 256 },
  embeddinggemma: {
    dimensions: 768,
    contextSize: 2048,
    prefix: { query: 'task: search result | query: ', document: 'title: none | text: ' },
  },
}
const DEFAULT_CONTEXT = 2048
const FIELDS = ['model', 'input', 'truncate', 'dimensions', 'keep_alive', 'options']
const OPTIONS = ['num_ctx', 'num_batch', 'num_gpu', 'main_gpu', 'num_thread', 'use_mmap', 'seed']
/** A number is seconds; a text is a duration in Go's format. */
const DURATION = /^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/

const refused = (status: number, error: string, headers?: Readonly<Record<string, string>>): WireReply => ({
  status,
  body: { error },
  ...(headers === undefined ? {} : { headers }),
})
const TOO_LONG = 'the input length exceeds the context length'
const unknownModel = (model: string): WireReply => refused(404, `model "${model}" not found, try pulling it first`)
const failure = (title: string, status: number, error: string): WireFailure => ({ title, reply: refused(status, error) })

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [failure('a gateway or the hosted service without a key', 401, 'unauthorized')],
  'not-found': [
    { title: 'a model that was not fetched', reply: unknownModel('other') },
    { title: 'a path it does not have', reply: { status: 404, body: '404 page not found' } },
  ],
  quota: [],
  'rate-limit': rateLimits((headers) => refused(429, 'too many requests', headers)),
  'invalid-input': [
    failure('a text of which the model makes NaN (B56)', 500, 'failed to encode response: json: unsupported value: NaN'),
    failure('a refused request', 400, 'invalid input type'),
  ],
  'input-too-long': [
    failure('an input beyond the context (B56)', 400, TOO_LONG),
    failure('the same, as older versions say it', 500, 'input length exceeds maximum context length'),
    failure('an input beyond the batch', 500, 'input is too large to process. increase the physical batch size'),
  ],
  unavailable: [
    failure('a runner that came down', 500, 'do embedding request: Post "http://127.0.0.1:40000/embedding": EOF'),
    failure('a full queue', 503, 'server busy, please try again. maximum pending requests exceeded'),
    ...GATEWAY_FAILURES,
  ],
}

/** Ollama's `POST /api/embed`, 2026-11. It has no keys, but a given one must be valid, as behind a gateway. */
export const ollamaWire: EmbeddingWire = {
  name: 'Ollama',
  basePath: '',
  inputTypes: 'distinct',
  hasIndexes: false,
  reportsUsage: true,
  lenient: [
    'fields it does not know, which it ignores, are refused here: an option that nobody reads is a mistake',
    'vectors go out as they are, though current versions scale them to unit length',
  ],
  read,
  answer,
  refusal: (words) => refused(400, words),
  failures,
}

function answer({ texts, model }: EmbeddingCall, vectors: readonly unknown[], { hasUsage }: AnswerShape): WireReply {
  const usage = hasUsage ? { prompt_eval_count: countWireTokens(texts) } : {}
  return { status: 200, body: { model, embeddings: vectors, total_duration: 14_143_917, load_duration: 1_019_500, ...usage } }
}

function read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply {
  if (request.path !== '/api/embed') return { status: 404, body: '404 page not found' }
  if (request.method !== 'POST') return { status: 405, body: '405 method not allowed' }
  const authorization = request.headers['authorization']
  if (authorization !== undefined && authorization !== `Bearer ${apiKey}`) return refused(401, 'unauthorized')
  const body = jsonObjectOf(request)
  if (body === undefined) return refused(400, 'invalid JSON')
  const problem = problemOf(body)
  return problem === undefined ? readBody(body) : refused(400, problem)
}

function problemOf(body: Fields): string | undefined {
  const unknown = unknownField(body, FIELDS) ?? unknownField(recordOf(body['options']) ?? {}, OPTIONS)
  if (unknown !== undefined) return `unknown field ${unknown}`
  const { truncate = true, keep_alive: keepAlive = 300, dimensions = 0, options = {} } = body
  if (typeof truncate !== 'boolean') return 'truncate is not a boolean'
  if (typeof keepAlive !== 'number' && !DURATION.test(String(keepAlive))) return 'time: invalid duration'
  if (!Number.isInteger(dimensions)) return 'dimensions is not an integer'
  const sizes = Object.values(recordOf(options) ?? { options })
  return sizes.every((size) => typeof size === 'number' || typeof size === 'boolean') ? undefined : 'an option has the wrong type'
}

function readBody(body: Fields): EmbeddingCall | WireReply {
  const name = String(body['model'])
  const model = MODELS[name.replace(/:latest$/, '')]
  if (model === undefined) return unknownModel(name)
  const texts = textsOf(body['input'])
  if (texts === undefined || !texts.every((text) => text.isWellFormed())) return refused(400, 'invalid input type')
  const contextSize = Math.min(Number(recordOf(body['options'])?.['num_ctx'] ?? DEFAULT_CONTEXT), model.contextSize)
  const isLonger = texts.some((text) => wordsOf(text).length > contextSize)
  if (isLonger && body['truncate'] === false) return refused(400, TOO_LONG)
  const { prefix } = model
  const inputType = (['query', 'document'] as const).find(
    (type) => prefix && texts.every((text) => text.startsWith(prefix[type])),
  )
  return {
    texts: isLonger ? texts.map((text) => wordsOf(text).slice(0, contextSize).join(' ')) : texts,
    model: name,
    // It shortens vectors, and never lengthens them.
    dimensions: Number(body['dimensions']) > 0 ? Math.min(Number(body['dimensions']), model.dimensions) : model.dimensions,
    ...(inputType === undefined ? {} : { inputType }),
  }
}

const wordsOf = (text: string): readonly string[] => text.split(/\s+/)
