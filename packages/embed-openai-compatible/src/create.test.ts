import { openaiCompatibleWire, type ProviderSetup } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import type { InputTypeMapping } from './options.ts'
import { createOpenAICompatible } from './create.ts'

const model = 'sample-embed'
const SHORTER = { dimensions: 4 }
const common = {
  transport: 'http' as const,
  misconfigured: [
    { baseUrl: '' },
    { baseUrl: 'http://embeddings.example/v1' },
    { model: ' ' },
    { inputType: undefined },
    { apiKey: '' },
    { apiKey: 'two\nlines' },
    { headers: { 'x-key': '${MISSING}' } },
    { dimensions: 0 },
    { limits: { maxInputs: 0 } },
  ],
  variations: { model: { model: 'other' }, dimensions: SHORTER, variant: { body: { truncate: 'NONE' } } },
  options: [
    { set: SHORTER, expect: (body: Readonly<Record<string, unknown>>) => body['dimensions'] === 4 },
    {
      set: { encodingFormat: 'base64' },
      expect: (body: Readonly<Record<string, unknown>>) => body['encoding_format'] === 'base64',
    },
    {
      set: { callBody: { user: 'someone' } },
      expect: (body: Readonly<Record<string, unknown>>) => body['user'] === 'someone',
    },
    { set: { body: { truncate: 'NONE' } }, expect: (body: Readonly<Record<string, unknown>>) => body['truncate'] === 'NONE' },
  ],
}
const fields = ['truncate']
const creating =
  (inputType: InputTypeMapping) =>
  ({ set, ...setup }: ProviderSetup) =>
    createOpenAICompatible({ ...setup, model, inputType, ...set })

for (const flavour of ['plain', 'quirky'] as const) {
  describeEmbeddingProvider(`openai-compatible, symmetric, ${flavour}`, {
    ...common,
    create: creating('symmetric'),
    wire: openaiCompatibleWire({ flavour, fields }),
  })
}

describeEmbeddingProvider('openai-compatible, input type as a field', {
  ...common,
  create: creating({ query: { input_type: 'query' }, document: { input_type: 'passage' } }),
  wire: openaiCompatibleWire({ fields, inputType: { field: 'input_type', query: 'query', document: 'passage' } }),
})

const prefix = { query: 'query: ', document: 'passage: ' }
describeEmbeddingProvider('openai-compatible, input type as a prefix', {
  ...common,
  create: creating({ prefix }),
  wire: openaiCompatibleWire({ fields, inputType: { prefix }, basePath: '/proxy/v1' }),
})

describeEmbeddingProvider('openai-compatible, with a fetch of its own', {
  ...common,
  create: ({ baseUrl, apiKey, set }: ProviderSetup) =>
    createOpenAICompatible({ baseUrl, apiKey, model, inputType: 'symmetric', ...set }),
  wire: openaiCompatibleWire({ fields }),
})
