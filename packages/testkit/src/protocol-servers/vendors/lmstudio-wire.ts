import type { EmbeddingWire } from '../embedding-wire.ts'
import type { EmbeddingCall, ServiceErrorCode, WireFailure, WireReply, WireRequest } from '../wire/exchange.ts'
import { GATEWAY_FAILURES, openAIAnswer, openAIError, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, textsOf, unknownField } from '../wire/read-fields.ts'

export interface LMStudioWireSettings {
  /** Models in memory at the start. Default: nomic. */
  readonly loaded?: readonly string[]
  /** Whether a request loads the model it names (just-in-time loading). Default true, as in the app. */
  readonly hasJit?: boolean
  /** The newest of its own APIs: versions before 0.4 have only `v0`, those before 0.3.6 none. Default `v1`. */
  readonly api?: 'v1' | 'v0' | 'none'
  /** Whether the server requires a token. Default false. */
  readonly requiresKey?: boolean
}

interface Model {
  readonly kind: 'embedding' | 'llm'
  readonly dimensions: number
  readonly maxContext: number
  readonly loadedContext: number
  /** Prefixes that the model card asks for. The server does not check them; the tests do. */
  readonly prefix?: { readonly query: string; readonly document: string }
}

const NOMIC = 'text-embedding-nomic-embed-text-v1.5'

/** Models on disk, 2026-11. Jina's is taken for a language model (lmstudio-ai/lmstudio-bug-tracker#1908). */
const MODELS: Readonly<Record<string, Model>> = {
  [NOMIC]: {
    kind: 'embedding',
    dimensions: 768,
    maxContext: 2048,
    loadedContext: 2048,
    prefix: { query: 'search_query: ', document: 'search_document: ' },
  },
  'text-embedding-bge-m3': { kind: 'embedding', dimensions: 1024, maxContext: 8192, loadedContext: 4096 },
  'jina-embeddings-v3': { kind: 'llm', dimensions: 1024, maxContext: 8192, loadedContext: 4096 },
}

const FIELDS = ['model', 'input', 'encoding_format', 'user', 'ttl']
const NONE_LOADED = "No models loaded. Please load a model in the developer page or use the 'lms load' command."
const NO_TOKEN =
  "An LM Studio API token is required to make requests to this server, but none was provided using the Authorization header using the 'Bearer' scheme (i.e., 'Authorization: Bearer $LM_API_TOKEN')."

const plain = (status: number, error: string): WireReply => ({ status, body: { error } })
const invalid = (status: number, message: string, code: string | null = null, param: string | null = null): WireReply =>
  openAIError({ status, message, type: 'invalid_request_error', code, param })
const notThere = (model: string, reason: string): WireReply =>
  invalid(404, `Failed to load model "${model}". Error: ${reason}`, 'model_not_found', 'model')
const refusedKey: WireReply = {
  status: 401,
  body: { error: { type: 'invalid_request', code: 'invalid_api_key', message: NO_TOKEN } },
}

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [{ title: 'a server that wants a token', reply: refusedKey }],
  'not-found': [
    { title: 'no model in memory, and no loading by itself', reply: plain(400, NONE_LOADED) },
    { title: 'the same, as it is said elsewhere', reply: invalid(404, NONE_LOADED, null, 'model') },
    { title: 'a model that is not on the disk', reply: notThere('other', 'Model not found.') },
  ],
  quota: [],
  'rate-limit': rateLimits((headers) => ({ ...plain(429, 'Too many requests.'), headers })),
  'invalid-input': [{ title: 'a refused request', reply: plain(400, "'input' field must be a string or an array of strings") }],
  'input-too-long': [
    {
      title: 'an input beyond the context',
      reply: plain(400, 'Trying to keep the first 3000 tokens when context the overflows. The context length is 2048.'),
    },
  ],
  unavailable: [
    { title: 'a model that was put away meanwhile (B58)', reply: plain(400, 'Model is unloaded.') },
    { title: 'a model that came down (B58)', reply: plain(400, 'Model has unloaded or crashed..') },
    {
      title: 'no room for the model',
      reply: notThere('other', 'Model loading aborted due to insufficient system resources.'),
    },
    ...GATEWAY_FAILURES,
  ],
}

/**
 * LM Studio's server, 2026-11: `POST /v1/embeddings` and its lists of models. It needs no key, but a given one must be
 * valid, as behind a gateway. Each wire has its own state, so make one for each server.
 */
export function lmStudioWire(settings: LMStudioWireSettings = {}): EmbeddingWire {
  const state: State = {
    loaded: new Set(settings.loaded ?? [NOMIC]),
    hasJit: settings.hasJit ?? true,
    api: settings.api ?? 'v1',
    requiresKey: settings.requiresKey ?? false,
  }
  return {
    name: 'LM Studio',
    basePath: '/v1',
    inputTypes: 'distinct',
    hasIndexes: true,
    // It reports 0 for every request.
    reportsUsage: false,
    lenient: [
      'fields it does not know, which it ignores, are refused here: an option that nobody reads is a mistake',
      'the words for an input beyond the context, which differ by engine',
    ],
    read: (request, apiKey) => read(request, apiKey, state),
    answer: (call, vectors, shape) => {
      const { status, body } = openAIAnswer({ ...call, isBase64: false }, vectors, shape)
      return { status, body: { ...recordOf(body), usage: { prompt_tokens: 0, total_tokens: 0 } } }
    },
    refusal: (words) => plain(400, words),
    failures,
  }
}

interface State {
  readonly loaded: Set<string>
  readonly hasJit: boolean
  readonly api: 'v1' | 'v0' | 'none'
  readonly requiresKey: boolean
}

function read(request: WireRequest, apiKey: string, state: State): EmbeddingCall | WireReply {
  const { authorization } = request.headers
  if (authorization === undefined ? state.requiresKey : authorization !== `Bearer ${apiKey}`) return refusedKey
  const route = `${request.method} ${request.path}`
  if (route === 'GET /api/v1/models' && state.api === 'v1') return { status: 200, body: { models: listV1(state) } }
  if (route === 'GET /api/v0/models' && state.api !== 'none')
    return { status: 200, body: { object: 'list', data: listV0(state) } }
  // It reports this with a success status.
  if (route !== 'POST /v1/embeddings') return plain(200, `Unexpected endpoint or method. (${route})`)
  const body = jsonObjectOf(request)
  if (body === undefined) return plain(400, 'Invalid JSON in request body.')
  return readBody(body, state)
}

const listV1 = ({ loaded }: State): readonly unknown[] =>
  Object.entries(MODELS).map(([key, { kind, maxContext, loadedContext }]) => ({
    type: kind,
    publisher: 'someone',
    key,
    display_name: key,
    loaded_instances: loaded.has(key) ? [{ id: key, config: { context_length: loadedContext } }] : [],
    max_context_length: maxContext,
    format: 'gguf',
  }))

const listV0 = ({ loaded }: State): readonly unknown[] =>
  Object.entries(MODELS).map(([id, { kind, maxContext, loadedContext }]) => ({
    id,
    object: 'model',
    type: kind === 'embedding' ? 'embeddings' : 'llm',
    state: loaded.has(id) ? 'loaded' : 'not-loaded',
    max_context_length: maxContext,
    ...(loaded.has(id) ? { loaded_context_length: loadedContext } : {}),
  }))

function readBody(body: Readonly<Record<string, unknown>>, { loaded, hasJit }: State): EmbeddingCall | WireReply {
  const unknown = unknownField(body, FIELDS)
  if (unknown !== undefined) return plain(400, `Unrecognized key: ${unknown}`)
  if (body['ttl'] !== undefined && !Number.isInteger(body['ttl'])) return plain(400, "'ttl' must be a number of seconds")
  const name = String(body['model'])
  const model = MODELS[name]
  if (!loaded.has(name)) {
    if (!hasJit) return plain(400, NONE_LOADED)
    if (model === undefined) return notThere(name, 'Model not found.')
    if (model.kind !== 'embedding') return notThere(name, 'Model is not embedding.')
    loaded.add(name)
  }
  const texts = textsOf(body['input'])
  if (model === undefined || texts === undefined || !texts.every((text) => text.isWellFormed()))
    return plain(400, "'input' field must be a string or an array of strings")
  const { prefix } = model
  const inputType = (['query', 'document'] as const).find(
    (type) => prefix && texts.every((text) => text.startsWith(prefix[type])),
  )
  return { texts, model: name, dimensions: model.dimensions, ...(inputType === undefined ? {} : { inputType }) }
}
