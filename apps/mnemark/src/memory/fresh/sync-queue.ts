import type { DocumentId, MemoryBackend, SyncOptions, SyncReport } from '@mnemark/spec'
import { withoutUndefined } from '../../config/without-undefined.ts'

export type SyncReason = 'start' | 'watch' | 'interval' | 'manual'

/** The reason and paths of one run. Without `paths` it looks at everything. */
export interface SyncRun {
  readonly reason: SyncReason
  readonly paths?: readonly DocumentId[]
}

export interface SyncQueueOptions {
  readonly memory: Pick<MemoryBackend, 'sync'>
  readonly onReport: (run: SyncRun, report: SyncReport) => void
  readonly onFailure: (run: SyncRun, error: unknown) => void
  readonly onProgress?: SyncOptions['onProgress']
  /** Calls once after that many milliseconds, unless the returned function is called before. */
  readonly after: (ms: number, callback: () => void) => () => void
  readonly now: () => number
}

/** A run that failed (another process writes, the disk is full) is tried again after this time, or with the next change. */
const RETRY_MS = 30_000

/** The shortest pause before a paused provider is asked again. */
const LEAST_REST_MS = 1_000

/** Runs syncs one after the other. Requests that arrive during a run become one run after it. */
export class SyncQueue {
  readonly #options: SyncQueueOptions
  #waiting: SyncRun | null = null
  #running: Promise<void> | null = null
  #cancelRetry: () => void = () => {}
  #cancelResume: () => void = () => {}
  #isClosed = false

  constructor(options: SyncQueueOptions) {
    this.#options = options
  }

  request(run: SyncRun): void {
    if (this.#isClosed) return
    this.#waiting = this.#waiting === null ? run : join(this.#waiting, run)
    this.#running ??= this.#work()
  }

  /** Starts no further run, and waits for the current one. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRetry()
    this.#cancelResume()
    await this.#running
  }

  async #work(): Promise<void> {
    this.#cancelRetry()
    let hasFailed = false
    while (this.#waiting !== null && !this.#isClosed && !hasFailed) {
      const run = this.#waiting
      this.#waiting = null
      hasFailed = !(await this.#sync(run))
    }
    this.#running = null
    if (hasFailed && !this.#isClosed) this.#retryLater()
  }

  async #sync(run: SyncRun): Promise<boolean> {
    const { memory, onReport, onFailure, onProgress } = this.#options
    try {
      const report = await memory.sync({ ...run, ...withoutUndefined({ onProgress }) })
      this.resumeAt(report.retryAtMs)
      onReport(run, report)
      return true
    } catch (error) {
      this.#waiting = this.#waiting === null ? run : join(run, this.#waiting)
      if (!this.#isClosed) onFailure(run, error)
      return false
    }
  }

  /** Embeds later, without being asked, what a provider was not ready for. Each report sets the time anew. */
  resumeAt(retryAtMs: number | undefined): void {
    this.#cancelResume()
    if (retryAtMs === undefined || this.#isClosed) return
    const waitMs = Math.max(LEAST_REST_MS, retryAtMs - this.#options.now())
    this.#cancelResume = this.#options.after(waitMs, () => this.request({ reason: 'interval' }))
  }

  #retryLater(): void {
    this.#cancelRetry = this.#options.after(RETRY_MS, () => {
      this.#running ??= this.#work()
    })
  }
}

function join(first: SyncRun, second: SyncRun): SyncRun {
  if (first.paths === undefined || second.paths === undefined)
    return { reason: first.paths === undefined ? first.reason : second.reason }
  const paths = new Map([...first.paths, ...second.paths].map((id) => [`${id.source}\0${id.path}\0${id.part ?? ''}`, id]))
  return { reason: first.reason, paths: [...paths.values()] }
}
