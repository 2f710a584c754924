import type { FinishReason } from '@mnemark/spec'
import { countWireTokens, type ServiceErrorCode, type WireFailure, type WireReply, type WireRequest } from '../wire/exchange.ts'
import { MISTRAL_FAILURES, mistralError, validation, wrongKey } from '../wire/mistral-errors.ts'
import { jsonObjectOf, recordOf, unknownField } from '../wire/read-fields.ts'
import { messagesOf } from './chat-completions-wire.ts'
import type { ChatAnswer, ChatCall, ChatWire } from './chat-wire.ts'

type Fields = Readonly<Record<string, unknown>>

const FIELDS = ['model', 'messages', 'stream', 'response_format', 'max_tokens', 'temperature', 'reasoning_effort', 'random_seed']
const FORMATS = ['text', 'json_object', 'json_schema']
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']
/** The most tokens a prompt may have here. */
const CONTEXT = 131_072

/** As of 2026-11 only the text shows that an answer was declined or held back; `model_length` and `error` are the other words. */
const FINISH_WORDS: Readonly<Record<FinishReason | 'other', string>> = {
  stop: 'stop',
  length: 'length',
  refused: 'stop',
  filtered: 'stop',
  other: 'tool_calls',
}

const tooLong = (tokens: number): WireReply =>
  mistralError({
    status: 400,
    message: `Prompt contains ${tokens} tokens and 0 draft tokens, too large for model with ${CONTEXT} maximum context length`,
    type: 'invalid_request_invalid_args',
    code: '3051',
  })

/** The newer form of a refused field. */
const forbidden = (field: string, input: unknown): WireReply => ({
  status: 422,
  body: {
    object: 'error',
    message: { detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted', input }] },
    type: 'invalid_request_error',
    param: null,
    code: null,
    raw_status_code: 422,
  },
})

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  ...MISTRAL_FAILURES,
  'invalid-input': [
    { title: 'a field it does not know', reply: forbidden('max_completion_tokens', 8192) },
    { title: 'a refused message', reply: validation(['messages'], 'Value error') },
    {
      title: 'something the model cannot do, with the number of a prompt that is too long',
      reply: mistralError({
        status: 400,
        message: 'Image input is not enabled for this model',
        type: 'invalid_request_invalid_args',
        code: '3051',
      }),
    },
  ],
  'input-too-long': [
    { title: 'a prompt beyond the context', reply: tooLong(170_397) },
    { title: 'a body that is too large', reply: { status: 413, body: '<html>Request Entity Too Large</html>' } },
  ],
  unavailable: [
    ...MISTRAL_FAILURES.unavailable,
    {
      title: 'a back end that is gone',
      reply: mistralError({ status: 503, message: 'Service unavailable.', type: 'unreachable_backend', code: '1100' }),
    },
  ],
}

/** Mistral's `POST /v1/chat/completions`, 2026-11. */
export const mistralChatWire: ChatWire = {
  name: 'Mistral chat',
  basePath: '',
  reportsUsage: true,
  finishReasons: ['stop', 'length'],
  hasSchema: true,
  lenient: ['what is said with 402 and 403', 'the model: any name is served', 'what a schema may hold where it is strict'],
  read,
  answer,
  refusal: (words) => mistralError({ status: 400, message: words, type: 'invalid_request_error', code: '1000' }),
  failures,
}

function answer({ model }: ChatCall, { text, finishReason, usage }: ChatAnswer): WireReply {
  const message = { role: 'assistant', tool_calls: null, content: text }
  const choices = [{ index: 0, message, finish_reason: FINISH_WORDS[finishReason] }]
  const counted = usage && {
    usage: {
      prompt_tokens: usage.inputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
      completion_tokens: usage.outputTokens,
    },
  }
  const id = '0123456789abcdef0123456789abcdef'
  return { status: 200, body: { id, object: 'chat.completion', created: 1_790_000_000, model, choices, ...counted } }
}

function read(request: WireRequest, apiKey: string): ChatCall | WireReply {
  if (request.path !== '/v1/chat/completions') return { status: 404, body: { message: 'no Route matched with those values' } }
  if (request.method !== 'POST') return { status: 405, body: { detail: 'Method Not Allowed' } }
  if (request.headers['authorization'] !== `Bearer ${apiKey}`) return wrongKey()
  const body = jsonObjectOf(request)
  return body === undefined ? validation([], 'JSON decode error') : callOf(body)
}

function callOf(body: Fields): ChatCall | WireReply {
  const { model, messages, stream = false, max_tokens: limit, response_format: format, reasoning_effort: effort } = body
  const unknown = unknownField(body, FIELDS)
  if (unknown !== undefined) return forbidden(unknown, body[unknown])
  if (typeof model !== 'string') return validation(['model'], 'Field required')
  const texts = messagesOf(messages)
  if (texts === undefined) return validation(['messages'], 'Value error')
  const tokens = countWireTokens([texts.system, texts.prompt])
  if (tokens > CONTEXT) return tooLong(tokens)
  // The service would answer a stream in events, which no adapter reads.
  if (stream !== false) return validation(['stream'], 'stream is not false')
  if (limit !== undefined && !Number.isSafeInteger(limit)) return validation(['max_tokens'], 'Input should be a valid integer')
  if (effort !== undefined && !EFFORTS.some((known) => known === effort))
    return validation(['reasoning_effort'], 'Input should be a known effort')
  const asked = formatOf(format)
  if (asked === undefined) return validation(['response_format'], 'Value error')
  return { model, ...texts, ...asked, ...(limit === undefined ? {} : { maxOutputTokens: Number(limit) }) }
}

/** Undefined for a format it does not take. */
function formatOf(format: unknown): Pick<ChatCall, 'schema' | 'isJson'> | undefined {
  if (format === undefined) return {}
  const { type, json_schema: named } = recordOf(format) ?? {}
  if (!FORMATS.some((known) => known === type)) return undefined
  if (type === 'text') return {}
  if (type === 'json_object') return { isJson: true }
  const { name, schema } = recordOf(named) ?? {}
  return typeof name === 'string' && recordOf(schema) !== undefined ? { schema } : undefined
}
