import type { TextGenerator } from '@mnemark/spec'

/** How much the model thinks before it answers: a number of tokens for models up to 2.5 (0 = none, -1 = as it likes), a level for newer ones. */
export type GeminiThinking = { readonly budget: number } | { readonly level: 'minimal' | 'low' | 'medium' | 'high' }

export interface GeminiGeneratorOptions {
  readonly apiKey: string
  /** With or without `models/` in front. */
  readonly model: string
  /**
   * With or without a version at the end; `v1beta` where there is none. Default `https://generativelanguage.googleapis.com`. https, or
   * plain http on this machine or network.
   */
  readonly baseUrl?: string | undefined
  /** The most tokens of any answer, thoughts included. Default: the model's. */
  readonly maxOutputTokens?: number | undefined
  /** 0 to 2. Default: not sent. */
  readonly temperature?: number | undefined
  /** Default: not sent, and as the model does. */
  readonly thinking?: GeminiThinking | undefined
  /** The most tokens of a request and its answer together. */
  readonly contextWindow?: number | undefined
  /** With `contextWindow`: prompts that leave no room for an answer are refused before they are sent. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Sent with every request; one named `x-goog-api-key` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: local where the host is on this machine or network; no price. `hasSchema: false` for a model that takes none. */
  readonly traits?: Partial<TextGenerator['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
