import { setImmediate } from 'node:timers/promises'

/**
 * Yields to the event loop now and then during long synchronous file work, which is several times faster than its asynchronous twin.
 * A promise is returned only where there is something to wait for: ten thousand of them cost more than the files they stand between.
 * @param every how much work (files, bytes) may pass between two yields
 */
export function createYielder(every: number): (amount: number, signal?: AbortSignal) => Promise<void> | undefined {
  let done = 0
  return (amount, signal) => {
    done += amount
    if (done < every) return undefined
    done = 0
    return yieldToEventLoop(signal)
  }
}

async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate()
  signal?.throwIfAborted()
}
