import type { FinishReason } from '@mnemark/spec'
import { bedrockWire, denialOf, refused } from '../vendors/bedrock-wire.ts'
import type { WireReply, WireRequest } from '../wire/exchange.ts'
import { recordOf, unknownField } from '../wire/read-fields.ts'
import type { ChatAnswer, ChatCall, ChatWire } from './chat-wire.ts'

type Fields = Readonly<Record<string, unknown>>

interface BedrockCall extends ChatCall {
  /** Whether the schema is that of a tool that has to be called. */
  readonly isTool?: boolean
}

const FIELDS = [
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'outputConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
]

/** As of 2026-11: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html. There is no word for declining. */
const FINISH_WORDS: Readonly<Record<FinishReason | 'other', string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  refused: 'end_turn',
  filtered: 'guardrail_intervened',
  other: 'malformed_model_output',
}

const invalid = (message: string): WireReply => refused(400, 'ValidationException', message)
const embedding = bedrockWire()

/** Bedrock's `POST /model/{id}/converse`, 2026-11, signed as its embeddings are. A schema comes as the one tool, or as the output's. */
export const bedrockChatWire: ChatWire = {
  name: 'Amazon Bedrock, Converse',
  basePath: '',
  reportsUsage: true,
  finishReasons: ['stop', 'length', 'filtered'],
  hasSchema: true,
  lenient: ['the model: any id is served', 'which models take tools and schemas: all here'],
  read,
  answer,
  refusal: invalid,
  failures: {
    ...embedding.failures,
    'input-too-long': [
      ...embedding.failures['input-too-long'],
      {
        title: 'a prompt beyond Claude',
        reply: invalid('The model returned the following errors: prompt is too long: 214000 tokens'),
      },
    ],
  },
}

/** Calls the tool if one was given and the answer is JSON. The thoughts of the model come first, as a part of their own. */
function answer(call: BedrockCall, { text, finishReason, usage }: ChatAnswer): WireReply {
  const thought = { reasoningContent: { reasoningText: { text: 'Who lives where?', signature: 'c2ln' } } }
  const input = call.schema !== undefined && call.isTool === true && finishReason === 'stop' ? jsonOf(text) : undefined
  const parts =
    input === undefined ? (text === null ? [] : [{ text }]) : [{ toolUse: { toolUseId: 't-1', name: 'answer', input } }]
  const counts = usage && { usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens } }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: {
      output: { message: { role: 'assistant', content: [thought, ...parts] } },
      stopReason: input === undefined ? FINISH_WORDS[finishReason] : 'tool_use',
      metrics: { latencyMs: 12 },
      ...counts,
    },
  }
}

function jsonOf(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function read(request: WireRequest, apiKey: string): BedrockCall | WireReply {
  const id = /^\/model\/([^/]+)\/converse$/.exec(request.path)?.[1]
  if (id === undefined) return refused(404, 'UnknownOperationException', '')
  if (request.method !== 'POST') return refused(405, 'UnknownOperationException', '')
  const denial = denialOf(request, apiKey)
  if (denial !== undefined) return denial
  const body = recordOf(request.body)
  if (body === undefined || request.headers['content-type'] !== 'application/json') return invalid('The body is not JSON.')
  const call = callOf(body)
  return typeof call === 'string' ? invalid(call) : { model: decodeURIComponent(id), ...call }
}

/** The call, or what is wrong with it. */
function callOf(body: Fields): Omit<BedrockCall, 'model'> | string {
  const { messages, system = [], inferenceConfig = {}, toolConfig, outputConfig } = body
  const config = recordOf(inferenceConfig) ?? {}
  const unknown = unknownField(body, FIELDS) ?? unknownField(config, ['maxTokens', 'temperature', 'topP', 'stopSequences'])
  if (unknown !== undefined) return `${unknown} is not a field`
  const { role, content } = recordOf(Array.isArray(messages) && messages.length === 1 ? messages[0] : undefined) ?? {}
  const prompt = textOf(content)
  const told = Array.isArray(system) && system.length === 0 ? '' : textOf(system)
  if (role !== 'user' || prompt === undefined || told === undefined) return 'messages or system has no text'
  const limit = config['maxTokens']
  if (limit !== undefined && (!Number.isSafeInteger(limit) || Number(limit) < 1)) return 'maxTokens is not a count'
  const asked = outputConfig === undefined ? toolOf(toolConfig) : formatOf(outputConfig)
  if (typeof asked === 'string') return asked
  return { system: told, prompt, ...asked, ...(limit === undefined ? {} : { maxOutputTokens: Number(limit) }) }
}

/** The one tool, which has to be called. */
function toolOf(toolConfig: unknown): Pick<BedrockCall, 'schema' | 'isTool'> | string {
  if (toolConfig === undefined) return {}
  const { tools, toolChoice } = recordOf(toolConfig) ?? {}
  const { name, inputSchema } = recordOf(recordOf(Array.isArray(tools) && tools.length === 1 ? tools[0] : {})?.['toolSpec']) ?? {}
  const schema = recordOf(recordOf(inputSchema)?.['json'])
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name) || schema === undefined) return 'toolConfig has no tool'
  // With any other choice the model may answer without the tool.
  if (recordOf(recordOf(toolChoice)?.['any']) === undefined) return 'toolChoice does not make the model call the tool'
  return schema['type'] === 'object'
    ? { schema, isTool: true }
    : 'The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be object'
}

/** Reads a schema from the configuration of the output, where it is a JSON text. */
function formatOf(outputConfig: unknown): Pick<BedrockCall, 'schema'> | string {
  const { type, structure } = recordOf(recordOf(outputConfig)?.['textFormat']) ?? {}
  const { schema } = recordOf(recordOf(structure)?.['jsonSchema']) ?? {}
  const parsed = typeof schema === 'string' ? recordOf(jsonOf(schema)) : undefined
  return type === 'json_schema' && parsed !== undefined ? { schema: parsed } : 'outputConfig is invalid'
}

/** The one text of a list of blocks. */
function textOf(blocks: unknown): string | undefined {
  const text = Array.isArray(blocks) && blocks.length === 1 ? recordOf(blocks[0])?.['text'] : undefined
  return typeof text === 'string' && text !== '' && text.isWellFormed() ? text : undefined
}
