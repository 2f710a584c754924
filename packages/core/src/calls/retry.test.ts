import type { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { refusal } from '../../test/fake-embedder.ts'
import { type RetryRules, waitBeforeRetry } from './retry.ts'

const RULES: RetryRules = { attempts: 6, totalMs: 900_000, longestWaitMs: 120_000 }

function waits(
  error: ProviderError,
  more: Partial<RetryRules> & { random?: () => number; elapsedMs?: number; attempts?: number } = {},
) {
  const { random = () => 0.5, elapsedMs = 0, attempts: made = 1, ...rules } = more
  return waitBeforeRetry(error, { attempts: made, elapsedMs }, { ...RULES, ...rules, random })
}

test('full jitter: anything from nothing to the doubled base, never above the longest wait', () => {
  const error = refusal('unavailable')
  expect(waits(error, { random: () => 0 })).toEqual({ waitMs: 0, isShared: false })
  expect(waits(error, { attempts: 3, random: () => 1 })?.waitMs).toBe(4000)
  expect(waits(error, { attempts: 5, random: () => 1, longestWaitMs: 7000 })?.waitMs).toBe(7000)
})

test('B64, P51: a hint is waited for in full and shared; one beyond the longest wait ends the tries', () => {
  const error = refusal('rate-limit', { retryAfterMs: 34_000 })
  expect(waits(error, { random: () => 0 })).toEqual({ waitMs: 34_000, isShared: true })
  expect(waits(error, { longestWaitMs: 10_000 })).toBeNull()
  expect(waits(refusal('rate-limit', { retryAfterMs: 120_000 }))).toEqual({ waitMs: 120_000, isShared: true })
  expect(waits(refusal('unavailable', { retryAfterMs: 120_001 }))).toBeNull()
  expect(waits(refusal('rate-limit', { retryAfterMs: 10_800_000 }))).toBeNull()
})

test('gives up when it was tried often enough, when time is nearly over, and where it cannot help', () => {
  const error = refusal('unavailable')
  expect(waits(error, { attempts: 6 })).toBeNull()
  expect(waits(error, { elapsedMs: 899_000 })).toBeNull()
  for (const code of ['auth', 'quota', 'invalid-input', 'bad-response', 'cancelled'] as const)
    expect(waits(refusal(code, { retryAfterMs: 1 }))).toBeNull()
})
