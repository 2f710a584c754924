import type { TextGenerator } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineTextGenerator,
  fieldsOf,
  freezeOptions,
  isPrivateHost,
  normaliseEndpoint,
  parseBaseUrl,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import type { GenerateContentConfig, ThinkingConfig } from '@google/genai'
import { lazyClient, splitVersion } from './client.ts'
import type { GeminiGeneratorOptions } from './options.ts'
import { readReply } from './read-reply.ts'

const ID = 'gemini'
const BASE_URL = 'https://generativelanguage.googleapis.com'

/**
 * A generator on the Gemini API, through Google's own SDK, which is loaded with the first call. Throws a `config` error at once for a
 * missing key or model, an invalid address, and invalid settings.
 */
export function createGeminiGenerator(given: GeminiGeneratorOptions): TextGenerator & AsyncDisposable {
  const options = freezeOptions(given)
  const apiKey = requireKey(ID, options.apiKey)
  const url = parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl ?? BASE_URL))
  const endpoint = splitVersion(normaliseEndpoint(url))
  const model = modelName(options.model)
  const headers = checkHeaders(ID, options.headers)
  const fixed = fixedConfig(options)
  const client = lazyClient({ ...endpoint, apiKey, headers, fetch: options.fetch })
  return defineTextGenerator({
    provider: ID,
    endpoint: endpoint.baseUrl,
    model,
    traits: { isLocal: isPrivateHost(url.hostname), ...options.traits },
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    secrets: secretsOf(apiKey, headers),
    timeoutMs: options.timeoutMs,
    ...(options.countTokens === undefined ? {} : { countTokens: options.countTokens }),
    generate: async ({ system, prompt, schema, maxOutputTokens, signal }) => {
      const { models } = await client()
      const config: GenerateContentConfig = {
        ...fixed,
        abortSignal: signal,
        ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
        ...(schema === undefined ? {} : { responseMimeType: 'application/json', responseJsonSchema: schema }),
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      }
      return readReply(await models.generateContent({ model, contents: [{ role: 'user', parts: [{ text: prompt }] }], config }))
    },
  })
}

/** The name as the path has it, without `models/`. Throws `config` for a name that no model can have. */
function modelName(model: string): string {
  const name = requireText(ID, 'model', model).replace(/^models\//, '')
  if (!/^[\w.-]+(?:\/[\w.-]+)?$/.test(name) || name.includes('..'))
    throw configError(ID, 'the model has a name that no model has', 'Use the name of a chat model, such as gemini-2.5-flash.')
  return name
}

function fixedConfig({ temperature, thinking }: GeminiGeneratorOptions): GenerateContentConfig {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2))
    throw configError(ID, 'temperature must be a number from 0 to 2', 'Correct temperature.')
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(thinking === undefined ? {} : { thinkingConfig: thinkingConfig(thinking) }),
  }
}

const LEVELS = ['minimal', 'low', 'medium', 'high']

/** Checked at run time, because configurations have no types. */
function thinkingConfig(thinking: unknown): ThinkingConfig {
  const { budget, level } = fieldsOf(thinking)
  if (level === undefined && typeof budget === 'number' && Number.isSafeInteger(budget) && budget >= -1)
    return { thinkingBudget: budget }
  const known = LEVELS.find((name) => name === level)
  if (budget === undefined && known !== undefined)
    // The words of the SDK's enum are these in capitals.
    return { thinkingLevel: known.toUpperCase() as NonNullable<ThinkingConfig['thinkingLevel']> }
  throw configError(ID, 'thinking has no known form', `Use { budget: tokens } or { level: one of ${LEVELS.join(', ')} }.`)
}
