import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { OpenAIEmbeddingModelId } from './models.ts'

export interface OpenAIEmbeddingOptions {
  readonly apiKey: string
  /** Default `text-embedding-3-small`. */
  readonly model?: OpenAIEmbeddingModelId | undefined
  /** The vector length to request; another length in the answer is an error. Default: the model's, not sent. */
  readonly dimensions?: number | undefined
  /** With or without `/v1` and a trailing slash; https, or plain http on this machine or network. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined
  /** Sent as `OpenAI-Organization` and `OpenAI-Project`. Neither they nor anything else is taken from the environment. */
  readonly organization?: string | undefined
  readonly project?: string | undefined
  /** An identifier of the end user, for the service's abuse monitoring. */
  readonly user?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: 2,048 inputs and 300,000 tokens a request, 8,192 tokens an input, 4 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: remote, unless the host is on this machine or network; vector weight 0.7; the price of a known model at OpenAI. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
