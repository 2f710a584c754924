import type { EmbeddingLimits } from '@mnemark/spec'

export interface VoyageModel {
  /** The default length of the vectors. */
  readonly dimensions: number
  /** The other lengths that may be asked for. */
  readonly otherDimensions: readonly number[]
  readonly maxInputTokens: number
  /** Tokens of all inputs of one request. */
  readonly maxRequestTokens: number
  readonly usdPerMillionTokens: number
  /** Whether it can be asked for in offline jobs. */
  readonly runsJobs: boolean
}

export type VoyageModelId =
  | 'voyage-4-large'
  | 'voyage-4'
  | 'voyage-4-lite'
  | 'voyage-3-large'
  | 'voyage-3.5'
  | 'voyage-3.5-lite'
  | 'voyage-code-3'
  | 'voyage-finance-2'
  | 'voyage-law-2'
  | 'voyage-code-2'

const LENGTHS = { dimensions: 1024, otherDimensions: [256, 512, 2048] } as const
const FIXED = { dimensions: 1024, otherDimensions: [] } as const
/** The token limit of one request for the larger models, and for models newer than this table. */
const LEAST_REQUEST_TOKENS = 120_000

/** 2026-11, https://docs.voyageai.com/docs/embeddings, /docs/pricing and /docs/batch-inference. */
export const VOYAGE_MODELS: Readonly<Record<VoyageModelId, VoyageModel>> = {
  'voyage-4-large': { ...LENGTHS, maxInputTokens: 32_000, maxRequestTokens: 120_000, usdPerMillionTokens: 0.12, runsJobs: true },
  'voyage-4': { ...LENGTHS, maxInputTokens: 32_000, maxRequestTokens: 320_000, usdPerMillionTokens: 0.06, runsJobs: true },
  'voyage-4-lite': { ...LENGTHS, maxInputTokens: 32_000, maxRequestTokens: 1_000_000, usdPerMillionTokens: 0.02, runsJobs: true },
  'voyage-3-large': { ...LENGTHS, maxInputTokens: 32_000, maxRequestTokens: 120_000, usdPerMillionTokens: 0.18, runsJobs: true },
  'voyage-3.5': { ...LENGTHS, maxInputTokens: 32_000, maxRequestTokens: 320_000, usdPerMillionTokens: 0.06, runsJobs: true },
  'voyage-3.5-lite': {
    ...LENGTHS,
    maxInputTokens: 32_000,
    maxRequestTokens: 1_000_000,
    usdPerMillionTokens: 0.02,
    runsJobs: true,
  },
  'voyage-code-3': { ...LENGTHS, maxInputTokens: 32_000, maxRequestTokens: 120_000, usdPerMillionTokens: 0.18, runsJobs: true },
  'voyage-finance-2': { ...FIXED, maxInputTokens: 32_000, maxRequestTokens: 120_000, usdPerMillionTokens: 0.12, runsJobs: false },
  'voyage-law-2': { ...FIXED, maxInputTokens: 16_000, maxRequestTokens: 120_000, usdPerMillionTokens: 0.12, runsJobs: false },
  'voyage-code-2': {
    dimensions: 1536,
    otherDimensions: [],
    maxInputTokens: 16_000,
    maxRequestTokens: 120_000,
    usdPerMillionTokens: 0.12,
    runsJobs: true,
  },
}

export const knownModel = (model: string): VoyageModel | undefined =>
  Object.hasOwn(VOYAGE_MODELS, model)
    ? // An own name of the table is one of its ids.
      VOYAGE_MODELS[model as VoyageModelId]
    : undefined

/** 1,000 texts a request (the 128 of the SDK's comments is of older models), and the model's tokens. */
export function limitsOf(known: VoyageModel | undefined): EmbeddingLimits {
  return {
    maxInputs: 1000,
    ...(known === undefined ? {} : { maxInputTokens: known.maxInputTokens }),
    maxRequestTokens: known?.maxRequestTokens ?? LEAST_REQUEST_TOKENS,
    concurrency: 4,
  }
}
