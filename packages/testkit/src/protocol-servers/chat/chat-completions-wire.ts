import type { FinishReason } from '@mnemark/spec'
import type { ServiceErrorCode, WireFailure, WireReply, WireRequest } from '../wire/exchange.ts'
import { GATEWAY_FAILURES, openAIError, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, unknownField } from '../wire/read-fields.ts'
import type { ChatAnswer, ChatCall, ChatWire } from './chat-wire.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ChatCompletionsWireSettings {
  /** Further fields it takes. */
  readonly fields?: readonly string[]
  /** `plain` does as it is asked; `quirky` as common servers do: no usage, no id, refusals as plain text, `max_tokens` only. */
  readonly flavour?: 'plain' | 'quirky'
  /** The form of answers it can be held to. Default: all. */
  readonly formats?: readonly ('json_schema' | 'json_object')[]
  readonly basePath?: string
}

type Settings = Required<ChatCompletionsWireSettings>

const DEFAULTS: Settings = { fields: [], flavour: 'plain', formats: ['json_schema', 'json_object'], basePath: '/v1' }
const FIELDS = ['model', 'messages', 'response_format', 'max_tokens', 'temperature']

/** As of 2026-11: https://platform.openai.com/docs/api-reference/chat/object. `refused` is a `stop` whose message has a `refusal`. */
const FINISH_WORDS: Readonly<Record<FinishReason | 'other', string>> = {
  stop: 'stop',
  length: 'length',
  refused: 'stop',
  filtered: 'content_filter',
  other: 'tool_calls',
}

/** `POST /v1/chat/completions` of OpenAI, and of the servers that speak it. */
export function chatCompletionsWire(settings: ChatCompletionsWireSettings = {}): ChatWire {
  const full: Settings = { ...DEFAULTS, ...settings }
  return {
    name: `chat completions, ${full.flavour}`,
    basePath: full.basePath,
    reportsUsage: full.flavour === 'plain',
    finishReasons: full.flavour === 'plain' ? ['stop', 'length', 'refused', 'filtered'] : ['stop', 'length', 'filtered'],
    hasSchema: full.formats.includes('json_schema'),
    lenient: ['the model: any name is served'],
    read: (request, apiKey) => read(request, apiKey, full),
    answer: (call, answer) => answerOf(call, answer, full),
    refusal: (words) => refused(400, words, full),
    failures: failuresOf(full),
  }
}

function answerOf({ model }: ChatCall, { text, finishReason, usage }: ChatAnswer, { flavour }: Settings): WireReply {
  const refusal = finishReason === 'refused' ? { content: null, refusal: text ?? 'I cannot help with that.' } : { content: text }
  const choice = { index: 0, message: { role: 'assistant', ...refusal }, finish_reason: FINISH_WORDS[finishReason] }
  if (flavour === 'quirky') return { status: 200, body: { choices: [choice] } }
  const counted = usage && {
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  }
  return {
    status: 200,
    body: { id: 'chatcmpl-1', object: 'chat.completion', created: 1_790_000_000, model, choices: [choice], ...counted },
  }
}

function refused(
  status: number,
  message: string,
  { flavour }: Settings,
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  if (flavour === 'quirky') return { status, body: { detail: message }, headers }
  return openAIError({ status, message, type: 'invalid_request_error', headers })
}

function failuresOf(settings: Settings): Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> {
  const failure = (title: string, status: number): WireFailure => ({ title, reply: refused(status, title, settings) })
  const coded = (title: string, status: number, code: string): WireFailure => ({
    title,
    reply: openAIError({ status, message: title, type: 'invalid_request_error', code }),
  })
  return {
    auth: [failure('a wrong key', 401), failure('a key that may not do this', 403)],
    'not-found': [failure('an unknown model', 404)],
    quota: [failure('an empty account', 402), coded('an account over its quota', 429, 'insufficient_quota')],
    'rate-limit': rateLimits((headers) => refused(429, 'Slow down.', settings, headers)),
    'invalid-input': [failure('a refused request', 400), failure('a request of another form', 422)],
    'input-too-long': [
      coded('a prompt beyond the context', 400, 'context_length_exceeded'),
      { title: 'a body that is too large', reply: { status: 413, body: 'Request Entity Too Large' } },
    ],
    unavailable: [failure('its own fault', 500), failure('took too long', 408), ...GATEWAY_FAILURES],
  }
}

function read(request: WireRequest, apiKey: string, settings: Settings): ChatCall | WireReply {
  if (request.path !== `${settings.basePath}/chat/completions`) return refused(404, 'Not Found', settings)
  if (request.method !== 'POST') return refused(405, 'Method Not Allowed', settings)
  if (apiKey !== '' && request.headers['authorization'] !== `Bearer ${apiKey}`) return refused(401, 'Unauthorized', settings)
  const body = jsonObjectOf(request)
  if (body === undefined) return refused(400, 'The body is not JSON.', settings)
  const limit = settings.flavour === 'plain' ? ['max_completion_tokens'] : []
  const unknown = unknownField(body, [...FIELDS, ...limit, ...settings.fields])
  if (unknown !== undefined) return refused(400, `Unrecognized request argument supplied: ${unknown}`, settings)
  const call = callOf(body, settings)
  return typeof call === 'string' ? refused(400, call, settings) : call
}

/** The call, or what is wrong with it. */
function callOf(body: Fields, settings: Settings): ChatCall | string {
  const { model, messages, max_completion_tokens: limit = body['max_tokens'], response_format: format } = body
  if (typeof model !== 'string') return 'you must provide a model parameter'
  const texts = messagesOf(messages)
  if (texts === undefined) return "'messages' is invalid"
  if (limit !== undefined && !Number.isSafeInteger(limit)) return 'the limit of tokens is not a whole number'
  const asked = formatOf(format, `${texts.system}\n${texts.prompt}`, settings)
  if (typeof asked === 'string') return asked
  return { model, ...texts, ...asked, ...(limit === undefined ? {} : { maxOutputTokens: Number(limit) }) }
}

/** At most one message of the system, then one of the user. */
export function messagesOf(messages: unknown): Pick<ChatCall, 'system' | 'prompt'> | undefined {
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > 2) return undefined
  const [first, last] = [recordOf(messages[0]), recordOf(messages.at(-1))]
  const system = messages.length === 2 ? first?.['content'] : ''
  const prompt = last?.['content']
  if (messages.length === 2 && first?.['role'] !== 'system') return undefined
  if (last?.['role'] !== 'user' || typeof system !== 'string' || typeof prompt !== 'string') return undefined
  return system.isWellFormed() && prompt.isWellFormed() ? { system, prompt } : undefined
}

function formatOf(format: unknown, words: string, { formats }: Settings): Pick<ChatCall, 'schema' | 'isJson'> | string {
  if (format === undefined) return {}
  const { type, json_schema: named } = recordOf(format) ?? {}
  if (type === 'text') return {}
  if (!formats.some((known) => known === type)) return `response_format ${String(type)} is not supported`
  // OpenAI refuses JSON mode unless the word stands in a message.
  if (type === 'json_object')
    return /json/i.test(words) ? { isJson: true } : "'messages' must contain the word 'json' in some form"
  const { name, schema } = recordOf(named) ?? {}
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) return 'response_format.json_schema.name is invalid'
  return recordOf(schema) === undefined ? 'response_format.json_schema.schema is invalid' : { schema }
}
