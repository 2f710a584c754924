import { openaiCompatibleWire } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { createAcme } from './acme.ts'

describeEmbeddingProvider('acme', {
  transport: 'http',
  create: ({ apiKey, baseUrl, fetch, set }) => createAcme({ apiKey, baseUrl, fetch, ...set }),
  // The service's side, as its documentation has it.
  wire: openaiCompatibleWire({
    model: 'acme-embed-1',
    dimensions: 1024,
    inputType: { field: 'input_type', query: 'query', document: 'passage' },
  }),
  misconfigured: [{ apiKey: '' }, { baseUrl: 'http://embeddings.acme.example' }],
  variations: { model: { model: 'acme-embed-2' }, dimensions: { dimensions: 256 }, variant: { inputType: 'symmetric' } },
  options: [{ set: { dimensions: 256 }, expect: (body) => body['dimensions'] === 256 }],
})
