import type { EmbeddingProvider } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineEmbeddingProvider,
  freezeOptions,
  isPrivateHost,
  openAIStyleBase,
  parseBaseUrl,
  readOpenAIStyleReply,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import { openAIBatch } from './batch.ts'
import { lazyClient } from './client.ts'
import { knownModel, OPENAI_LIMITS, type OpenAIEmbeddingModel } from './models.ts'
import type { OpenAIEmbeddingOptions } from './options.ts'

const ID = 'openai'
const BASE_URL = 'https://api.openai.com/v1'

/**
 * A provider on OpenAI's embeddings, through the official SDK, which is loaded with the first call. Throws a `config` error at once for
 * a missing key, an invalid address, and dimensions that a known model does not give.
 */
export function createOpenAI(given: OpenAIEmbeddingOptions): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const apiKey = requireKey(ID, options.apiKey)
  const url = parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl ?? BASE_URL))
  const endpoint = openAIStyleBase(url)
  const model = requireText(ID, 'model', options.model ?? 'text-embedding-3-small')
  const known = knownModel(model)
  const dimensions = checkedDimensions(model, known, options.dimensions)
  const headers = requestHeaders(apiKey, options)
  const client = lazyClient({ apiKey, baseUrl: endpoint, headers, fetch: options.fetch })
  const { user } = options
  const bodyOf = (input: string | string[]) => ({
    model,
    input,
    // Requested by name, base64 passes through the SDK unchanged: a third of the bytes of numbers, and the exact float32.
    encoding_format: 'base64' as const,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(user === undefined ? {} : { user }),
  })
  return defineEmbeddingProvider({
    space: { provider: ID, endpoint, model, requestedDimensions: dimensions ?? null, variant: {} },
    limits: { ...OPENAI_LIMITS, ...options.limits },
    traits: { isLocal: isPrivateHost(url.hostname), ...priceOf(known, endpoint), ...options.traits },
    dimensions: known?.dimensions,
    secrets: secretsOf(apiKey, headers),
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, signal }) => {
      const { embeddings } = await client()
      return readOpenAIStyleReply(await embeddings.create(bodyOf([...texts]), { signal }))
    },
    batch: openAIBatch(client, bodyOf),
  })
}

function checkedDimensions(
  model: string,
  known: OpenAIEmbeddingModel | undefined,
  dimensions: number | undefined,
): number | undefined {
  if (known === undefined || dimensions === undefined) return dimensions
  if (!known.canShorten)
    throw configError(ID, `${model} takes no dimensions`, `Leave them out: its vectors have ${known.dimensions}.`)
  if (dimensions > known.dimensions)
    throw configError(ID, `${model} gives at most ${known.dimensions} dimensions`, 'Ask for fewer.')
  return dimensions
}

function requestHeaders(
  apiKey: string,
  { organization, project, headers }: OpenAIEmbeddingOptions,
): Readonly<Record<string, string>> {
  return checkHeaders(ID, {
    ...(organization === undefined ? {} : { 'openai-organization': organization }),
    ...(project === undefined ? {} : { 'openai-project': project }),
    authorization: `Bearer ${apiKey}`,
    ...headers,
  })
}

/** The table's price is OpenAI's own; a proxy may charge anything. */
const priceOf = (known: OpenAIEmbeddingModel | undefined, endpoint: string): Partial<EmbeddingProvider['traits']> =>
  known === undefined || endpoint !== BASE_URL ? {} : { usdPerMillionTokens: known.usdPerMillionTokens }
