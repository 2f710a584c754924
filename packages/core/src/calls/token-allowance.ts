/** How many tokens may be sent for one purpose, and how many were. */
export interface TokenAllowance {
  /** Whether this many more may be sent today, those recorded so far included. */
  allows(tokens: number): Promise<boolean>
  /** Counts what was sent, as the service counted, else as estimated. */
  record(tokens: number): void
  /** Most tokens of a day, for messages. */
  readonly limit: number
}
