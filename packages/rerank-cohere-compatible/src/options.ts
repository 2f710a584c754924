import type { Reranker } from '@mnemark/spec'

export interface CohereCompatibleRerankerOptions {
  readonly model: string
  /**
   * The address that `/rerank` follows, with its version: `https://api.jina.ai/v1`, `http://localhost:8080/v1`; https, or plain http on
   * this machine or network. Default `https://api.cohere.com/v2`.
   */
  readonly baseUrl?: string | undefined
  /** Needed for Cohere; servers without keys get none. */
  readonly apiKey?: string | undefined
  /** Further fields of the request's body, such as `max_tokens_per_doc`. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: 100 passages a request. */
  readonly limits?: Reranker['limits'] | undefined
  /** Default: remote, unless the host is on this machine or network; no price. */
  readonly traits?: Partial<NonNullable<Reranker['traits']>> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  /** How it is named in errors and accounts. Default `cohere` at Cohere, else `cohere-compatible`. */
  readonly id?: string | undefined
  readonly fetch?: typeof fetch | undefined
}
