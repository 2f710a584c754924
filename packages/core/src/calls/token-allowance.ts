/** Limits the tokens that are sent for one purpose on a day. */
export interface TokenAllowance {
  /** Whether this many more may be sent today, those recorded so far included. */
  allows(tokens: number): Promise<boolean>
  /** Records tokens that were sent: the count of the service, else an estimate. */
  record(tokens: number): void
  /** Most tokens of a day, for messages. */
  readonly limit: number
}
