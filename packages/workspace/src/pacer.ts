import { setImmediate } from 'node:timers/promises'

/**
 * Lets other work run now and then during long synchronous file work, which is several times faster than its asynchronous twin.
 * @param every how much work (files, bytes) may pass between two pauses
 */
export function createPacer(every: number): (amount: number, signal?: AbortSignal) => Promise<void> {
  let done = 0
  return async (amount, signal) => {
    done += amount
    if (done < every) return
    done = 0
    await setImmediate()
    signal?.throwIfAborted()
  }
}
