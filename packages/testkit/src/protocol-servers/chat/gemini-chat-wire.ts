import type { FinishReason } from '@mnemark/spec'
import { geminiWire } from '../vendors/gemini-wire.ts'
import type { WireReply, WireRequest } from '../wire/exchange.ts'
import { jsonObjectOf, recordOf, unknownField } from '../wire/read-fields.ts'
import type { ChatAnswer, ChatCall, ChatWire } from './chat-wire.ts'

type Fields = Readonly<Record<string, unknown>>

const PATH = /^\/(?:v1|v1beta)\/models\/([^/:]+):generateContent$/
const CONFIG_FIELDS = ['responseMimeType', 'responseJsonSchema', 'maxOutputTokens', 'temperature', 'thinkingConfig']

/** As of 2026-11: https://ai.google.dev/api/generate-content#FinishReason. A model that declines says so in its text. */
const FINISH_WORDS: Readonly<Record<FinishReason | 'other', string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  refused: 'STOP',
  filtered: 'SAFETY',
  other: 'MALFORMED_FUNCTION_CALL',
}

const refused = (message: string): WireReply => ({
  status: 400,
  body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
})
const TOO_LONG = 'The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).'

/** Gemini's `POST /{version}/models/{model}:generateContent`, 2026-11. */
export const geminiChatWire: ChatWire = {
  name: 'Gemini chat',
  basePath: '',
  reportsUsage: true,
  finishReasons: ['stop', 'length', 'filtered'],
  hasSchema: true,
  lenient: ['the model: any name is served', 'which parts of JSON Schema it takes: all here', 'the fields of thinkingConfig'],
  read,
  answer,
  refusal: refused,
  failures: {
    ...geminiWire.failures,
    // Unlike a request for embeddings, a call is never one of several in a request.
    'invalid-input': [{ title: 'a refused request', reply: refused('Request contains an invalid argument.') }],
    'input-too-long': [
      { title: 'a prompt beyond the model', reply: refused(TOO_LONG) },
      ...geminiWire.failures['input-too-long'],
    ],
  },
}

/** The thoughts of the model come first, as a part of their own, and are counted apart. */
function answer({ model }: ChatCall, { text, finishReason, usage }: ChatAnswer): WireReply {
  const parts = [{ text: 'Who lives where?', thought: true }, ...(text === null || text === '' ? [] : [{ text }])]
  const counts = usage && {
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      ...(usage.outputTokens > 1 ? { candidatesTokenCount: usage.outputTokens - 1 } : {}),
      thoughtsTokenCount: Math.min(1, usage.outputTokens),
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  }
  const candidate = { content: { parts, role: 'model' }, finishReason: FINISH_WORDS[finishReason], index: 0 }
  return { status: 200, body: { candidates: [candidate], ...counts, modelVersion: model, responseId: 'r-1' } }
}

function read(request: WireRequest, apiKey: string): ChatCall | WireReply {
  const model = PATH.exec(request.path)?.[1]
  if (model === undefined || request.method !== 'POST') return { status: 404, body: '<html>Not Found</html>' }
  if (request.headers['x-goog-api-key'] !== apiKey) return geminiWire.failures.auth[0]?.reply ?? refused('API key not valid.')
  const body = jsonObjectOf(request)
  if (body === undefined) return refused('Invalid JSON payload.')
  const call = callOf(body)
  return typeof call === 'string' ? refused(call) : { model, ...call }
}

/** The call, or what is wrong with it. */
function callOf(body: Fields): Omit<ChatCall, 'model'> | string {
  const { contents, systemInstruction, generationConfig = {} } = body
  const config = recordOf(generationConfig)
  const unknown =
    unknownField(body, ['contents', 'systemInstruction', 'generationConfig']) ?? unknownField(config ?? {}, CONFIG_FIELDS)
  if (unknown !== undefined || config === undefined) return `Invalid JSON payload received. Unknown name "${unknown}"`
  const system = systemInstruction === undefined ? '' : textOf(systemInstruction)
  const prompt = Array.isArray(contents) && contents.length === 1 ? textOf(contents[0]) : undefined
  if (system === undefined || prompt === undefined) return 'contents or systemInstruction has no text'
  const limit = config['maxOutputTokens']
  if (limit !== undefined && !Number.isSafeInteger(limit)) return 'maxOutputTokens is not a whole number'
  const asked = formatOf(config)
  if (typeof asked === 'string') return asked
  return { system, prompt, ...asked, ...(limit === undefined ? {} : { maxOutputTokens: Number(limit) }) }
}

function formatOf({ responseMimeType: type = 'text/plain', responseJsonSchema: schema }: Fields) {
  if (schema !== undefined && type !== 'application/json') return 'a schema needs the response_mime_type application/json'
  if (schema !== undefined) return recordOf(schema) === undefined ? 'the schema is no object' : { schema }
  return type === 'application/json' ? { isJson: true } : {}
}

/** The one text of a content. */
function textOf(content: unknown): string | undefined {
  const { parts, role = 'user', ...rest } = recordOf(content) ?? {}
  if (!Array.isArray(parts) || parts.length !== 1 || role !== 'user' || unknownField(rest, []) !== undefined) return undefined
  const text = recordOf(parts[0])?.['text']
  return typeof text === 'string' && text !== '' && text.isWellFormed() ? text : undefined
}
