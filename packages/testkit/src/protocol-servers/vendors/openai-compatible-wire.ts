import type { InputType } from '@mnemark/spec'
import type { EmbeddingWire } from '../embedding-wire.ts'
import type { EmbeddingCall, ServiceErrorCode, WireFailure, WireReply, WireRequest } from '../wire/exchange.ts'
import { GATEWAY_FAILURES, openAIAnswer, openAIError, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, textsOf, unknownField } from '../wire/read-fields.ts'

/**
 * How a server distinguishes queries from documents: by a field with a value for each, or by prefixes of the text,
 * which it does not see.
 */
export type WireInputType =
  | 'symmetric'
  | { readonly field: string; readonly query: string; readonly document: string }
  | { readonly prefix: { readonly query: string; readonly document: string } }

export interface OpenAICompatibleWireSettings {
  /** The served model. Default: any, as for servers of a single model. */
  readonly model?: string | null
  /** Length of the model's vectors; a request may ask for fewer. Default: 8, or the requested length. */
  readonly dimensions?: number | null
  readonly inputType?: WireInputType
  /** Field of the requested length; null = the server refuses it, as for models that cannot be shortened. */
  readonly dimensionsField?: string | null
  /** Further accepted fields. */
  readonly fields?: readonly string[]
  readonly maxInputs?: number
  readonly basePath?: string
  /**
   * `plain` follows the request. `quirky` behaves like common servers: numbers for base64 and base64 for numbers, no
   * index, no usage, no object, and FastAPI's error bodies.
   */
  readonly flavour?: 'plain' | 'quirky'
}

type Settings = Required<OpenAICompatibleWireSettings>

const DEFAULT_DIMENSIONS = 8

const DEFAULTS: Settings = {
  model: null,
  dimensions: null,
  inputType: 'symmetric',
  dimensionsField: 'dimensions',
  fields: [],
  maxInputs: 32,
  basePath: '/v1',
  flavour: 'plain',
}

/** Any server with an OpenAI-style `/v1/embeddings`: the wire to test your own adapter with. */
export function openaiCompatibleWire(settings: OpenAICompatibleWireSettings = {}): EmbeddingWire {
  const full: Settings = { ...DEFAULTS, ...settings }
  const isQuirky = full.flavour === 'quirky'
  return {
    name: `OpenAI-compatible, ${full.flavour}`,
    basePath: full.basePath,
    inputTypes: full.inputType === 'symmetric' ? 'symmetric' : 'distinct',
    hasIndexes: !isQuirky,
    reportsUsage: !isQuirky,
    lenient: ['the key: servers without one take any', 'fields of other servers than the one that is imitated'],
    read: (request, apiKey) => read(request, apiKey, full),
    answer: (call, vectors, shape) => (isQuirky ? quirkyAnswer : openAIAnswer)(call, vectors, shape),
    refusal: (words) => refusalOf(full, 400, words),
    failures: failuresOf(full),
  }
}

const quirkyAnswer: EmbeddingWire['answer'] = (call, vectors, shape) => {
  const { status, body } = openAIAnswer({ ...call, isBase64: !call.isBase64 }, vectors, shape)
  return { status, body: { data: recordOf(body)?.['data'] } }
}

function refusalOf(
  { flavour }: Settings,
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): WireReply {
  const body =
    status === 422 ? { detail: [{ loc: ['body', 'input', 1], msg: message, type: 'value_error' }] } : { detail: message }
  if (flavour === 'quirky') return { status, body, ...(headers === undefined ? {} : { headers }) }
  const type = status === 400 ? 'BadRequestError' : 'Error'
  return openAIError({ status, message, type, code: status, ...(headers === undefined ? {} : { headers }) })
}

function failuresOf(settings: Settings): Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> {
  const failure = (title: string, status: number): WireFailure => ({ title, reply: refusalOf(settings, status, title) })
  return {
    auth: [failure('a wrong key', 401), failure('a key that may not do this', 403)],
    'not-found': [failure('an unknown model', 404), { title: 'a page that is not there', reply: { status: 404, body: '' } }],
    quota: [
      failure('an empty account', 402),
      {
        title: 'an account over its quota',
        reply: openAIError({ status: 429, message: 'No quota.', type: 'insufficient_quota' }),
      },
    ],
    'rate-limit': rateLimits((headers) => refusalOf(settings, 429, 'Slow down.', headers)),
    'invalid-input': [
      failure('a refused request', 400),
      {
        title: 'a refused input, named',
        reply: { status: 422, body: { detail: [{ loc: ['body', 'input', 1], msg: 'not a text', type: 'string_type' }] } },
        inputIndexes: [1],
      },
    ],
    'input-too-long': [
      { title: 'inputs that are too long', reply: { status: 413, body: { error: 'too long', error_type: 'Validation' } } },
      {
        title: 'too many tokens in all',
        reply: openAIError({ status: 400, message: 'too many', type: 'max_tokens_per_request' }),
      },
    ],
    unavailable: [
      failure('its own fault', 500),
      failure('took too long', 408),
      { title: 'the model behind it failed', reply: { status: 424, body: { error: 'inference failed', error_type: 'Backend' } } },
      ...GATEWAY_FAILURES,
    ],
  }
}

function read(request: WireRequest, apiKey: string, settings: Settings): EmbeddingCall | WireReply {
  const { basePath, dimensionsField, fields, inputType } = settings
  if (request.path !== `${basePath}/embeddings`) return refusalOf(settings, 404, 'Not Found')
  if (request.method !== 'POST') return refusalOf(settings, 405, 'Method Not Allowed')
  if (apiKey !== '' && request.headers['authorization'] !== `Bearer ${apiKey}`) return refusalOf(settings, 401, 'Unauthorized')
  const body = jsonObjectOf(request)
  if (body === undefined) return refusalOf(settings, 400, 'The body is not JSON.')
  const typeField = inputType !== 'symmetric' && 'field' in inputType ? [inputType.field] : []
  const known = [
    'model',
    'input',
    'encoding_format',
    'user',
    ...fields,
    ...typeField,
    ...(dimensionsField === null ? [] : [dimensionsField]),
  ]
  const unknown = unknownField(body, known)
  if (unknown !== undefined) return refusalOf(settings, 400, `${unknown} is not a field`)
  return readBody(body, settings)
}

function readBody(body: Readonly<Record<string, unknown>>, settings: Settings): EmbeddingCall | WireReply {
  const { model, encoding_format: format = 'float' } = body
  if (typeof model !== 'string' || model !== (settings.model ?? model))
    return refusalOf(settings, 404, 'The model is not loaded.')
  if (format !== 'float' && format !== 'base64') return refusalOf(settings, 400, 'The encoding format is not known.')
  const dimensions =
    (settings.dimensionsField === null ? undefined : body[settings.dimensionsField]) ?? settings.dimensions ?? DEFAULT_DIMENSIONS
  if (
    typeof dimensions !== 'number' ||
    !Number.isInteger(dimensions) ||
    dimensions < 1 ||
    dimensions > (settings.dimensions ?? dimensions)
  )
    return refusalOf(settings, 400, 'The dimensions are not possible.')
  const texts = textsOf(body['input'])
  if (texts === undefined || texts.length === 0) return refusalOf(settings, 422, 'The input is not a list of texts.')
  if (texts.length > settings.maxInputs) return refusalOf(settings, 422, 'The batch is too large.')
  if (!texts.every((text) => text.isWellFormed())) return refusalOf(settings, 400, 'The body is not UTF-8.')
  const inputType = inputTypeOf(body, texts, settings.inputType)
  if (inputType === null) return refusalOf(settings, 400, 'The input type is missing.')
  return { texts, model, dimensions, isBase64: format === 'base64', ...(inputType === undefined ? {} : { inputType }) }
}

/** Undefined for symmetric servers, null where the request does not state it. */
function inputTypeOf(
  body: Readonly<Record<string, unknown>>,
  texts: readonly string[],
  mapping: WireInputType,
): InputType | undefined | null {
  if (mapping === 'symmetric') return undefined
  const isOf = (type: InputType): boolean =>
    'field' in mapping ? body[mapping.field] === mapping[type] : texts.every((text) => text.startsWith(mapping.prefix[type]))
  // The longer prefix is tried first: one of them may be empty.
  const types: readonly InputType[] =
    'prefix' in mapping && mapping.prefix.query.length < mapping.prefix.document.length
      ? ['document', 'query']
      : ['query', 'document']
  return types.find(isOf) ?? null
}
