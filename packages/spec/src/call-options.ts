/** Every async call takes a signal: checked before work, passed on, never swallowed. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}
