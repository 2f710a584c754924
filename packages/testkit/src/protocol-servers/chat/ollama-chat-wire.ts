import type { FinishReason } from '@mnemark/spec'
import { countWireTokens, type ServiceErrorCode, type WireFailure, type WireReply, type WireRequest } from '../wire/exchange.ts'
import { GATEWAY_FAILURES, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, unknownField } from '../wire/read-fields.ts'
import type { ChatAnswer, ChatCall, ChatWire } from './chat-wire.ts'
import { messagesOf } from './chat-completions-wire.ts'

const FIELDS = ['model', 'messages', 'stream', 'format', 'options', 'keep_alive', 'think', 'truncate', 'shift']
const OPTIONS = ['num_ctx', 'num_predict', 'temperature', 'seed']

/** As of 2026-11 only the text shows that an answer was declined or held back; `load` and `unload` are the other words. */
const FINISH_WORDS: Readonly<Record<FinishReason | 'other', string>> = {
  stop: 'stop',
  length: 'length',
  refused: 'stop',
  filtered: 'stop',
  other: 'load',
}

const refused = (status: number, error: string, headers?: Readonly<Record<string, string>>): WireReply => ({
  status,
  body: { error },
  ...(headers === undefined ? {} : { headers }),
})
const failure = (title: string, status: number, error: string): WireFailure => ({ title, reply: refused(status, error) })

const TOO_LONG = 'the input length exceeds the context length'
const BEYOND_CONTEXT = {
  error: {
    code: 400,
    message: 'request (2622 tokens) exceeds the available context size (512 tokens), try increasing it',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 2622,
    n_ctx: 512,
  },
}

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [failure('a gateway or the hosted service without a key', 401, 'unauthorized')],
  'not-found': [
    failure('a model that was not fetched', 404, 'model "other" not found, try pulling it first'),
    { title: 'a path it does not have', reply: { status: 404, body: '404 page not found' } },
  ],
  quota: [],
  'rate-limit': rateLimits((headers) => refused(429, 'too many requests', headers)),
  'invalid-input': [failure('a refused request', 400, 'invalid format')],
  'input-too-long': [
    failure('a prompt beyond the context, 0.12', 400, TOO_LONG),
    failure('a prompt beyond the context, since 0.34, in the words of llama-server', 400, JSON.stringify(BEYOND_CONTEXT)),
  ],
  unavailable: [
    failure('a runner that came down', 500, 'model runner has unexpectedly stopped'),
    failure('a full queue', 503, 'server busy, please try again. maximum pending requests exceeded'),
    ...GATEWAY_FAILURES,
  ],
}

/** Ollama's `POST /api/chat`, 2026-11. It has no keys; a key that is sent must be valid, as behind a gateway. */
export const ollamaChatWire: ChatWire = {
  name: 'Ollama chat',
  basePath: '',
  reportsUsage: true,
  finishReasons: ['stop', 'length'],
  hasSchema: true,
  lenient: ['fields it does not know, which it ignores, are refused here', 'the model: any name was fetched'],
  read,
  answer,
  refusal: (words) => refused(400, words),
  failures,
}

function answer({ model }: ChatCall, { text, finishReason, usage }: ChatAnswer): WireReply {
  const counts = usage && { prompt_eval_count: usage.inputTokens, eval_count: usage.outputTokens }
  const message = { role: 'assistant', ...(text === null ? {} : { content: text }) }
  const body = { model, created_at: '2026-11-01T10:00:00Z', message, done: true, done_reason: FINISH_WORDS[finishReason] }
  return { status: 200, body: { ...body, total_duration: 14_143_917, ...counts } }
}

function read(request: WireRequest, apiKey: string): ChatCall | WireReply {
  if (request.path !== '/api/chat') return { status: 404, body: '404 page not found' }
  if (request.method !== 'POST') return { status: 405, body: '405 method not allowed' }
  const authorization = request.headers['authorization']
  if (authorization !== undefined && authorization !== `Bearer ${apiKey}`) return refused(401, 'unauthorized')
  const body = jsonObjectOf(request)
  if (body === undefined) return refused(400, 'invalid JSON')
  const call = callOf(body)
  return typeof call === 'string' ? refused(400, call) : call
}

/** The call, or what is wrong with it. */
function callOf(body: Readonly<Record<string, unknown>>): ChatCall | string {
  const { model, messages, stream = true, truncate = true, format, options = {} } = body
  const unknown = unknownField(body, FIELDS) ?? unknownField(recordOf(options) ?? {}, OPTIONS)
  if (unknown !== undefined) return `unknown field ${unknown}`
  const texts = messagesOf(messages)
  if (typeof model !== 'string' || texts === undefined) return 'invalid messages'
  // The service would answer a stream in lines, which no adapter reads.
  if (stream !== false) return 'stream is not false'
  const { num_predict: limit, num_ctx: context } = recordOf(options) ?? {}
  const isLong = typeof context === 'number' && countWireTokens([texts.system, texts.prompt]) > context
  // If it may, it cuts the prompt without a word.
  if (isLong && truncate === false) return TOO_LONG
  const asked = format === undefined ? {} : format === 'json' ? { isJson: true } : { schema: format }
  if (asked.schema !== undefined && recordOf(asked.schema) === undefined) return 'invalid format'
  return { model, ...texts, ...asked, ...(limit === undefined ? {} : { maxOutputTokens: Number(limit) }) }
}
