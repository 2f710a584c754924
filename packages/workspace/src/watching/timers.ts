/** Waiting, so that a test can let time pass. Based on elapsed time: setting the system clock has no effect. */
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
