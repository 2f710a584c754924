import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }
export type BodyFields = Readonly<Record<string, JsonValue>>

/**
 * How the model tells a query from a document: not at all, by fields of the request body, or by a prefix of the text. The
 * part for documents is part of the vector space; the part for queries is not.
 */
export type InputTypeMapping =
  | 'symmetric'
  | { readonly query: BodyFields; readonly document: BodyFields }
  | { readonly prefix: { readonly query: string; readonly document: string } }

export interface OpenAICompatibleOptions {
  /** Names the provider in errors and in the vector space. Default `openai-compatible`. */
  readonly id?: string
  /**
   * With or without `/v1` and a trailing slash. `/v1` is added where no part of the path is a version; an address that ends in
   * `/embeddings` is used as it is. https, or plain http on this machine or network.
   */
  readonly baseUrl: string
  readonly model: string
  readonly inputType: InputTypeMapping
  /** Sent as `Authorization: Bearer …`. Servers without keys need none. */
  readonly apiKey?: string | undefined
  /** Sent with every request; one named `authorization` replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The vector length to request; another length in the answer is an error. Default: not sent, and learnt from the first answer. */
  readonly dimensions?: number | undefined
  /** The server's name for that field; null = it has none, and `dimensions` is only checked. Default `dimensions`. */
  readonly dimensionsField?: string | null | undefined
  /**
   * The requested encoding; base64 and numbers are both understood in the reply. null = the field is not sent. Default `float`.
   */
  readonly encodingFormat?: 'float' | 'base64' | null | undefined
  /** Further body fields, such as `truncate`. They are part of the vector space. */
  readonly body?: BodyFields | undefined
  /** Body fields that do not move vectors, such as `user` or how long a model stays loaded. They are no part of the vector space. */
  readonly callBody?: BodyFields | undefined
  /** Default: 32 inputs a request, 2 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: local where the host is on this machine or network; vector weight 0.7; no price. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
