import type { ServiceErrorCode, WireFailure, WireReply, WireRequest } from './exchange.ts'

/**
 * The wire protocol of one service that answers calls of a kind, from the service's side. Write it from its documentation, never from an
 * adapter.
 */
export interface ModelWire<Call extends object, Answer> {
  readonly name: string
  /** Path between the server's origin and its routes in the base URL of an adapter, such as `/v1`; may be empty. */
  readonly basePath: string
  readonly reportsUsage: boolean
  /** Facts about the service known by hearsay only, and therefore not enforced here. */
  readonly lenient: readonly string[]
  /** Checks path, method, headers and fields as strictly as the service does; returns its refusal if one of them is wrong. */
  read(request: WireRequest, apiKey: string): Call | WireReply
  answer(call: Call, answer: Answer): WireReply
  /** A refusal of the request in the service's form, with these words in it. */
  refusal(words: string): WireReply
  /** How the service says each code. An empty list = it never does. */
  readonly failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>>
}
