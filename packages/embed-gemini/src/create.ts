import type { EmbeddingProvider, InputType } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineEmbeddingProvider,
  failureError,
  freezeOptions,
  isFields,
  isPrivateHost,
  normaliseEndpoint,
  parseBaseUrl,
  type RawEmbeddingReply,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import { geminiBatch } from './batch.ts'
import { createClient, splitVersion } from './client.ts'
import { GEMINI_LIMITS, type GeminiModel, inputTypeOf, knownModel } from './models.ts'
import type { GeminiEmbeddingOptions } from './options.ts'
import type { GeminiInputType } from './models.ts'

const ID = 'gemini'
const BASE_URL = 'https://generativelanguage.googleapis.com'

/**
 * A provider on the Gemini API, through Google's own SDK, which is loaded with the first call. Throws a `config` error at once for a
 * missing key, an invalid address, an unknown form of input type, and dimensions that a known model does not give.
 */
export function createGemini(given: GeminiEmbeddingOptions): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const apiKey = requireKey(ID, options.apiKey)
  const url = parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl ?? BASE_URL))
  const endpoint = splitVersion(normaliseEndpoint(url))
  const model = modelName(options.model ?? 'gemini-embedding-001')
  const known = knownModel(model)
  const dimensions = checkedDimensions(model, known, options.dimensions)
  const mapping = checkedMapping(options.inputType === undefined ? inputTypeOf(model) : options.inputType)
  const headers = checkHeaders(ID, options.headers)
  const client = createClient({ ...endpoint, apiKey, headers, fetch: options.fetch })
  const contentOf = (text: string, inputType: InputType) => ({ parts: [{ text: prefixOf(mapping, inputType) + text }] })
  const configOf = (inputType: InputType) => ({
    ...('taskType' in mapping ? { taskType: mapping.taskType[inputType] } : {}),
    ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
  })
  return defineEmbeddingProvider({
    space: {
      provider: ID,
      endpoint: endpoint.baseUrl,
      model,
      requestedDimensions: dimensions ?? null,
      variant: variantOf(mapping),
    },
    limits: { ...GEMINI_LIMITS, ...tokenLimit(known), ...options.limits },
    traits: { isLocal: isPrivateHost(url.hostname), ...options.traits },
    dimensions: known?.dimensions,
    secrets: secretsOf(apiKey, headers),
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, inputType, signal }) => {
      const { models } = await client.sdk()
      const reply: unknown = await models.embedContent({
        model,
        // One content for each text: newer models read a plain list of texts as one content with one vector.
        contents: texts.map((text) => contentOf(text, inputType)),
        config: { abortSignal: signal, ...configOf(inputType) },
      })
      return readReply(reply)
    },
    batch: geminiBatch(client, model, (text, inputType) => ({ content: contentOf(text, inputType), ...configOf(inputType) })),
  })
}

/** The model's name as it is in the path; one spelling, because it names the space. */
function modelName(model: string): string {
  const name = requireText(ID, 'model', model).replace(/^models\//, '')
  if (!/^[\w.-]+(?:\/[\w.-]+)?$/.test(name) || name.includes('..'))
    throw configError(
      ID,
      'the model has a name that no model has',
      'Use the name of an embedding model, such as gemini-embedding-001.',
    )
  return name
}

function checkedDimensions(model: string, known: GeminiModel | undefined, dimensions: number | undefined): number | undefined {
  if (known === undefined || dimensions === undefined) return dimensions
  const { minDimensions: least, dimensions: most } = known
  if (dimensions >= least && dimensions <= most) return dimensions
  throw configError(ID, `${model} gives ${least} to ${most} dimensions, not ${dimensions}`, 'Correct dimensions.')
}

function checkedMapping(mapping: GeminiInputType): GeminiInputType {
  const given: unknown = mapping
  const words = isFields(given) ? (given['taskType'] ?? given['prefix']) : undefined
  if (isFields(words) && typeof words['query'] === 'string' && typeof words['document'] === 'string') return mapping
  const forms = '{ taskType: { query, document } } or { prefix: { query, document } }'
  throw configError(ID, 'inputType has no known form', `Use ${forms}.`)
}

const prefixOf = (mapping: GeminiInputType, inputType: InputType): string =>
  'prefix' in mapping ? mapping.prefix[inputType] : ''

function variantOf(mapping: GeminiInputType): Readonly<Record<string, string>> {
  return 'taskType' in mapping ? { taskType: mapping.taskType.document } : { prefix: mapping.prefix.document }
}

const tokenLimit = (known: GeminiModel | undefined): { readonly maxInputTokens?: number } =>
  known === undefined ? {} : { maxInputTokens: known.maxInputTokens }

/** Entries have no index: they are in the order of the request. */
function readReply(reply: unknown): RawEmbeddingReply {
  const { embeddings, usageMetadata } = isFields(reply) ? reply : {}
  if (!Array.isArray(embeddings)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named embeddings' })
  return {
    embeddings: embeddings.map((entry: unknown) => ({ values: isFields(entry) ? entry['values'] : undefined })),
    inputTokens: isFields(usageMetadata) ? usageMetadata['promptTokenCount'] : undefined,
  }
}
