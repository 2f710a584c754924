interface Sleeper {
  readonly untilMs: number
  readonly wake: () => void
}

/** Time that passes only when a test says so. `now` and `sleep` go into createMemory. */
export class ManualClock {
  #nowMs: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  readonly now = (): number => this.#nowMs

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (ms <= 0) return void setImmediate(resolve)
      const stop = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const sleeper = {
        untilMs: this.#nowMs + ms,
        wake: () => {
          this.#sleepers.delete(sleeper)
          signal?.removeEventListener('abort', stop)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', stop, { once: true })
    })

  advance(ms: number): void {
    this.#nowMs += ms
    for (const sleeper of [...this.#sleepers].sort((left, right) => left.untilMs - right.untilMs)) {
      if (sleeper.untilMs <= this.#nowMs) sleeper.wake()
    }
  }
}
