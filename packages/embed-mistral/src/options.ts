import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { MistralModelId } from './models.ts'

export interface MistralEmbeddingOptions {
  readonly apiKey: string
  /** Default `mistral-embed`; for code, `codestral-embed`. */
  readonly model?: MistralModelId | (string & {}) | undefined
  /** The vector length to request, of `codestral-embed` only: 1 to 3072. Default: not sent, and the model's own. */
  readonly dimensions?: number | undefined
  /**
   * With or without `/v1` and a trailing slash; https, or plain http on this machine or network. Default `https://api.mistral.ai/v1`;
   * Mistral's regions are `https://api.eu.mistral.ai` and `https://api.us.mistral.ai`.
   */
  readonly baseUrl?: string | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: 256 texts and 16,384 tokens a request, 8,192 tokens a text, 4 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: remote, unless the host is on this machine or network; vector weight 0.7; the price of a known model at Mistral. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
