import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { GeminiInputType, GeminiModelId } from './models.ts'

export interface GeminiEmbeddingOptions {
  readonly apiKey: string
  /** Default `gemini-embedding-001`. With or without `models/` in front. */
  readonly model?: GeminiModelId | (string & {}) | undefined
  /**
   * With or without a version at the end; `v1beta` where there is none. Default `https://generativelanguage.googleapis.com`. https, or
   * plain http on this machine or network.
   */
  readonly baseUrl?: string | undefined
  /** 128 to 3072 for the known models. Default: not sent, and the model's own length (3072). */
  readonly dimensions?: number | undefined
  /** Default: what the model wants (see the table of models); for code, `{ taskType: { query: 'CODE_RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' } }`. */
  readonly inputType?: GeminiInputType | undefined
  /** Sent with every request; one named `x-goog-api-key` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: 100 texts and 4 MB a request, the model's tokens, 4 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: local where the host is on this machine or network; vector weight 0.7; no price. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
