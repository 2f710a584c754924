import { setTimeout } from 'node:timers/promises'

export interface ScheduleOptions {
  /** Rest between two runs; 0 = no automatic runs. */
  readonly intervalMs: number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** Runs `job` repeatedly, each time after the rest, until the signal ends. `job` must handle its own errors. */
export function repeat(job: () => Promise<void>, { intervalMs, sleep, signal }: ScheduleOptions): void {
  if (intervalMs <= 0) return
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(intervalMs, signal)
      await job()
    }
  }
  run().catch(() => {
    // The sleep was ended by the signal.
  })
}

/** A timer that does not keep the process alive. */
export function sleepUnheld(ms: number, signal?: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal, ref: false })
}
