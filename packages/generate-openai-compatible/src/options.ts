import type { TextGenerator } from '@mnemark/spec'

/**
 * How a server is held to a schema. `json_schema`: it takes the schema itself. `json_object`: it promises JSON only, so the schema is
 * written into the system prompt. `none`: requests with a schema are refused before they are sent.
 */
export type SchemaMode = 'json_schema' | 'json_object' | 'none'

export interface OpenAICompatibleGeneratorOptions {
  readonly model: string
  /** With or without `/v1` and a trailing slash; https, or plain http on this machine or network. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined
  /** Needed for OpenAI; servers without keys get none. */
  readonly apiKey?: string | undefined
  /** The most tokens of any answer. Default: the server's. */
  readonly maxOutputTokens?: number | undefined
  /** The name the server knows it by. Default: `max_completion_tokens` at OpenAI, else `max_tokens`. */
  readonly maxTokensField?: 'max_completion_tokens' | 'max_tokens' | undefined
  /** Default `json_schema`. */
  readonly schemaMode?: SchemaMode | undefined
  /** 0 to 2. Default: not sent. */
  readonly temperature?: number | undefined
  /** Further fields of the request's body, such as `reasoning_effort`. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** The most tokens of a request and its answer together. */
  readonly contextWindow?: number | undefined
  /** With `contextWindow`: prompts that leave no room for an answer are refused before they are sent. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: remote, unless the host is on this machine or network; no price. */
  readonly traits?: Partial<TextGenerator['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  /** How it is named in errors and accounts. Default `openai` at OpenAI, else `openai-compatible`. */
  readonly id?: string | undefined
  readonly fetch?: typeof fetch | undefined
}
