import type { TextGenerator } from '@mnemark/spec'

export type MistralReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'

export interface MistralGeneratorOptions {
  readonly apiKey: string
  /** For example `mistral-small-latest`. */
  readonly model: string
  /**
   * With or without `/v1` and a trailing slash; https, or plain http on this machine or network. Default `https://api.mistral.ai/v1`;
   * Mistral's regions are `https://api.eu.mistral.ai` and `https://api.us.mistral.ai`.
   */
  readonly baseUrl?: string | undefined
  /** The most tokens of any answer, those of reasoning among them. Default: the model's own. */
  readonly maxOutputTokens?: number | undefined
  /** 0 to 1.5. Default: the model's own. */
  readonly temperature?: number | undefined
  /** For models that reason; what each takes differs. Reasoning is left out of the answer. Default: not sent. */
  readonly reasoningEffort?: MistralReasoningEffort | undefined
  /** The most tokens of a request and its answer together. */
  readonly contextWindow?: number | undefined
  /** With `contextWindow`: prompts that leave no room for an answer are refused before they are sent. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: remote, unless the host is on this machine or network; no price. */
  readonly traits?: Partial<TextGenerator['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
