/** One entry of a service's reply. Nothing of it is trusted. */
export interface RawEmbedding {
  /** The position of the input it belongs to, where the service says so. */
  readonly index?: unknown
  /** Numbers, base64 of little-endian float32, or null for an input the model has nothing to say about. */
  readonly values: unknown
}

export interface RawEmbeddingReply {
  readonly embeddings: readonly RawEmbedding[]
  /** Tokens as the service counts; anything but a whole number counts as not reported. */
  readonly inputTokens?: unknown
  /** Query side, per input, 0..1. */
  readonly confidence?: readonly number[]
}
