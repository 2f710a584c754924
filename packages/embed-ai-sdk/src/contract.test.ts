/** The provider contract on real provider packages of the AI SDK, of two specifications. */
import { createOpenAI } from '@ai-sdk/openai'
import { createVoyage } from '@ai-sdk/voyage'
import { type EmbeddingWire, openAIWire, type ProviderSetup, SECRET, voyageWire } from '@mnemark/testkit'
import { type Deviation, describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import type { AISDKEmbeddingModel } from './ai-sdk-model.ts'
import { type FromAISDKOptions, providerFrom } from './from-ai-sdk.ts'

/** Models of the AI SDK make single requests: they do not support these services' batch APIs. */
function singly(wire: EmbeddingWire): EmbeddingWire {
  const copy = { ...wire }
  Reflect.deleteProperty(copy, 'batch')
  return copy
}

type Options = Partial<FromAISDKOptions> & { readonly model?: string }
type Service = Pick<ProviderSetup, 'apiKey' | 'baseUrl' | 'fetch'>

/** The suite needs a provider synchronously: the values that `fromAISDK` awaits are plain for these models. */
const creating =
  (modelOf: (service: Service, name?: string) => AISDKEmbeddingModel, usual: FromAISDKOptions) =>
  ({ set, ...service }: ProviderSetup) => {
    // The sets below are options of this adapter, and the name of a model.
    const { model: name, ...options } = set as Options
    const model = modelOf(service, name)
    const maxInputs = Number(model.maxEmbeddingsPerCall)
    return providerFrom(model, { ...usual, endpoint: service.baseUrl, ...options }, { maxInputs })
  }

const openai = ({ apiKey, baseUrl, fetch }: Service, name = 'text-embedding-3-small') =>
  createOpenAI({ apiKey, baseURL: baseUrl, fetch }).embeddingModel(name)
const voyage = ({ apiKey, baseUrl, fetch }: Service, name = 'voyage-4') =>
  createVoyage({ apiKey, baseURL: baseUrl, fetch }).embeddingModel(name)

const misconfigured = [
  { inputType: undefined },
  { inputType: 'query' },
  { dimensions: 0 },
  { timeoutMs: 0.5 },
  { limits: { maxInputs: 0 } },
  { limits: { maxInputs: Number.POSITIVE_INFINITY } },
]
const followsRedirects: Deviation = {
  id: 'E11.redirect',
  reason: "the request is the model's own and follows redirects, without its key; a guardedFetch given to the model refuses them",
  since: '2026-11',
}

describeEmbeddingProvider('ai-sdk, @ai-sdk/openai (v4)', {
  transport: 'http',
  create: creating(openai, { inputType: 'symmetric' }),
  wire: singly(openAIWire),
  misconfigured,
  variations: { model: { model: 'text-embedding-3-large' }, dimensions: { dimensions: 256 }, variant: { variant: { a: 'b' } } },
  options: [
    { set: { dimensions: 256 }, expect: (body) => body['dimensions'] === 256 },
    { set: { providerOptions: { openai: { user: 'someone' } } }, expect: (body) => body['user'] === 'someone' },
  ],
  deviations: [followsRedirects],
})

describeEmbeddingProvider('ai-sdk, @ai-sdk/voyage (v3)', {
  transport: 'http',
  create: creating(voyage, { inputType: (inputType) => ({ voyage: { inputType } }), secrets: [SECRET] }),
  wire: singly(voyageWire),
  misconfigured,
  variations: {
    model: { model: 'voyage-4-lite' },
    dimensions: { dimensions: 256, providerOptions: { voyage: { outputDimension: 256 } } },
    variant: { providerOptions: { voyage: { truncation: false } } },
  },
  options: [
    { set: { providerOptions: { voyage: { outputDimension: 256 } } }, expect: (body) => body['output_dimension'] === 256 },
    { set: { providerOptions: { voyage: { truncation: false } } }, expect: (body) => body['truncation'] === false },
  ],
  deviations: [
    followsRedirects,
    { id: 'E3.unindexed', reason: 'this model refuses an answer without positions', since: '2026-11' },
    { id: 'E10', reason: 'this model refuses an answer without usage', since: '2026-11' },
    { id: 'E11.not-found', reason: 'Voyage names an unknown model in words only', since: '2026-11' },
    { id: 'E11.input-too-long', reason: 'Voyage says that texts are too long in words only', since: '2026-11' },
  ],
})
