import type { ProgressNotification, ProgressToken } from '@modelcontextprotocol/server'
import type { SyncProgress } from '@mnemark/spec'

const LEAST_MS_BETWEEN = 200

/**
 * Reports the progress of a sync that a call waits for: a few times a second and at the end of each phase, by a number that only
 * grows, with a total where one is known. A phase continues from the end of the one before; listing, whose end is unknown, counts
 * as less than 1.
 */
export function progressReporter(
  progressToken: ProgressToken,
  notify: (notification: ProgressNotification) => Promise<void>,
  now: () => number = () => performance.now(),
): (event: SyncProgress) => void {
  let phaseNow: SyncProgress['phase'] | undefined
  let [before, doneNow, progress, lastMs] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  return ({ phase, done, total }) => {
    // Another run starts its phases again.
    if (phase !== phaseNow || done < doneNow) before = Math.ceil(progress)
    phaseNow = phase
    doneNow = done
    const reached = before + (phase === 'list' ? done / (done + 1) : done)
    const isEnd = done === total
    if (reached <= progress || (!isEnd && now() - lastMs < LEAST_MS_BETWEEN)) return
    lastMs = now()
    progress = reached
    const message = `${phase}: ${done}${total === null ? '' : ` of ${total}`}`
    const known = phase === 'list' || total === null ? {} : { total: before + total }
    // The call itself notices a client that has gone.
    notify({ method: 'notifications/progress', params: { progressToken, progress, ...known, message } }).catch(() => {})
  }
}
