import type { BatchForm } from './batch/batch-form.ts'
import type { AnswerShape, EmbeddingCall, ServiceErrorCode, WireFailure, WireReply, WireRequest } from './wire/exchange.ts'

/** The wire protocol of one embedding service, from the service's side. Write it from its documentation, never from an adapter. */
export interface EmbeddingWire {
  readonly name: string
  /** Path between the server's origin and its routes in the base URL of an adapter, such as `/v1`; may be empty. */
  readonly basePath: string
  readonly inputTypes: 'symmetric' | 'distinct'
  readonly hasIndexes: boolean
  readonly reportsUsage: boolean
  /** True for a service that takes one input a request; the cases about several in one are then not there. */
  readonly takesOneInput?: boolean
  /** Facts about the service known by hearsay only, and therefore not enforced here. */
  readonly lenient: readonly string[]
  /** Checks path, method, headers and fields as strictly as the service does; returns its refusal if one of them is wrong. */
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
