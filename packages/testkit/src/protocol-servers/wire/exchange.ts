import type { InputType, ProviderErrorCode } from '@mnemark/spec'

/** A request as it came over the wire. */
export interface WireRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as it came. */
  readonly bytes: Buffer
  /** The parsed body; undefined where it is not JSON. */
  readonly body: unknown
}

export interface WireReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object goes out as JSON, a text as it is. */
  readonly body: unknown
  /** In place of the body: a large file, sent as it is made. */
  readonly lines?: Iterable<string>
}

/** What a service understood of a request it accepts. */
export interface EmbeddingCall {
  readonly texts: readonly string[]
  readonly model: string
  /** The length of the vectors to answer with. */
  readonly dimensions: number
  /** As the request says it; absent for services without. */
  readonly inputType?: InputType
  /** Whether vectors were asked for as base64. */
  readonly isBase64?: boolean
}

/** How a success is laid out. */
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
  /** What happens at the service. */
  readonly title: string
  readonly reply: WireReply
  /** The wait that the reply asks for. */
  readonly retryAfterMs?: number
  readonly inputIndexes?: readonly number[]
}

/** The tokens a protocol server bills: words, at least one a text. */
export function countWireTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.max(1, text.split(/\s+/).filter((word) => word !== '').length), 0)
}

export const isWireReply = (value: EmbeddingCall | WireReply): value is WireReply => 'status' in value
