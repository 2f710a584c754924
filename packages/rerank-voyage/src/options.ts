import type { Reranker } from '@mnemark/spec'
import type { VoyageRerankModelId } from './models.ts'

export interface VoyageRerankerOptions {
  readonly apiKey: string
  /** Default `rerank-2.5`. */
  readonly model?: VoyageRerankModelId | (string & {}) | undefined
  /** Whether the service cuts a query or a passage that is too long for the model. Default false: that is an `input-too-long` error. */
  readonly truncation?: boolean | undefined
  /** With or without `/v1` and a trailing slash; https, or plain http on this machine or network. Default `https://api.voyageai.com/v1`. */
  readonly baseUrl?: string | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: 1,000 passages a request, and of a known model the tokens that fit beside the longest query. */
  readonly limits?: Reranker['limits'] | undefined
  /** Default: remote, unless the host is on this machine or network; the price of a known model at Voyage. */
  readonly traits?: Partial<NonNullable<Reranker['traits']>> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
