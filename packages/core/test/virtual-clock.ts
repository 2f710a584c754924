import { setImmediate } from 'node:timers/promises'

interface Sleeper {
  readonly untilMs: number
  readonly wake: () => void
}

/**
 * A clock that a test moves, or that in `run` jumps to the next sleeper when there is no other work; `run` is for work
 * without real I/O. `now` and `sleep` go into createMemory.
 */
export class VirtualClock {
  /** Waits that ended by themselves, in ms. */
  readonly slept: number[] = []
  readonly #sleepers = new Set<Sleeper>()
  #nowMs: number

  constructor(nowMs = 1_000_000) {
    this.#nowMs = nowMs
  }

  readonly now = (): number => this.#nowMs

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const sleeper = {
        untilMs: this.#nowMs + ms,
        wake: () => {
          if (!this.#sleepers.delete(sleeper)) return
          signal?.removeEventListener('abort', stop)
          this.slept.push(ms)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', stop, { once: true })
      if (ms <= 0) void setImmediate().then(sleeper.wake)
    })

  /** Number of timers that are still set. */
  get pending(): number {
    return this.#sleepers.size
  }

  pass(ms: number): void {
    this.#nowMs += ms
    for (const sleeper of [...this.#sleepers].sort((left, right) => left.untilMs - right.untilMs))
      if (sleeper.untilMs <= this.#nowMs) sleeper.wake()
  }

  /** Lets time pass until the work is done. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false
    const done = (): void => {
      isDone = true
    }
    work.then(done, done)
    for (;;) {
      // Twice: work started in the first turn may need one itself.
      await setImmediate()
      await setImmediate()
      if (isDone) return work
      const next = Math.min(...[...this.#sleepers].map(({ untilMs }) => untilMs))
      if (next === Infinity) throw new Error('the work waits for something other than time')
      this.pass(Math.max(0, next - this.#nowMs))
    }
  }
}
