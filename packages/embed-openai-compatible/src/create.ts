import { canonicalJson, type EmbeddingProvider, type InputType } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineEmbeddingProvider,
  freezeOptions,
  guardedFetch,
  isFields,
  isPrivateHost,
  openAIStyleBase,
  parseBaseUrl,
  postJson,
  readOpenAIStyleReply,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import type { BodyFields, InputTypeMapping, OpenAICompatibleOptions } from './options.ts'

/** For servers that state no limits; 32 is the lowest limit of a common one (TEI). */
const DEFAULT_LIMITS = { maxInputs: 32, concurrency: 2 }

/** Fields that the adapter sets itself. */
const OWN_FIELDS = ['model', 'input', 'encoding_format']

/**
 * A provider for any server with an OpenAI-style `/v1/embeddings`. Throws a `config` error at once for invalid settings: a
 * missing base URL, model or input type, a key or header that cannot be sent, plain http to a public host.
 */
export function createOpenAICompatible(given: OpenAICompatibleOptions): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const id = options.id ?? 'openai-compatible'
  const url = parseBaseUrl(id, requireText(id, 'baseUrl', options.baseUrl))
  const endpoint = openAIStyleBase(url)
  const model = requireText(id, 'model', options.model)
  const headers = headersOf(id, options)
  const mapping = checkedMapping(id, options.inputType)
  const fields = fixedFields(id, model, options)
  const fetch = guardedFetch(url.origin, options.fetch)
  return defineEmbeddingProvider({
    space: {
      provider: id,
      endpoint,
      model,
      requestedDimensions: options.dimensions ?? null,
      variant: variantOf(mapping, options.body),
    },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    traits: { isLocal: isPrivateHost(url.hostname), ...options.traits },
    secrets: secretsOf(undefined, headers),
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, inputType, signal }) => {
      const body = { ...fields, ...extraFields(mapping, inputType), input: prefixed(texts, mapping, inputType) }
      return readOpenAIStyleReply(await postJson({ url: `${endpoint}/embeddings`, body, headers, fetch, signal }))
    },
  })
}

function headersOf(id: string, { apiKey, headers }: OpenAICompatibleOptions): Readonly<Record<string, string>> {
  const checked = checkHeaders(id, headers)
  return apiKey === undefined ? checked : { authorization: `Bearer ${requireKey(id, apiKey)}`, ...checked }
}

function fixedFields(id: string, model: string, options: OpenAICompatibleOptions): BodyFields {
  const { dimensions, dimensionsField = 'dimensions', encodingFormat = 'float' } = options
  const body = { ...options.callBody, ...options.body }
  const taken = OWN_FIELDS.find((name) => Object.hasOwn(body, name))
  if (taken !== undefined) throw configError(id, `body.${taken} is filled by the adapter`, 'Use the option of its own.')
  return {
    ...body,
    model,
    ...(encodingFormat === null ? {} : { encoding_format: encodingFormat }),
    ...(dimensions === undefined || dimensionsField === null ? {} : { [dimensionsField]: dimensions }),
  }
}

/** The types require this; configurations are not typed. */
function checkedMapping(id: string, mapping: InputTypeMapping): InputTypeMapping {
  const given: Partial<Record<'prefix' | 'query' | 'document', unknown>> =
    typeof mapping === 'object' && mapping !== null ? mapping : {}
  const { prefix, query, document } = given
  const isPrefix =
    isFields(prefix) &&
    [Reflect.get(Object(prefix), 'query'), Reflect.get(Object(prefix), 'document')].every((each) => typeof each === 'string')
  if (mapping === 'symmetric' || isPrefix || (isFields(query) && isFields(document))) return mapping
  const forms = "'symmetric', { query: { … }, document: { … } } or { prefix: { query, document } }"
  throw configError(id, 'inputType is missing or has no known form', `Set it to ${forms}, as the model wants it.`)
}

const extraFields = (mapping: InputTypeMapping, inputType: InputType): BodyFields =>
  mapping !== 'symmetric' && 'query' in mapping ? mapping[inputType] : {}

const prefixOf = (mapping: InputTypeMapping, inputType: InputType): string =>
  mapping !== 'symmetric' && 'prefix' in mapping ? mapping.prefix[inputType] : ''

function prefixed(texts: readonly string[], mapping: InputTypeMapping, inputType: InputType): readonly string[] {
  const prefix = prefixOf(mapping, inputType)
  return prefix === '' ? texts : texts.map((text) => prefix + text)
}

/**
 * The settings that change the vectors of documents; only those that are set, so that a server without any has an empty variant.
 */
function variantOf(mapping: InputTypeMapping, body: BodyFields = {}): Readonly<Record<string, string>> {
  const entries = { ...body, ...extraFields(mapping, 'document') }
  const prefix = prefixOf(mapping, 'document')
  return {
    ...(Object.keys(entries).length === 0 ? {} : { fields: canonicalJson(entries) }),
    ...(prefix === '' ? {} : { prefix }),
  }
}
