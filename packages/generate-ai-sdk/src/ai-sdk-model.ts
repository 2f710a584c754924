/** The part of the AI SDK's language models that is used, in its specifications v2 (`ai` 5), v3 (`ai` 6) and v4 (`ai` 7). */

export type AISDKSpecificationVersion = 'v2' | 'v3' | 'v4'

export const AI_SDK_VERSIONS: readonly AISDKSpecificationVersion[] = ['v2', 'v3', 'v4']

export type JsonValue = null | string | number | boolean | JsonValue[] | { [name: string]: JsonValue }

/** By the provider's name: `{ openai: { reasoningEffort: 'low' } }`. */
export type AISDKProviderOptions = Record<string, Record<string, JsonValue>>

export interface AISDKTextPart {
  type: 'text'
  text: string
}

/** A call as it is made here: at most one system message, and one of the user. */
export interface AISDKLanguageCall {
  prompt: ({ role: 'system'; content: string } | { role: 'user'; content: AISDKTextPart[] })[]
  maxOutputTokens?: number
  temperature?: number
  responseFormat?: { type: 'json'; schema?: object }
  abortSignal?: AbortSignal
  providerOptions?: AISDKProviderOptions
}

export interface AISDKLanguageReply {
  readonly content: readonly { readonly type: string; readonly text?: unknown }[]
  /** The JSON to read where it is not all of the text (v4). */
  readonly structuredOutputText?: string
  /** A word in v2; with the service's own word since v3. */
  readonly finishReason: string | { readonly unified: string; readonly raw: string | undefined }
  /** Numbers in v2; with a `total` since v3. */
  readonly usage: { readonly inputTokens?: unknown; readonly outputTokens?: unknown }
  /** The service's reply, if the model passes it on. */
  readonly response?: { readonly body?: unknown }
  /** May name settings of the call that the model does not support: as `setting` in v2, as `feature` since v3. */
  readonly warnings?: readonly { readonly type: string; readonly setting?: unknown; readonly feature?: unknown }[]
}

/** Any language model of the AI SDK and its provider packages, without depending on a version of them. */
export interface AISDKLanguageModel {
  readonly specificationVersion: AISDKSpecificationVersion
  readonly provider: string
  readonly modelId: string
  doGenerate(options: AISDKLanguageCall): PromiseLike<AISDKLanguageReply>
}
