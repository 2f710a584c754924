/**
 * Every async call takes a signal: checked before work, passed on, never swallowed. An aborted call rejects with
 * `signal.reason`.
 */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}
