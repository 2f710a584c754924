import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { PromptPrefix } from '@mnemark/provider-kit'

/** Ollama adds no prefix; the one a model needs comes from here. The prefix of documents is part of the vector space. */
export type OllamaInputType = 'symmetric' | { readonly prefix: PromptPrefix }

export interface OllamaEmbeddingOptions {
  /** Names the provider in errors and in the vector space, where there are several. Default `ollama`. */
  readonly id?: string | undefined
  /** Default `nomic-embed-text`. With or without a tag. */
  readonly model?: string | undefined
  /**
   * Where the server listens, with or without a scheme, a trailing slash, `/v1` or `/api`. Default `http://127.0.0.1:11434`; without
   * scheme and port the port is 11434. https, or plain http on this machine or network.
   */
  readonly baseUrl?: string | undefined
  /** For servers behind a gateway, and the hosted service. Sent as `Authorization: Bearer …`. */
  readonly apiKey?: string | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Shorter vectors, for models made for it; another length in the answer is an error. Default: not sent, learnt from the first answer. */
  readonly dimensions?: number | undefined
  /** Default: the prefixes of the model's family; `symmetric` for families not known. */
  readonly inputType?: OllamaInputType | undefined
  /**
   * Tokens of context, sent as `num_ctx` and `num_batch`, since a longer input than a batch can bring the server down. Default: 2048 or
   * what the model's family takes, if that is less; for other models not sent, and the server's own.
   */
  readonly contextSize?: number | undefined
  /** True lets the server silently cut longer texts; it is then part of the vector space. Default false: they are an error. */
  readonly truncate?: boolean | undefined
  /** How long the model stays in memory after a call: seconds, or a text such as `30m`. Default: the server's own, five minutes. */
  readonly keepAlive?: number | string | undefined
  /** Default: 32 texts a request, the context size, one request at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: local where the host is on this machine or network; vector weight 0.7; no price. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Mind that the first call loads the model. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
