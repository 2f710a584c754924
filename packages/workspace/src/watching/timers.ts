/** Waiting, so that a test can let time pass. Elapsed time counts, not the clock on the wall: setting that changes nothing. */
export interface Timers {
  /** Calls once after that many milliseconds, unless the returned function is called before. */
  after(ms: number, callback: () => void): () => void
}

export const SYSTEM_TIMERS: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
