import type { TextGenerator } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineTextGenerator,
  freezeOptions,
  isPrivateHost,
  normaliseEndpoint,
  openAIStyleBase,
  parseBaseUrl,
  type RawGenerateRequest,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import type { OpenAI } from 'openai'
import { lazyClient } from './client.ts'
import type { OpenAICompatibleGeneratorOptions, SchemaMode } from './options.ts'
import { readReply } from './read-reply.ts'

const OPENAI = 'https://api.openai.com/v1'
const MODES: readonly SchemaMode[] = ['json_schema', 'json_object', 'none']
/** Fields that the adapter fills itself, and those whose answers it could not read: `stream` and `n`. */
const OWN_FIELDS = ['model', 'messages', 'response_format', 'max_tokens', 'max_completion_tokens', 'temperature', 'stream', 'n']

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming

/**
 * A generator on chat completions of OpenAI, or of any server that speaks them, through the official SDK, which is loaded with the first
 * call. Throws a `config` error at once for invalid settings.
 */
export function createOpenAICompatibleGenerator(given: OpenAICompatibleGeneratorOptions): TextGenerator & AsyncDisposable {
  const options = freezeOptions(given)
  const isOpenAI = options.baseUrl === undefined || isAtOpenAI(options.baseUrl)
  const id = options.id ?? (isOpenAI ? 'openai' : 'openai-compatible')
  const url = parseBaseUrl(id, requireText(id, 'baseUrl', options.baseUrl ?? OPENAI))
  const endpoint = chatBase(url)
  const model = requireText(id, 'model', options.model)
  const headers = headersOf(id, options, isOpenAI)
  const schemaMode = checkedMode(id, options.schemaMode)
  const fields = fixedFields(id, options)
  const limitField = options.maxTokensField ?? (isOpenAI ? 'max_completion_tokens' : 'max_tokens')
  const client = lazyClient({ baseUrl: endpoint, headers, fetch: options.fetch })
  const bodyOf = ({ system, prompt, schema, maxOutputTokens }: RawGenerateRequest): Body => {
    const told = schema !== undefined && schemaMode === 'json_object' ? withSchema(system, schema) : system
    return {
      ...fields,
      model,
      messages: [
        ...(told === '' ? [] : [{ role: 'system' as const, content: told }]),
        { role: 'user' as const, content: prompt },
      ],
      ...(schema === undefined ? {} : { response_format: formatOf(schemaMode, schema) }),
      ...(maxOutputTokens === undefined ? {} : { [limitField]: maxOutputTokens }),
    }
  }
  return defineTextGenerator({
    provider: id,
    endpoint,
    model,
    traits: {
      isLocal: isPrivateHost(url.hostname),
      ...options.traits,
      ...(schemaMode === 'none' ? { hasSchema: false } : {}),
    },
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    secrets: secretsOf(undefined, headers),
    timeoutMs: options.timeoutMs,
    ...(options.countTokens === undefined ? {} : { countTokens: options.countTokens }),
    generate: async (request) => {
      const { chat } = await client()
      return readReply(await chat.completions.create(bodyOf(request), { signal: request.signal }))
    },
  })
}

const isAtOpenAI = (baseUrl: string): boolean => URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(OPENAI).origin

/** An address that ends in the route itself loses it, because the SDK adds it. */
function chatBase(url: URL): string {
  const endpoint = normaliseEndpoint(url)
  const route = '/chat/completions'
  return endpoint.endsWith(route) ? endpoint.slice(0, -route.length) : openAIStyleBase(url)
}

function headersOf(
  id: string,
  { apiKey, headers }: OpenAICompatibleGeneratorOptions,
  isOpenAI: boolean,
): Readonly<Record<string, string>> {
  const checked = checkHeaders(id, headers)
  const needsKey = isOpenAI && !Object.hasOwn(checked, 'authorization')
  if (apiKey === undefined && !needsKey) return checked
  return { authorization: `Bearer ${requireKey(id, apiKey)}`, ...checked }
}

/** Checked at run time, because configurations have no types. */
function checkedMode(id: string, mode: SchemaMode = 'json_schema'): SchemaMode {
  if (MODES.includes(mode)) return mode
  throw configError(id, 'schemaMode has no known form', `Set it to one of ${MODES.join(', ')}.`)
}

function fixedFields(
  id: string,
  { body = {}, temperature }: OpenAICompatibleGeneratorOptions,
): Readonly<Record<string, unknown>> {
  const taken = OWN_FIELDS.find((name) => Object.hasOwn(body, name))
  if (taken !== undefined) throw configError(id, `body.${taken} is filled by the adapter`, 'Use the option of its own.')
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2))
    throw configError(id, 'temperature must be a number from 0 to 2', 'Correct temperature.')
  return { ...body, ...(temperature === undefined ? {} : { temperature }) }
}

type Schema = NonNullable<RawGenerateRequest['schema']>

const formatOf = (mode: SchemaMode, schema: Schema): NonNullable<Body['response_format']> =>
  mode === 'json_schema' ? { type: 'json_schema', json_schema: { name: 'answer', schema } } : { type: 'json_object' }

/** Writes the schema into the system prompt: JSON mode takes none, and needs the word JSON in a message. */
const withSchema = (system: string, schema: Schema): string =>
  [system, `Answer with JSON that fits this JSON Schema, and with nothing else: ${JSON.stringify(schema)}`]
    .filter((part) => part !== '')
    .join('\n\n')
