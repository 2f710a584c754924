import { StoreError } from '@mnemark/spec'

export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`limit must be a whole number from 0, got ${limit}.`)
}

export function assertDimensions(expected: number, got: number): void {
  if (expected === got) return
  throw new StoreError('space-mismatch', `This vector space holds vectors of ${expected} numbers, got one of ${got}.`)
}

export function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StoreError('cancelled', 'The call was cancelled.', { cause: signal.reason })
}
