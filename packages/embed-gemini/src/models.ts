import type { EmbeddingLimits } from '@mnemark/spec'

/**
 * How the model is told what a text is for: by the field `taskType`, or by words in front of the text. What is said for documents is
 * part of the vector space; what is said for queries is not.
 */
export type GeminiInputType =
  | { readonly taskType: { readonly query: string; readonly document: string } }
  | { readonly prefix: { readonly query: string; readonly document: string } }

export interface GeminiModel {
  /** The default length of the vectors. */
  readonly dimensions: number
  readonly minDimensions: number
  readonly maxInputTokens: number
  /** How the model distinguishes queries from documents. */
  readonly inputType: GeminiInputType
}

const TASK_TYPES: GeminiInputType = { taskType: { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' } }
/** This generation ignores task types and expects them in the text. */
const TASK_PREFIXES: GeminiInputType = { prefix: { query: 'task: search result | query: ', document: 'title: none | text: ' } }
const SECOND: GeminiModel = { dimensions: 3072, minDimensions: 128, maxInputTokens: 8192, inputType: TASK_PREFIXES }

export type GeminiModelId = 'gemini-embedding-001' | 'gemini-embedding-2' | 'gemini-embedding-2-preview'

/** 2026-11, https://ai.google.dev/gemini-api/docs/embeddings. The vectors of one generation cannot be compared with the other's. */
export const GEMINI_MODELS: Readonly<Record<GeminiModelId, GeminiModel>> = {
  'gemini-embedding-001': { dimensions: 3072, minDimensions: 128, maxInputTokens: 2048, inputType: TASK_TYPES },
  'gemini-embedding-2': SECOND,
  'gemini-embedding-2-preview': SECOND,
}

export const knownModel = (model: string): GeminiModel | undefined =>
  Object.hasOwn(GEMINI_MODELS, model)
    ? // An own name of the table is one of its ids.
      GEMINI_MODELS[model as GeminiModelId]
    : undefined

/** The input type of a model; one newer than this table follows its generation. */
export const inputTypeOf = (model: string): GeminiInputType =>
  knownModel(model)?.inputType ?? (/^(?:gemini-|text-)?embedding-0/.test(model) ? TASK_TYPES : TASK_PREFIXES)

/**
 * 2026-11: 100 texts a request; 4,194,304 bytes were too many in one report, and a text's share of the body is some 200 bytes more
 * than the text.
 */
export const GEMINI_LIMITS: EmbeddingLimits = { maxInputs: 100, maxRequestBytes: 4_000_000, concurrency: 4 }
