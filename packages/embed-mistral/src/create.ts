import type { EmbeddingProvider } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineEmbeddingProvider,
  fieldsOf,
  freezeOptions,
  isPrivateHost,
  openAIStyleBase,
  parseBaseUrl,
  type RawEmbeddingReply,
  readOpenAIStyleReply,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import { mistralBatch } from './batch.ts'
import { lazyClient } from './client.ts'
import { createEmbeddings } from './embeddings.ts'
import { knownModel, MISTRAL_LIMITS, type MistralModel } from './models.ts'
import type { MistralEmbeddingOptions } from './options.ts'

const ID = 'mistral'
const BASE_URL = 'https://api.mistral.ai/v1'
/** Mistral's own hosts, where the table's prices apply. */
const HOSTS = ['api.mistral.ai', 'api.eu.mistral.ai', 'api.us.mistral.ai']

/**
 * A provider on Mistral's embeddings, through the official SDK, which is loaded with the first call. Throws a `config` error at once for
 * a missing key, an invalid address, and dimensions that a known model does not give.
 */
export function createMistral(given: MistralEmbeddingOptions): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const apiKey = requireKey(ID, options.apiKey)
  const url = parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl ?? BASE_URL))
  const endpoint = openAIStyleBase(url)
  const model = requireText(ID, 'model', options.model ?? 'mistral-embed')
  const known = knownModel(model)
  const dimensions = checkedDimensions(model, known, options.dimensions)
  const headers = checkHeaders(ID, options.headers)
  const client = lazyClient({ apiKey, serverUrl: serverUrlOf(endpoint), headers, fetch: options.fetch })
  return defineEmbeddingProvider({
    space: { provider: ID, endpoint, model, requestedDimensions: dimensions ?? null, variant: {} },
    limits: { ...MISTRAL_LIMITS, ...options.limits },
    traits: { isLocal: isPrivateHost(url.hostname), ...priceOf(known, url), ...options.traits },
    dimensions: known?.dimensions,
    secrets: secretsOf(apiKey, headers),
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, signal }) => {
      const request = { model, inputs: [...texts], ...(dimensions === undefined ? {} : { outputDimension: dimensions }) }
      return readReply(await createEmbeddings(await client(), request, signal))
    },
    batch: mistralBatch({ client, model, dimensions }),
  })
}

/** The SDK supports only the first version of the service. */
function serverUrlOf(endpoint: string): string {
  if (endpoint.endsWith('/v1')) return endpoint.slice(0, -'/v1'.length)
  throw configError(ID, 'the base URL ends in another version than /v1', 'Leave the version out.')
}

function checkedDimensions(model: string, known: MistralModel | undefined, dimensions: number | undefined): number | undefined {
  if (known === undefined || dimensions === undefined) return dimensions
  if (known.maxDimensions === null)
    throw configError(ID, `${model} takes no dimensions`, `Leave them out: its vectors have ${known.dimensions}.`)
  if (dimensions > known.maxDimensions)
    throw configError(ID, `${model} gives at most ${known.maxDimensions} dimensions`, 'Ask for fewer.')
  return dimensions
}

const priceOf = (known: MistralModel | undefined, { hostname }: URL): Partial<EmbeddingProvider['traits']> =>
  known === undefined || !HOSTS.includes(hostname) ? {} : { usdPerMillionTokens: known.usdPerMillionTokens }

/** Usage has the SDK's names if it accepted the answer, and the service's names if it did not. */
function readReply(reply: unknown): RawEmbeddingReply {
  const { inputTokens, ...read } = readOpenAIStyleReply(reply)
  return { ...read, inputTokens: fieldsOf(fieldsOf(reply)['usage'])['promptTokens'] ?? inputTokens }
}
