import type { ServiceErrorCode, WireFailure, WireReply, WireRequest } from './exchange.ts'

/**
 * The wire protocol of one service that answers calls of a kind, from the service's side. Write it from its documentation, never from an
 * adapter.
 */
export interface ModelWire<Call extends object, Answer> {
  readonly name: string
  /** What stands between the server's origin and its routes in the base URL an adapter is given, such as `/v1`; may be empty. */
  readonly basePath: string
  readonly reportsUsage: boolean
  /** What is known about the service by hearsay only, and therefore not enforced here. */
  readonly lenient: readonly string[]
  /** Checks path, method, headers and fields as strictly as the service does; answers its refusal where they do not hold. */
  read(request: WireRequest, apiKey: string): Call | WireReply
  answer(call: Call, answer: Answer): WireReply
  /** A refusal of the request in the service's form, with these words in it. */
  refusal(words: string): WireReply
  /** How the service says each code. An empty list = it never does. */
  readonly failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>>
}
