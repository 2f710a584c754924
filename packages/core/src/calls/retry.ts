import type { ProviderError } from '@mnemark/spec'

export interface RetryRules {
  /** Most requests, including the first. */
  readonly attempts: number
  /** Time limit from the first attempt on, waits included. */
  readonly totalMs: number
  /** Longest single wait: where a service asks for more, there is no retry. */
  readonly longestWaitMs: number
}
export interface RetryWait {
  readonly waitMs: number
  /** True where the service itself is busy: all requests wait. */
  readonly isShared: boolean
}

/** Limits are mostly per minute: six attempts from 5 s on reach across one, from 1 s on across a restart. */
const BASE_MS = { 'rate-limit': 5_000, unavailable: 1_000 }
/** Least share of the total time for a new attempt: a shorter one would fail by its time-out. */
const LEAST_SHARE = 0.1
/** Spreads callers that a service told to return at the same time. */
const HINT_SPREAD_MS = 1_000

/**
 * Milliseconds to wait before the next attempt; null to give up. At least the hint of the service, if any, and never
 * beyond the longest wait; else full jitter: evenly between 0 and base × 2^(attempts − 1) (AWS Architecture Blog,
 * "Exponential Backoff And Jitter", 2015).
 */
export function waitBeforeRetry(
  error: ProviderError,
  made: { readonly attempts: number; readonly elapsedMs: number },
  rules: RetryRules & { readonly random: () => number },
): RetryWait | null {
  if (!error.isRetryable || made.attempts >= rules.attempts) return null
  const { retryAfterMs, code } = error
  if (retryAfterMs !== undefined && retryAfterMs > rules.longestWaitMs) return null
  const base = code === 'rate-limit' ? BASE_MS['rate-limit'] : BASE_MS.unavailable
  const wanted =
    retryAfterMs === undefined
      ? rules.random() * Math.min(rules.longestWaitMs, base * 2 ** (made.attempts - 1))
      : retryAfterMs + rules.random() * HINT_SPREAD_MS
  const waitMs = Math.min(rules.longestWaitMs, wanted)
  if (made.elapsedMs + waitMs > rules.totalMs * (1 - LEAST_SHARE)) return null
  return { waitMs, isShared: code === 'rate-limit' || retryAfterMs !== undefined }
}
