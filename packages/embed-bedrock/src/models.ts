/**
 * Embedding models on Amazon Bedrock, 2026-11: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html and
 * https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html. Prices: https://aws.amazon.com/bedrock/pricing/.
 */
import type { EmbeddingLimits, Modality } from '@mnemark/spec'

/** Models of one family share request and reply formats. */
export type BedrockModelFamily = 'titan-text' | 'titan-image' | 'cohere-v3' | 'cohere-v4' | 'nova' | 'marengo-2' | 'marengo-3'

export interface BedrockEmbeddingModel {
  readonly family: BedrockModelFamily
  /** The default length of the vectors. */
  readonly dimensions: number
  /** Lengths that can be requested; empty if the model has only one. */
  readonly lengths: readonly number[]
  readonly maxInputs: number
  readonly maxInputTokens: number
  /** The limit in characters above which the service refuses a text before any cutting of its own. */
  readonly maxCharacters?: number
  readonly modalities: readonly Modality[]
  /** The price of text, on demand, in us-east-1; absent if the price is per request. */
  readonly usdPerMillionTokens?: number
}

type KnownModelId =
  | 'amazon.titan-embed-text-v2:0'
  | 'amazon.titan-embed-text-v1'
  | 'amazon.titan-embed-g1-text-02'
  | 'amazon.titan-embed-image-v1'
  | 'cohere.embed-english-v3'
  | 'cohere.embed-multilingual-v3'
  | 'cohere.embed-v4:0'
  | 'amazon.nova-2-multimodal-embeddings-v1:0'
  | 'twelvelabs.marengo-embed-2-7-v1:0'
  | 'twelvelabs.marengo-embed-3-0-v1:0'

const TEXT: readonly Modality[] = ['text']
const IMAGES: readonly Modality[] = ['text', 'image']

const TITAN_V1: BedrockEmbeddingModel = {
  family: 'titan-text',
  dimensions: 1536,
  lengths: [],
  maxInputs: 1,
  maxInputTokens: 8192,
  modalities: TEXT,
  usdPerMillionTokens: 0.1,
}

const COHERE_V3: BedrockEmbeddingModel = {
  family: 'cohere-v3',
  dimensions: 1024,
  lengths: [],
  maxInputs: 96,
  maxInputTokens: 512,
  maxCharacters: 2048,
  modalities: TEXT,
  usdPerMillionTokens: 0.1,
}

export const BEDROCK_EMBEDDING_MODELS: Readonly<Record<KnownModelId, BedrockEmbeddingModel>> = {
  'amazon.titan-embed-text-v2:0': {
    ...TITAN_V1,
    dimensions: 1024,
    lengths: [1024, 512, 256],
    maxCharacters: 50_000,
    usdPerMillionTokens: 0.02,
  },
  'amazon.titan-embed-text-v1': TITAN_V1,
  'amazon.titan-embed-g1-text-02': TITAN_V1,
  'amazon.titan-embed-image-v1': {
    family: 'titan-image',
    dimensions: 1024,
    lengths: [1024, 384, 256],
    maxInputs: 1,
    maxInputTokens: 256,
    modalities: IMAGES,
    usdPerMillionTokens: 0.8,
  },
  'cohere.embed-english-v3': COHERE_V3,
  'cohere.embed-multilingual-v3': COHERE_V3,
  'cohere.embed-v4:0': {
    family: 'cohere-v4',
    dimensions: 1536,
    lengths: [1536, 1024, 512, 256],
    maxInputs: 96,
    maxInputTokens: 128_000,
    modalities: IMAGES,
    usdPerMillionTokens: 0.12,
  },
  'amazon.nova-2-multimodal-embeddings-v1:0': {
    family: 'nova',
    dimensions: 3072,
    lengths: [3072, 1024, 384, 256],
    maxInputs: 1,
    maxInputTokens: 8000,
    modalities: ['text', 'image', 'audio'],
    usdPerMillionTokens: 0.135,
  },
  'twelvelabs.marengo-embed-2-7-v1:0': {
    family: 'marengo-2',
    dimensions: 1024,
    lengths: [],
    maxInputs: 1,
    maxInputTokens: 77,
    modalities: IMAGES,
  },
  'twelvelabs.marengo-embed-3-0-v1:0': {
    family: 'marengo-3',
    dimensions: 512,
    lengths: [],
    maxInputs: 1,
    maxInputTokens: 500,
    modalities: IMAGES,
  },
}

/** The known ones, for editors; ids of inference profiles (`eu.cohere.embed-v4:0`) and ARNs are taken as well. */
export type BedrockEmbeddingModelId = KnownModelId | (string & {})

/** A body of InvokeModel may hold 25 MB; the difference is for the JSON around the inputs. */
export const BEDROCK_LIMITS: Pick<EmbeddingLimits, 'concurrency' | 'maxRequestBytes'> = {
  maxRequestBytes: 24_000_000,
  concurrency: 4,
}
