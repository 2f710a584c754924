import type { BedrockAccessOptions } from '@mnemark/bedrock-access'
import type { TextGenerator } from '@mnemark/spec'

/**
 * How a model is held to a schema. `tool`: it has to call a tool whose input has the schema. `json_schema`: the service makes its text
 * fit, which fewer models support. `none`: requests with a schema are refused before they are sent.
 */
export type BedrockSchemaMode = 'tool' | 'json_schema' | 'none'

export interface BedrockGuardrail {
  /** Its id or ARN. */
  readonly id: string
  /** A number, or `DRAFT`. */
  readonly version: string
}

export interface BedrockGeneratorOptions extends BedrockAccessOptions {
  /** A model, an inference profile of one (`eu.anthropic.claude-sonnet-4-5-20250929-v1:0`), or an ARN of either. */
  readonly model: string
  /** Default `tool`. */
  readonly schemaMode?: BedrockSchemaMode | undefined
  /** The most tokens of any answer. Default: the model's. */
  readonly maxOutputTokens?: number | undefined
  /** 0 to 1. Default: not sent. */
  readonly temperature?: number | undefined
  /** Checks prompts and answers. An answer that it holds back has the reason `filtered`. */
  readonly guardrail?: BedrockGuardrail | undefined
  /** The model's own settings (`additionalModelRequestFields`), such as those of its reasoning. */
  readonly modelFields?: Readonly<Record<string, unknown>> | undefined
  /** The most tokens of a request and its answer together. */
  readonly contextWindow?: number | undefined
  /** With `contextWindow`: prompts that leave no room for an answer are refused before they are sent. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Default: remote, unless the host is on this machine or network; no price. */
  readonly traits?: Partial<TextGenerator['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
}
