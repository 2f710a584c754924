import type { EmbeddingProvider } from '@mnemark/spec'
import { createGemini } from '@mnemark/embed-gemini'
import { createMistral } from '@mnemark/embed-mistral'
import { createOpenAI } from '@mnemark/embed-openai'
import { createVoyage } from '@mnemark/embed-voyage'
import { type EmbeddingWire, geminiWire, mistralWire, openAIWire, voyageWire } from '@mnemark/testkit'

export const BATCH_KEY = 'sk-key-of-the-fault-tests-0123456789'

interface BatchService {
  readonly wire: EmbeddingWire
  create(baseUrl: string): EmbeddingProvider
  /** Dimensions of the vectors: small if the model allows, so that ten thousand are made quickly. */
  readonly dimensions: number
}

const at = (baseUrl: string) => ({ baseUrl, apiKey: BATCH_KEY })

/** The services with batch jobs, each with its own adapter. */
export const BATCH_SERVICES: Readonly<Record<string, BatchService>> = {
  openai: {
    wire: openAIWire,
    create: (baseUrl) => createOpenAI({ ...at(baseUrl), dimensions: 8 }),
    dimensions: 8,
  },
  'openai-full': {
    wire: openAIWire,
    create: (baseUrl) => createOpenAI(at(baseUrl)),
    dimensions: 1536,
  },
  gemini: {
    wire: geminiWire,
    create: (baseUrl) => createGemini({ ...at(baseUrl), dimensions: 128 }),
    dimensions: 128,
  },
  voyage: {
    wire: voyageWire,
    create: (baseUrl) => createVoyage({ ...at(baseUrl), dimensions: 256 }),
    dimensions: 256,
  },
  mistral: {
    wire: mistralWire,
    create: (baseUrl) => createMistral(at(baseUrl)),
    dimensions: 1024,
  },
}

/** The provider with smaller jobs than its service takes, so that some thousand texts are several. */
export function withJobsOf(provider: EmbeddingProvider, maxRequests: number): EmbeddingProvider {
  const { batch } = provider
  if (batch === undefined) throw new TypeError(`${provider.space.provider} has no batch jobs`)
  return { ...provider, batch: { ...batch, limits: { ...batch.limits, maxRequests } } }
}
