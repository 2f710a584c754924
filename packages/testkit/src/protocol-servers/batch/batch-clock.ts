/** A clock that moves only when a test moves it, or by a set time with each request. */
export class BatchClock {
  /** How far each request moves the clock. Default 0. */
  msPerRequest = 0
  #nowMs: number

  constructor(startMs: number = Date.UTC(2026, 10, 1)) {
    this.#nowMs = startMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  advance(ms: number): void {
    this.#nowMs += ms
  }
}
