import type { InputType, ProviderErrorCode } from '@mnemark/spec'

/** A request as received from the wire. */
export interface WireRequest {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly query: string
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The raw body. */
  readonly bytes: Buffer
  /** The parsed body; undefined where it is not JSON. */
  readonly body: unknown
}

export interface WireReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text unchanged. */
  readonly body: unknown
  /** Replaces the body: a large file, sent while it is generated. */
  readonly lines?: Iterable<string>
}

/** An accepted request as the service reads it. */
export interface EmbeddingCall {
  readonly texts: readonly string[]
  readonly model: string
  /** Length of the vectors in the answer. */
  readonly dimensions: number
  /** As stated by the request; absent for services without. */
  readonly inputType?: InputType
  /** Whether vectors were requested as base64. */
  readonly isBase64?: boolean
}

/** Layout of a success. */
export interface AnswerShape {
  /** The order of the entries, as positions of inputs. */
  readonly order: readonly number[]
  readonly hasIndexes: boolean
  readonly hasUsage: boolean
}

/** Codes that a service itself can answer with. */
export type ServiceErrorCode = Extract<
  ProviderErrorCode,
  'auth' | 'not-found' | 'quota' | 'rate-limit' | 'invalid-input' | 'input-too-long' | 'unavailable'
>

export interface WireFailure {
  /** Description of the event at the service. */
  readonly title: string
  readonly reply: WireReply
  /** The wait requested by the reply. */
  readonly retryAfterMs?: number
  readonly inputIndexes?: readonly number[]
}

/** The tokens a protocol server bills: words, at least one a text. */
export function countWireTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.max(1, text.split(/\s+/).filter((word) => word !== '').length), 0)
}

export const isWireReply = (value: EmbeddingCall | WireReply): value is WireReply => 'status' in value
