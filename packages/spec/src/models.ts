import type { CallOptions } from './call-options.ts'

/** JSON Schema, draft 2020-12; a `$ref` points within the schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Why an answer ended: by itself (`stop`), at its token limit (`length`), because the model declined (`refused`), or because the service
 * held it back (`filtered`). An answer that did not stop by itself is no failure of the request, but must not be relied on.
 */
export type FinishReason = 'stop' | 'length' | 'refused' | 'filtered'

export interface GenerateRequest extends CallOptions {
  /** The instructions to the model; may be empty. */
  readonly system: string
  /** The input that the instructions are for. */
  readonly prompt: string
  /** The form of the answer, honoured or refused. Absent = plain text. */
  readonly schema?: JsonSchema | undefined
  /** The most tokens of this answer; a generator's own limit stands where it is lower. */
  readonly maxOutputTokens?: number | undefined
}
export interface GenerateReply {
  /** As the model wrote it, well-formed. With a schema and the reason `stop`: JSON that fits the schema. May be empty where the reason is another. */
  readonly text: string
  readonly finishReason: FinishReason
  /** Absent when the service reports none. Never 0 for unknown, never estimated. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
}

/** Any chat model: compaction, flush, proposals, reflection. */
export interface TextGenerator {
  readonly specVersion: 'v1'
  /** Names the service, for messages and accounts. Absent = the name of the model is used. */
  readonly provider?: string
  /** Normalised, as of a vector space; null for models of this process. */
  readonly endpoint: string | null
  readonly model: string
  readonly traits: {
    /** Runs on this machine or network: longer time-outs, no consent, no price. */
    readonly isLocal: boolean
    /** False = every request with a schema is refused as `invalid-input` before it is sent. Absent = true. */
    readonly hasSchema?: boolean
    readonly usdPerMillionInput?: number
    readonly usdPerMillionOutput?: number
  }
  /** The most tokens of a request and its answer together, where it is known. */
  readonly contextWindow?: number
  /** The most tokens of any answer, where there is a limit. */
  readonly maxOutputTokens?: number
  /** Count by the model's own tokenizer, where there is one. */
  countTokens?(text: string): number
  /** Makes at most one request to the service, no retry. Rejects with ProviderError only. */
  generate(request: GenerateRequest): Promise<GenerateReply>
  close?(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): PromiseLike<void>
}

export interface RerankRequest extends CallOptions {
  readonly query: string
  readonly passages: readonly string[]
}
export interface RerankReply {
  /** One finite number per passage, in the order of the passages; higher is better. Comparable within this answer only. */
  readonly scores: readonly number[]
  /** Absent when the service reports none. Never 0 for unknown, never estimated. */
  readonly usage?: { readonly inputTokens: number }
}

/** Says how well passages answer a query, reading both together. Without `traits` it counts as remote and of unknown price. */
export interface Reranker {
  readonly specVersion: 'v1'
  /** Names the service, for messages and accounts. Absent = the name of the model is used. */
  readonly provider?: string
  /** Normalised, as of a vector space; null for models of this process. */
  readonly endpoint?: string | null
  readonly model: string
  readonly traits?: {
    /** Runs on this machine or network: longer time-outs, no consent, no price. */
    readonly isLocal: boolean
    readonly usdPerMillionInput?: number
    /** Where the service counts requests instead of tokens. */
    readonly usdPerThousandQueries?: number
  }
  readonly limits?: {
    /** The most passages of one request. */
    readonly maxPassages?: number
    /** The most tokens of one passage; services differ in what they do with a longer one. */
    readonly maxPassageTokens?: number
  }
  /** Makes at most one request, no retry. Rejects with ProviderError only. Resolves to the scores, alone or with their usage. */
  rerank(request: RerankRequest): Promise<readonly number[] | RerankReply>
  close?(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): PromiseLike<void>
}
