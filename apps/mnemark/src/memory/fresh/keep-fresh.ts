import type { DocumentId, SyncOptions, SyncReport } from '@mnemark/spec'
import type { SyncSettings } from '../../config/resolve/settings.ts'
import type { OpenMemory } from '../open/open-memory.ts'
import { SyncQueue } from './sync-queue.ts'
import type { SyncRun } from './sync-queue.ts'

const MS_PER_MINUTE = 60_000
/** The longest time a timer can wait. */
const MAX_TIMER_MS = 2_147_483_647

export interface FreshnessHandlers {
  readonly onReport: (run: SyncRun, report: SyncReport) => void
  readonly onFailure: (run: SyncRun, error: unknown) => void
  readonly onProgress?: SyncOptions['onProgress']
}

export interface KeptFresh {
  request(run: SyncRun): void
  /** Tells the queue, after a sync elsewhere, when a paused provider may be asked again. */
  resumeAt(retryAtMs: number | undefined): void
  /** Ends the watch and waits for the current sync; queued work waits for the next start. */
  close(): Promise<void>
}

/** Syncs on every change, now and then, and on request, one sync at a time, until closed. */
export function keepFresh(open: OpenMemory, sync: SyncSettings, handlers: FreshnessHandlers): KeptFresh {
  // Background failures go to its own log and to status.
  open.start().catch((error: unknown) => handlers.onFailure({ reason: 'start' }, error))
  const queue = new SyncQueue({ memory: open.memory, after: later, now: Date.now, ...handlers })
  const watching = sync.watch ? open.notes.source.watch?.((changed) => queue.request(runFor(changed))) : undefined
  const cancelInterval = every(sync.intervalMinutes * MS_PER_MINUTE, () => queue.request({ reason: 'interval' }))
  return {
    request: (run) => queue.request(run),
    resumeAt: (retryAtMs) => queue.resumeAt(retryAtMs),
    close: async () => {
      cancelInterval()
      await Promise.all([queue.close(), watching?.close()])
    },
  }
}

function runFor(changed: readonly DocumentId[]): SyncRun {
  return changed.length === 0 ? { reason: 'watch' } : { reason: 'watch', paths: changed }
}

function later(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(MAX_TIMER_MS, ms))
  return () => clearTimeout(timer)
}

function every(ms: number, callback: () => void): () => void {
  if (ms === 0) return () => {}
  const timer = setInterval(callback, Math.min(MAX_TIMER_MS, Math.max(1, ms)))
  return () => clearInterval(timer)
}
