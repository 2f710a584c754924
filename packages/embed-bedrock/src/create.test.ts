import {
  BEDROCK_ACCESS_KEY_ID,
  bedrockWire,
  type BedrockWireModel,
  type ProviderOption,
  type ProviderSetup,
} from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { createBedrock } from './create.ts'
import type { BedrockEmbeddingOptions } from './options.ts'

const creating =
  (own: BedrockEmbeddingOptions) =>
  ({ apiKey, set, ...setup }: ProviderSetup) => {
    const credentials = { accessKeyId: BEDROCK_ACCESS_KEY_ID, secretAccessKey: apiKey }
    return createBedrock({ ...setup, credentials, region: 'eu-central-1', ...own, ...set })
  }

const MISCONFIGURED = [
  { model: '' },
  { model: 'amazon.titan-embed-text-v9:0' },
  { model: 'arn:aws:iam::123456789012:role/reader' },
  { region: 'europe' },
  { region: 'evil.example/' },
  { credentials: undefined, apiKey: ' ' },
  { apiKey: 'bedrock-api-key-1' },
  { credentials: { accessKeyId: 'AKIA', secretAccessKey: '' } },
  { credentials: { accessKeyId: 'AKIA', secretAccessKey: '${AWS_SECRET_ACCESS_KEY}' } },
  { baseUrl: 'http://bedrock.example' },
  { dimensions: 1023 },
  { truncate: 'middle' },
  { queryPurpose: 'CLUSTERING' },
  { headers: { 'x-key': '${MISSING}' } },
  { timeoutMs: 0 },
]

const HEADERS: ProviderOption = {
  set: { headers: { 'X-Team': 'notes' } },
  expect: (_, { headers }) => headers['x-team'] === 'notes',
}
const REGION: ProviderOption = {
  set: { region: 'us-west-2' },
  expect: (_, { headers }) => headers['authorization']?.includes('/us-west-2/bedrock/aws4_request') ?? false,
}
const common = [HEADERS, REGION]

interface Variant {
  readonly model: BedrockWireModel
  readonly own?: BedrockEmbeddingOptions
  readonly other: string
  readonly dimensions?: number
  readonly truncate?: 'start' | 'end'
  readonly options?: readonly ProviderOption[]
}

const nested = (body: Readonly<Record<string, unknown>>, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), body)

const VARIANTS: readonly Variant[] = [
  {
    model: 'amazon.titan-embed-text-v2:0',
    other: 'amazon.titan-embed-text-v1',
    dimensions: 256,
    options: [{ set: { dimensions: 512 }, expect: (body) => body['dimensions'] === 512 }],
  },
  { model: 'amazon.titan-embed-text-v1', other: 'amazon.titan-embed-image-v1' },
  {
    model: 'amazon.titan-embed-image-v1',
    other: 'amazon.titan-embed-text-v1',
    dimensions: 384,
    options: [{ set: { dimensions: 256 }, expect: (body) => nested(body, 'embeddingConfig', 'outputEmbeddingLength') === 256 }],
  },
  {
    model: 'cohere.embed-multilingual-v3',
    other: 'cohere.embed-english-v3',
    truncate: 'start',
    options: [
      { set: { truncate: 'start' }, expect: (body) => body['truncate'] === 'START' },
      { set: { truncate: 'end' }, expect: (body) => body['truncate'] === 'END' },
    ],
  },
  {
    model: 'cohere.embed-v4:0',
    own: { model: 'eu.cohere.embed-v4:0' },
    other: 'cohere.embed-english-v3',
    dimensions: 512,
    truncate: 'end',
    options: [
      { set: { dimensions: 1024 }, expect: (body) => body['output_dimension'] === 1024 },
      { set: { truncate: 'start' }, expect: (body) => body['truncate'] === 'LEFT' },
      { set: { truncate: 'end' }, expect: (body) => body['truncate'] === 'RIGHT' },
    ],
  },
  {
    model: 'amazon.nova-2-multimodal-embeddings-v1:0',
    other: 'amazon.titan-embed-text-v1',
    dimensions: 384,
    truncate: 'end',
    options: [
      { set: { dimensions: 1024 }, expect: (body) => nested(body, 'singleEmbeddingParams', 'embeddingDimension') === 1024 },
      {
        set: { truncate: 'start' },
        expect: (body) => nested(body, 'singleEmbeddingParams', 'text', 'truncationMode') === 'START',
      },
    ],
  },
  {
    model: 'twelvelabs.marengo-embed-2-7-v1:0',
    own: { model: 'us.twelvelabs.marengo-embed-2-7-v1:0' },
    other: 'twelvelabs.marengo-embed-3-0-v1:0',
    truncate: 'end',
    options: [{ set: { truncate: 'end' }, expect: (body) => body['textTruncate'] === 'end' }],
  },
  { model: 'twelvelabs.marengo-embed-3-0-v1:0', other: 'us.twelvelabs.marengo-embed-2-7-v1:0' },
]

for (const { model, own = {}, other, dimensions, truncate, options = [] } of VARIANTS) {
  describeEmbeddingProvider(`bedrock, ${model}`, {
    transport: 'http',
    create: creating({ model, ...own }),
    wire: bedrockWire(model),
    misconfigured: MISCONFIGURED,
    variations: {
      model: { model: other },
      dimensions: dimensions === undefined ? null : { dimensions },
      variant: truncate === undefined ? null : { truncate },
    },
    options: [...common, ...options],
  })
}

describeEmbeddingProvider('bedrock, with an API key', {
  transport: 'http',
  create: ({ set, ...setup }: ProviderSetup) => createBedrock({ ...setup, region: 'us-east-1', ...set }),
  wire: bedrockWire(),
  misconfigured: MISCONFIGURED.filter(({ credentials, apiKey }) => credentials === undefined && apiKey === undefined),
  variations: { model: { model: 'amazon.titan-embed-text-v1' }, dimensions: { dimensions: 256 }, variant: null },
  options: [HEADERS],
})
