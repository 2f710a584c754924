import { setTimeout as delay } from 'node:timers/promises'
import { isBusy } from './error-mapping.ts'

const FIRST_DELAY_MS = 4
const LONGEST_DELAY_MS = 100

/** 4, 8, 16 ... 100 ms. */
export function pollDelayMs(attempt: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10))
}

/** Resolves after the time, or as soon as the signal ends. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal ? { signal } : {})
  } catch {
    // The signal ended, which the caller checks.
  }
}

/**
 * Retries `attempt` while SQLite reports that another process is in the way, without blocking the event loop in
 * between. Rejects with the last error after `timeoutMs`, with the reason of the signal when that ends first.
 */
export async function retryWhileBusy<T>(attempt: () => T, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (let count = 0; ; count++) {
    signal?.throwIfAborted()
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await pause(pollDelayMs(count), signal)
    }
  }
}
