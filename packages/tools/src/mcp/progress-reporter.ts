import type { ProgressNotification, ProgressToken } from '@modelcontextprotocol/server'
import type { SyncProgress } from '@mnemark/spec'

const LEAST_MS_BETWEEN = 200

/** Tells a client how far a sync is that its call waits for: a few times a second, by a number that only grows. */
export function progressReporter(
  progressToken: ProgressToken,
  notify: (notification: ProgressNotification) => Promise<void>,
  now: () => number = () => performance.now(),
): (event: SyncProgress) => void {
  let count = 0
  let lastMs = Number.NEGATIVE_INFINITY
  return ({ phase, done, total }) => {
    if (now() - lastMs < LEAST_MS_BETWEEN) return
    lastMs = now()
    count += 1
    const message = `${phase}: ${done}${total === null ? '' : ` of ${total}`}`
    // A client that has gone is noticed by the call itself.
    notify({ method: 'notifications/progress', params: { progressToken, progress: count, message } }).catch(() => {})
  }
}
