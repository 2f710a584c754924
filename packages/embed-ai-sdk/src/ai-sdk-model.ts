/** The used part of the AI SDK's embedding models, equal in its specifications v2 (`ai` 5), v3 (`ai` 6) and v4 (`ai` 7). */

export type AISDKSpecificationVersion = 'v2' | 'v3' | 'v4'

export const AI_SDK_VERSIONS: readonly AISDKSpecificationVersion[] = ['v2', 'v3', 'v4']

export type JsonValue = null | string | number | boolean | JsonValue[] | { [name: string]: JsonValue }

/** Keyed by the provider's name: `{ voyage: { inputType: 'query' } }`. */
export type AISDKProviderOptions = Record<string, Record<string, JsonValue>>

export interface AISDKEmbeddingCall {
  values: string[]
  /** Known to v4 only; older models take it among their provider options. */
  dimensions?: number
  abortSignal?: AbortSignal
  providerOptions?: AISDKProviderOptions
}

export interface AISDKEmbeddingReply {
  readonly embeddings: number[][]
  readonly usage?: { readonly tokens: number } | undefined
  /** The service's reply, if the model passes it on. */
  readonly response?: { readonly body?: unknown } | undefined
}

/** Any embedding model of the AI SDK and its provider packages, without depending on a version of them. */
export interface AISDKEmbeddingModel {
  readonly specificationVersion: AISDKSpecificationVersion
  readonly provider: string
  readonly modelId: string
  /** Infinity = no limit; undefined = not known. */
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean
  doEmbed(options: AISDKEmbeddingCall): PromiseLike<AISDKEmbeddingReply>
}

/** The key under which models state how many bytes of text one call takes (`ai` 7, experimental). */
export const MAX_INPUT_BYTES: unique symbol = Symbol.for('vercel.ai.embeddingModel.maxInputBytesPerCall')
