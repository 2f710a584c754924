import type { EmbeddingBatch } from './batch.ts'
import type { CallOptions } from './call-options.ts'
import type { EmbeddingInput, InputType, Modality } from './embedding-input.ts'

/** Everything on the *document* side that decides whether two vectors may be compared. Plain JSON, no secret. */
export interface VectorSpace {
  readonly provider: string
  /** Normalised; null for in-process providers. */
  readonly endpoint: string | null
  readonly model: string
  /**
   * The requested size; null = the model's default. The length learnt from the first answer is stored with the space,
   * and any other later is an error.
   */
  readonly requestedDimensions: number | null
  /** Document-side input type, prompt prefix, normalisation, quantisation: everything else that changes the vectors. */
  readonly variant: Readonly<Record<string, string>>
}

export interface EmbeddingLimits {
  readonly maxInputs: number
  readonly maxInputTokens?: number
  readonly maxRequestTokens?: number
  readonly maxRequestBytes?: number
  readonly concurrency: number
}
export interface EmbeddingRequest extends CallOptions {
  readonly inputs: readonly EmbeddingInput[]
  readonly inputType: InputType
}
export interface EmbeddingResult {
  /**
   * One per input, in input order: finite, unit length, all of one length. null = the model knows nothing of this input
   * (counts as filled, never ranks).
   */
  readonly vectors: readonly (Float32Array | null)[]
  /**
   * Query side only, per input, 0..1: how much of it the model knows. Absent = 1. Scales the vector part of fusion;
   * never a stored cosine.
   */
  readonly confidence?: readonly number[]
  /** Absent when the service reports none. Never 0 for unknown, never estimated. */
  readonly usage?: { readonly inputTokens: number }
}

export interface EmbeddingProvider {
  readonly specVersion: 'v1'
  readonly space: VectorSpace
  readonly limits: EmbeddingLimits
  readonly modalities: readonly Modality[]
  /** Hints the composer needs; each has a documented default. */
  readonly traits: {
    /** Runs on this machine or network: longer time-outs, no consent, no price. */
    readonly isLocal: boolean
    /** Weight from which hybrid fusion starts for this embedder, 0..1 (0.7 strong remote models, 0.2 weak ones). */
    readonly vectorWeight: number
    readonly usdPerMillionTokens?: number
  }
  /** At most one request to the service, no retry. Rejects with ProviderError only. */
  embed(request: EmbeddingRequest): Promise<EmbeddingResult>
  /** Exact count where the provider has a tokenizer. */
  countTokens?(text: string): number
  /** Present only where the service runs offline jobs. */
  readonly batch?: EmbeddingBatch
  close?(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): PromiseLike<void>
}
