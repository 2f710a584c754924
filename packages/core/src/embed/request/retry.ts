import type { ProviderError } from '@mnemark/spec'

export interface RetryRules {
  /** Requests in all, the first one too. */
  readonly attempts: number
  /** From the first attempt on, waits included. */
  readonly totalMs: number
  /** No wait is longer: a service that asks for more is not asked again. */
  readonly longestWaitMs: number
}
export interface RetryWait {
  readonly waitMs: number
  /** True where the service itself is busy: everyone waits. */
  readonly isShared: boolean
}

/** Limits are mostly per minute: six attempts from 5 s on reach across one, from 1 s on across a restart. */
const BASE_MS = { 'rate-limit': 5_000, unavailable: 1_000 }
/** An attempt with less than this share of the total time left is not begun: it would fail for its haste. */
const LEAST_SHARE = 0.1
/** Spreads those that were told to come back at the same time. */
const HINT_SPREAD_MS = 1_000

/**
 * How long to wait before the next attempt; null to give up. With a hint of the service at least that, and none beyond the longest wait;
 * else full jitter: evenly between 0 and base × 2^(attempts − 1) (AWS Architecture Blog, "Exponential Backoff And Jitter", 2015).
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
