import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { VoyageModelId } from './models.ts'

/** The text type sent to the service. It puts its own instruction before queries and documents, and none for null. */
export type VoyageTextType = 'query' | 'document' | null

export interface VoyageInputType {
  readonly query: VoyageTextType
  /** Part of the vector space. */
  readonly document: VoyageTextType
}

export interface VoyageEmbeddingOptions {
  readonly apiKey: string
  /** Default `voyage-4`. */
  readonly model?: VoyageModelId | (string & {}) | undefined
  /** The vector length to request: 256, 512, 1024 or 2048 of most models. Default: not sent, and the model's own (1024). */
  readonly dimensions?: number | undefined
  /** Default `{ query: 'query', document: 'document' }`. */
  readonly inputType?: VoyageInputType | undefined
  /** Whether the service cuts texts that are too long for the model. Default false: such a text is an `input-too-long` error. */
  readonly truncation?: boolean | undefined
  /** With or without `/v1` and a trailing slash; https, or plain http on this machine or network. Default `https://api.voyageai.com/v1`. */
  readonly baseUrl?: string | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: 1,000 texts and the model's tokens a request and a text, 4 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: remote, unless the host is on this machine or network; vector weight 0.7; the price of a known model at Voyage. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
