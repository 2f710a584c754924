export interface MistralModel {
  /** The default length of the vectors. */
  readonly dimensions: number
  /** The longest that can be requested; null if no other length can. */
  readonly maxDimensions: number | null
  readonly usdPerMillionTokens: number
}

export type MistralModelId = 'mistral-embed' | 'codestral-embed'

/** 2026-11, https://docs.mistral.ai/capabilities/embeddings/overview and https://mistral.ai/pricing. */
export const MISTRAL_MODELS: Readonly<Record<MistralModelId, MistralModel>> = {
  'mistral-embed': { dimensions: 1024, maxDimensions: null, usdPerMillionTokens: 0.1 },
  'codestral-embed': { dimensions: 1536, maxDimensions: 3072, usdPerMillionTokens: 0.15 },
}

export const knownModel = (model: string): MistralModel | undefined =>
  Object.hasOwn(MISTRAL_MODELS, model)
    ? // An own name of the table is one of its ids.
      MISTRAL_MODELS[model as MistralModelId]
    : undefined

/**
 * The limits of one request, equal for both models. Not published, 2026-11: taken from the service's refusals, and from 256
 * inputs that were accepted where 257 were not.
 */
export const MISTRAL_LIMITS = { maxInputs: 256, maxInputTokens: 8192, maxRequestTokens: 16_384, concurrency: 4 } as const
