import type { EmbeddingProvider, InputType } from '@mnemark/spec'
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
import { voyageBatch } from './batch.ts'
import { lazyEmbed } from './client.ts'
import { knownModel, limitsOf, type VoyageModel } from './models.ts'
import type { VoyageEmbeddingOptions, VoyageInputType } from './options.ts'
import { voyageService } from './service.ts'

const ID = 'voyage'
const BASE_URL = 'https://api.voyageai.com/v1'
const BOTH_TYPES: VoyageInputType = { query: 'query', document: 'document' }

/**
 * A provider on Voyage AI's text embeddings, through the official SDK, which is loaded with the first call. Throws a `config` error at
 * once for a missing key, an invalid address, an unknown form of input type, and dimensions that a known model does not give.
 */
export function createVoyage(given: VoyageEmbeddingOptions): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const apiKey = requireKey(ID, options.apiKey)
  const url = parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl ?? BASE_URL))
  const endpoint = openAIStyleBase(url)
  const model = requireText(ID, 'model', options.model ?? 'voyage-4')
  const known = knownModel(model)
  const dimensions = checkedDimensions(model, known, options.dimensions)
  const inputTypes = checkedInputType(options.inputType === undefined ? BOTH_TYPES : options.inputType)
  const headers = checkHeaders(ID, options.headers)
  const settings = { apiKey, baseUrl: endpoint, headers, fetch: options.fetch }
  const embed = lazyEmbed(settings)
  // The service's own default cuts without a word.
  const truncation = options.truncation ?? false
  const paramsOf = (inputType: InputType): Readonly<Record<string, unknown>> => ({
    model,
    truncation,
    ...(inputTypes[inputType] === null ? {} : { input_type: inputTypes[inputType] }),
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
  })
  return defineEmbeddingProvider({
    space: { provider: ID, endpoint, model, requestedDimensions: dimensions ?? null, variant: variantOf(inputTypes) },
    limits: { ...limitsOf(known), ...options.limits },
    traits: { isLocal: isPrivateHost(url.hostname), ...priceOf(known, endpoint), ...options.traits },
    dimensions: known?.dimensions,
    secrets: secretsOf(apiKey, headers),
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, inputType, signal }) => {
      const type = inputTypes[inputType]
      const request = {
        model,
        input: [...texts],
        truncation,
        // Exact float32, in a third of the bytes of numbers.
        encodingFormat: 'base64' as const,
        ...(type === null ? {} : { inputType: type }),
        ...(dimensions === undefined ? {} : { outputDimension: dimensions }),
      }
      return readOpenAIStyleReply(await embed(request, signal))
    },
    batch: known?.runsJobs === false ? undefined : voyageBatch(voyageService(settings), paramsOf),
  })
}

function checkedDimensions(model: string, known: VoyageModel | undefined, dimensions: number | undefined): number | undefined {
  if (known === undefined || dimensions === undefined) return dimensions
  const lengths = [known.dimensions, ...known.otherDimensions].toSorted((left, right) => left - right)
  if (lengths.includes(dimensions)) return dimensions
  throw configError(ID, `${model} gives ${lengths.join(', ')} dimensions, not ${dimensions}`, 'Correct dimensions.')
}

function checkedInputType(inputType: VoyageInputType): VoyageInputType {
  const given: unknown = inputType
  const isType = (value: unknown): boolean => value === 'query' || value === 'document' || value === null
  const hasBoth = typeof given === 'object' && given !== null && 'query' in given && 'document' in given
  if (hasBoth && isType(given.query) && isType(given.document)) return inputType
  throw configError(ID, 'inputType has no known form', "Use { query, document }, each 'query', 'document' or null.")
}

const variantOf = ({ document }: VoyageInputType): Readonly<Record<string, string>> =>
  document === null ? {} : { inputType: document }

/** The table's price is Voyage's own; a proxy may charge anything. */
const priceOf = (known: VoyageModel | undefined, endpoint: string): Partial<EmbeddingProvider['traits']> =>
  known === undefined || endpoint !== BASE_URL ? {} : { usdPerMillionTokens: known.usdPerMillionTokens }
