import type { TextGenerator } from '@mnemark/spec'
import { bedrockService, type ConverseRequest, regionOfModel } from '@mnemark/bedrock-access'
import { configError, defineTextGenerator, freezeOptions, type RawGenerateRequest, requireText } from '@mnemark/provider-kit'
import type { BedrockGeneratorOptions, BedrockSchemaMode } from './options.ts'
import { readReply } from './read-reply.ts'

const ID = 'bedrock'
const MODES: readonly BedrockSchemaMode[] = ['tool', 'json_schema', 'none']

type Input = ConverseRequest['input']
type Schema = NonNullable<RawGenerateRequest['schema']>

/**
 * A generator on the chat models of Amazon Bedrock, by Converse, through the AWS SDK. The first call loads the SDK and looks for
 * credentials and region. Throws a `config` error at once for invalid settings.
 */
export function createBedrockGenerator(given: BedrockGeneratorOptions): TextGenerator & AsyncDisposable {
  const options = freezeOptions(given)
  const model = requireText(ID, 'model', options.model)
  const service = bedrockService(ID, options, { name: model, region: regionOfModel(ID, model) })
  const schemaMode = checkedMode(options.schemaMode)
  const fixed = fixedInput(options)
  const inputOf = ({ system, prompt, schema, maxOutputTokens }: RawGenerateRequest): Input => ({
    ...fixed,
    modelId: model,
    messages: [{ role: 'user', content: [{ text: prompt }] }],
    ...(system === '' ? {} : { system: [{ text: system }] }),
    ...(schema === undefined ? {} : heldTo(schemaMode, schema)),
    inferenceConfig: {
      ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens }),
    },
  })
  return defineTextGenerator({
    provider: ID,
    endpoint: service.endpoint,
    model,
    traits: { isLocal: service.isLocal, ...options.traits, ...(schemaMode === 'none' ? { hasSchema: false } : {}) },
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    secrets: service.secrets,
    timeoutMs: options.timeoutMs,
    ...(options.countTokens === undefined ? {} : { countTokens: options.countTokens }),
    generate: async (request) => {
      const { text } = await service.converse({ input: inputOf(request), signal: request.signal })
      return readReply(text)
    },
  })
}

/** Checked at run time, because configurations have no types. */
function checkedMode(mode: BedrockSchemaMode = 'tool'): BedrockSchemaMode {
  if (MODES.includes(mode)) return mode
  throw configError(ID, 'schemaMode has no known form', `Set it to one of ${MODES.join(', ')}.`)
}

/** The SDK's own type for JSON. */
type ModelFields = NonNullable<Input['additionalModelRequestFields']>

function fixedInput({ temperature, guardrail, modelFields }: BedrockGeneratorOptions): Partial<Input> {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 1))
    throw configError(ID, 'temperature must be a number from 0 to 1', 'Correct temperature.')
  return {
    ...(modelFields === undefined ? {} : { additionalModelRequestFields: modelFields as ModelFields }),
    ...(guardrail === undefined
      ? {}
      : {
          guardrailConfig: {
            guardrailIdentifier: requireText(ID, 'guardrail.id', guardrail.id),
            guardrailVersion: requireText(ID, 'guardrail.version', guardrail.version),
          },
        }),
  }
}

type ToolSchema = Extract<NonNullable<NonNullable<Input['toolConfig']>['tools']>[number], { toolSpec: object }>['toolSpec']

function heldTo(mode: BedrockSchemaMode, schema: Schema): Partial<Input> {
  if (mode === 'json_schema')
    return {
      outputConfig: {
        textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'answer', schema: JSON.stringify(schema) } } },
      },
    }
  // A schema is JSON, for which the SDK has a type of its own.
  const inputSchema = { json: schema } as ToolSchema['inputSchema']
  const toolSpec = { name: 'answer', description: 'Takes the answer.', inputSchema }
  // With one tool `any` means this one, and more models take it than a tool by name.
  return { toolConfig: { tools: [{ toolSpec }], toolChoice: { any: {} } } }
}
