import type { TextGenerator } from '@mnemark/spec'
import {
  aiSDKFailure,
  configError,
  defineTextGenerator,
  freezeOptions,
  isPrivateHost,
  normaliseEndpoint,
  parseBaseUrl,
  type RawGenerateRequest,
  requireText,
} from '@mnemark/provider-kit'
import { AI_SDK_VERSIONS, type AISDKLanguageCall, type AISDKLanguageModel } from './ai-sdk-model.ts'
import type { FromAISDKOptions, SchemaMode } from './options.ts'
import { readReply } from './read-reply.ts'

const MODES: readonly SchemaMode[] = ['json_schema', 'json_object', 'none']

/** A generator on a language model of the AI SDK. Throws a `config` error for anything else, and for invalid options. */
export function fromAISDK(model: AISDKLanguageModel, given: FromAISDKOptions = {}): TextGenerator & AsyncDisposable {
  const id = providerId(model)
  const options = freezeOptions(given)
  const { secrets } = options
  const url = options.endpoint === undefined ? undefined : parseBaseUrl(id, requireText(id, 'endpoint', options.endpoint))
  const schemaMode = checkedMode(id, options.schemaMode)
  const callOf = callsOf(id, options, schemaMode)
  return defineTextGenerator({
    provider: id,
    endpoint: url === undefined ? null : normaliseEndpoint(url),
    model: requireText(id, 'modelId', model.modelId),
    traits: {
      isLocal: url !== undefined && isPrivateHost(url.hostname),
      ...options.traits,
      ...(schemaMode === 'none' ? { hasSchema: false } : {}),
    },
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    ...(secrets === undefined ? {} : { secrets }),
    timeoutMs: options.timeoutMs,
    ...(options.countTokens === undefined ? {} : { countTokens: options.countTokens }),
    generate: async (request) => {
      const call = callOf(request)
      try {
        return readReply(await model.doGenerate(call), call)
      } catch (error) {
        throw aiSDKFailure(error, { canShowWords: secrets !== undefined })
      }
    },
  })
}

/** Throws if the value is not a model: callers without types may pass anything, such as the name of a model. */
function providerId(model: AISDKLanguageModel): string {
  const { specificationVersion: version, provider, doGenerate } = Object(model)
  if (typeof doGenerate !== 'function')
    throw configError('ai-sdk', 'this is no language model', "Pass what the provider's package makes, not a name.")
  if (!AI_SDK_VERSIONS.includes(version))
    throw configError(
      'ai-sdk',
      `language models of specification ${JSON.stringify(version)} are not known`,
      `Use one of ${AI_SDK_VERSIONS.join(', ')}, or a newer version of this package.`,
    )
  return `ai-sdk:${requireText('ai-sdk', 'provider', provider)}`
}

/** Checked at run time, because configurations have no types. */
function checkedMode(id: string, mode: SchemaMode = 'json_schema'): SchemaMode {
  if (MODES.includes(mode)) return mode
  throw configError(id, 'schemaMode has no known form', `Set it to one of ${MODES.join(', ')}.`)
}

function callsOf(
  id: string,
  { temperature, providerOptions }: FromAISDKOptions,
  schemaMode: SchemaMode,
): (request: RawGenerateRequest) => AISDKLanguageCall {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2))
    throw configError(id, 'temperature must be a number from 0 to 2', 'Correct temperature.')
  return ({ system, prompt, schema, maxOutputTokens, signal }) => {
    const told = schema !== undefined && schemaMode === 'json_object' ? withSchema(system, schema) : system
    return {
      prompt: [
        ...(told === '' ? [] : [{ role: 'system' as const, content: told }]),
        { role: 'user', content: [{ type: 'text', text: prompt }] },
      ],
      abortSignal: signal,
      ...(schema === undefined ? {} : { responseFormat: formatOf(schema, schemaMode) }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    }
  }
}

type Schema = NonNullable<RawGenerateRequest['schema']>

const formatOf = (schema: Schema, mode: SchemaMode): NonNullable<AISDKLanguageCall['responseFormat']> =>
  mode === 'json_schema' ? { type: 'json', schema } : { type: 'json' }

/** Writes the schema into the system prompt, because JSON mode takes no schema. */
const withSchema = (system: string, schema: Schema): string =>
  [system, `Answer with JSON that fits this JSON Schema, and with nothing else: ${JSON.stringify(schema)}`]
    .filter((part) => part !== '')
    .join('\n\n')
