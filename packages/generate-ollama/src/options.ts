import type { TextGenerator } from '@mnemark/spec'

/** Whether a model that can think does so before it answers, and how much. */
export type OllamaThinking = boolean | 'low' | 'medium' | 'high'

export interface OllamaGeneratorOptions {
  /** With or without a tag. */
  readonly model: string
  /** Names the generator in errors and accounts, where there are several. Default `ollama`. */
  readonly id?: string | undefined
  /**
   * Where the server listens, with or without a scheme, a trailing slash, `/v1` or `/api`. Default `http://127.0.0.1:11434`; without
   * scheme and port the port is 11434. https, or plain http on this machine or network.
   */
  readonly baseUrl?: string | undefined
  /** For servers behind a gateway, and the hosted service. Sent as `Authorization: Bearer …`. */
  readonly apiKey?: string | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Tokens of a prompt and its answer together, sent as `num_ctx`. Default: not sent, and the server's own, which may be small. */
  readonly contextSize?: number | undefined
  /** With `contextSize`: prompts that leave no room for an answer are refused before they are sent. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** The most tokens of any answer, sent as `num_predict`; those of thinking are among them. Default: the model's own. */
  readonly maxOutputTokens?: number | undefined
  /** Default false. Some models, such as gpt-oss, think in any case. What is thought is left out of the answer. */
  readonly think?: OllamaThinking | undefined
  /** 0 to 2. Default: the model's own. */
  readonly temperature?: number | undefined
  /** How long the model stays in memory after a call: seconds, or a text such as `30m`. Default: the server's own, five minutes. */
  readonly keepAlive?: number | string | undefined
  /** Default: local where the host is on this machine or network; no price. */
  readonly traits?: Partial<TextGenerator['traits']> | undefined
  /** Ends a request as `unavailable`. Mind that the first call loads the model. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
