import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { PromptPrefix } from '@mnemark/provider-kit'

/** LM Studio puts nothing in front of a text; what the model wants there comes from here. Documents' prefix is part of the vector space. */
export type LMStudioInputType = 'symmetric' | { readonly prefix: PromptPrefix }

/** Where a server is, and what it wants to be let in. */
export interface LMStudioServerOptions {
  /**
   * Where the server listens, with or without a scheme, a trailing slash, `/v1` or `/api/v0`. Default `http://localhost:1234`. https, or
   * plain http on this machine or network.
   */
  readonly baseUrl?: string | undefined
  /** An API token, where the server is set to want one. Sent as `Authorization: Bearer …`. */
  readonly apiKey?: string | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Ends a request as `unavailable`. Mind that a call may have to load the model. Default: only the caller's signal and the connection do. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}

export interface LMStudioEmbeddingOptions extends LMStudioServerOptions {
  /** Names the provider in errors and in the vector space, where there are several. Default `lmstudio`. */
  readonly id?: string | undefined
  /** As the server lists it: `text-embedding-nomic-embed-text-v1.5`. `listLMStudioModels` lists them. */
  readonly model: string
  /** Default: the prefixes of the model's family; `symmetric` for families not known. */
  readonly inputType?: LMStudioInputType | undefined
  /**
   * Tokens that the model is loaded with, as `listLMStudioModels` has them; longer texts are sent in pieces. Default: 2048 or what the
   * model's family takes, if that is less; for other models no limit.
   */
  readonly contextTokens?: number | undefined
  /** The length the vectors must have; another in the answer is an error. LM Studio cannot shorten them, so it is not sent. Default: learnt. */
  readonly dimensions?: number | undefined
  /** Seconds without a request after which a model that was loaded by one may leave memory. Default: the server's own, an hour. */
  readonly idleSeconds?: number | undefined
  /** Default: 32 texts a request, the context tokens, 2 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: local where the host is on this machine or network; vector weight 0.7; no price. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
}
