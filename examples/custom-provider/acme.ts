import { createOpenAICompatible } from '@mnemark/embed-openai-compatible'
import type { EmbeddingProvider } from '@mnemark/spec'

export const createAcme = (options: { apiKey: string; baseUrl?: string; fetch?: typeof fetch }): EmbeddingProvider =>
  createOpenAICompatible({
    id: 'acme',
    baseUrl: 'https://embeddings.acme.example/v1',
    model: 'acme-embed-1',
    dimensions: 1024,
    inputType: { query: { input_type: 'query' }, document: { input_type: 'passage' } },
    ...options,
  })
