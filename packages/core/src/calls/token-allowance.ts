/** Limits the tokens that are sent for one purpose on a day. */
export interface TokenAllowance {
  /** Takes this many for a request, if today has so many left beside those that others have taken. Each true is followed by `settle`. */
  take(tokens: number): Promise<boolean>
  /** Gives back what was taken, and counts what was used: as the service counted, else as estimated; 0 where it gave no answer. */
  settle(taken: number, used: number): void
  /** Most tokens of a day, for messages. */
  readonly limit: number
}
