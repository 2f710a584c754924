import { openAIWire } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { createBatchedAcme } from './batched-acme.ts'

describeEmbeddingProvider('acme with offline jobs', {
  transport: 'http',
  create: ({ apiKey, baseUrl, fetch, set }) => createBatchedAcme({ apiKey, baseUrl, fetch, ...set }),
  // The imaginary service has OpenAI's interface, jobs included, so the server that plays OpenAI plays it.
  wire: openAIWire,
  misconfigured: [{ apiKey: '' }, { baseUrl: 'http://embeddings.acme.example' }],
  variations: { model: { model: 'text-embedding-3-large' }, dimensions: { dimensions: 256 }, variant: null },
  options: [{ set: { dimensions: 256 }, expect: (body) => body['dimensions'] === 256 }],
})
