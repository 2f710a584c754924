/** OpenAI's embedding models, 2026-11: https://platform.openai.com/docs/guides/embeddings and /docs/pricing. */

export interface OpenAIEmbeddingModel {
  /** The default length of the vectors; the longest there is. */
  readonly dimensions: number
  /** True if a shorter length can be requested. */
  readonly canShorten: boolean
  readonly usdPerMillionTokens: number
}

type KnownModelId = 'text-embedding-3-small' | 'text-embedding-3-large' | 'text-embedding-ada-002'

export const OPENAI_EMBEDDING_MODELS: Readonly<Record<KnownModelId, OpenAIEmbeddingModel>> = {
  'text-embedding-3-small': { dimensions: 1536, canShorten: true, usdPerMillionTokens: 0.02 },
  'text-embedding-3-large': { dimensions: 3072, canShorten: true, usdPerMillionTokens: 0.13 },
  'text-embedding-ada-002': { dimensions: 1536, canShorten: false, usdPerMillionTokens: 0.1 },
}

/** The known ones, for editors; any other name is passed on as it is. */
export type OpenAIEmbeddingModelId = KnownModelId | (string & {})

/** The limits of one request, equal for all models. */
export const OPENAI_LIMITS = { maxInputs: 2048, maxInputTokens: 8192, maxRequestTokens: 300_000, concurrency: 4 } as const

export function knownModel(id: string): OpenAIEmbeddingModel | undefined {
  return Object.entries(OPENAI_EMBEDDING_MODELS).find(([name]) => name === id)?.[1]
}
