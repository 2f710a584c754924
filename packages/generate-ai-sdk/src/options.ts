import type { TextGenerator } from '@mnemark/spec'
import type { AISDKProviderOptions } from './ai-sdk-model.ts'

/**
 * How a model is held to a schema. `json_schema`: it is given the schema. `json_object`: it promises JSON only, so the schema is written
 * into the system prompt. `none`: requests with a schema are refused before they are sent.
 */
export type SchemaMode = 'json_schema' | 'json_object' | 'none'

export interface FromAISDKOptions {
  /** The address of the model, which cannot be read from it; https, or http on this machine or network. Default: none. */
  readonly endpoint?: string | undefined
  /** The most tokens of any answer. Default: the model's own. */
  readonly maxOutputTokens?: number | undefined
  /** Default: not sent. */
  readonly temperature?: number | undefined
  /** Default `json_schema`. A model that says it ignores the schema is a `config` error. */
  readonly schemaMode?: SchemaMode | undefined
  /** Sent with every call. */
  readonly providerOptions?: AISDKProviderOptions | undefined
  /** The most tokens of a request and its answer together. */
  readonly contextWindow?: number | undefined
  /** With `contextWindow`: prompts that leave no room for an answer are refused before they are sent. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Default: remote, unless the endpoint is on this machine or network; no price. */
  readonly traits?: Partial<TextGenerator['traits']> | undefined
  /**
   * The keys that the model sends. With them, a service's messages are shown in errors, without the keys; otherwise only its status and
   * its codes are, because a key could not be recognised in the text.
   */
  readonly secrets?: readonly string[] | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the model end it. */
  readonly timeoutMs?: number | undefined
}
