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
import type { ChatCompletionRequest } from '@mistralai/mistralai/models/components/chatcompletionrequest.js'
import { lazyClient } from './client.ts'
import { completeChat } from './complete.ts'
import type { MistralGeneratorOptions, MistralReasoningEffort } from './options.ts'
import { readReply } from './read-reply.ts'

const ID = 'mistral'
const BASE_URL = 'https://api.mistral.ai/v1'
const EFFORTS: readonly MistralReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

/**
 * A generator on Mistral's chat completions, through the official SDK, which is loaded with the first call. Throws a `config` error at
 * once for a missing key, an invalid address, and invalid settings.
 */
export function createMistralGenerator(given: MistralGeneratorOptions): TextGenerator & AsyncDisposable {
  const options = freezeOptions(given)
  const apiKey = requireKey(ID, options.apiKey)
  const url = parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl ?? BASE_URL))
  const endpoint = chatBase(url)
  const model = requireText(ID, 'model', options.model)
  const headers = checkHeaders(ID, options.headers)
  const requestOf = requestsOf(model, options)
  const client = lazyClient({ apiKey, serverUrl: serverUrlOf(endpoint), headers, fetch: options.fetch })
  return defineTextGenerator({
    provider: ID,
    endpoint,
    model,
    traits: { isLocal: isPrivateHost(url.hostname), ...options.traits },
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    secrets: secretsOf(apiKey, headers),
    timeoutMs: options.timeoutMs,
    ...(options.countTokens === undefined ? {} : { countTokens: options.countTokens }),
    generate: async (request) => readReply(await completeChat(await client(), requestOf(request), request.signal)),
  })
}

/** An address that ends in the route itself loses it, because the SDK adds it. */
function chatBase(url: URL): string {
  const endpoint = normaliseEndpoint(url)
  const route = '/chat/completions'
  return endpoint.endsWith(route) ? endpoint.slice(0, -route.length) : openAIStyleBase(url)
}

/** The SDK supports `/v1` only, and adds it itself. */
function serverUrlOf(endpoint: string): string {
  if (endpoint.endsWith('/v1')) return endpoint.slice(0, -'/v1'.length)
  throw configError(ID, 'the base URL ends in another version than /v1', 'Leave the version out.')
}

/** Returns the function that turns our requests into the SDK's. Throws `config` for invalid options. */
function requestsOf(
  model: string,
  { temperature, reasoningEffort }: MistralGeneratorOptions,
): (request: RawGenerateRequest) => ChatCompletionRequest {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 1.5))
    throw configError(ID, 'temperature must be a number from 0 to 1.5', 'Correct temperature.')
  if (reasoningEffort !== undefined && !EFFORTS.includes(reasoningEffort))
    throw configError(ID, 'reasoningEffort has no known form', `Set it to one of ${EFFORTS.join(', ')}.`)
  const fixed = {
    model,
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  }
  return ({ system, prompt, schema, maxOutputTokens }) => ({
    ...fixed,
    messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), { role: 'user', content: prompt }],
    ...(schema === undefined ? {} : { responseFormat: formatOf(schema) }),
    ...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens }),
  })
}

const formatOf = (schema: NonNullable<RawGenerateRequest['schema']>): NonNullable<ChatCompletionRequest['responseFormat']> => ({
  type: 'json_schema',
  // With `strict` the service holds the model to the schema.
  jsonSchema: { name: 'answer', schemaDefinition: { ...schema }, strict: true },
})
