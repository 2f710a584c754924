import type { InputType, ProviderErrorCode } from '@mnemark/spec'
import type { BatchForm } from '../batch/batch-form.ts'

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

/** The wire protocol of one embedding service, from the service's side. Write it from its documentation, never from an adapter. */
export interface EmbeddingWire {
  readonly name: string
  /** What stands between the server's origin and its routes in the base URL an adapter is given, such as `/v1`; may be empty. */
  readonly basePath: string
  readonly inputTypes: 'symmetric' | 'distinct'
  readonly hasIndexes: boolean
  readonly reportsUsage: boolean
  /** True for a service that takes one input a request; the cases about several in one are then not there. */
  readonly takesOneInput?: boolean
  /** What is known about the service by hearsay only, and therefore not enforced here. */
  readonly lenient: readonly string[]
  /** Checks path, method, headers and fields as strictly as the service does; answers its refusal where they do not hold. */
  read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply
  /** `vectors` are in input order; entries may be anything, for tests of broken services. */
  answer(call: EmbeddingCall, vectors: readonly unknown[], shape: AnswerShape): WireReply
  /** A refusal of the request in the service's form, with these words in it. */
  refusal(words: string): WireReply
  /** How the service says each code. An empty list = it never does. */
  readonly failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>>
  /** Absent for services without offline jobs. */
  readonly batch?: BatchForm
}

/** The tokens a protocol server bills: words, at least one a text. */
export function countWireTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.max(1, text.split(/\s+/).filter((word) => word !== '').length), 0)
}

export const isWireReply = (value: EmbeddingCall | WireReply): value is WireReply => 'status' in value
