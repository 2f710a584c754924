/** Every async call takes a signal: checked before work, passed on, never swallowed. Ended by it, a call rejects with `signal.reason`. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}
