/** A clock that stands until a test moves it, or each request does by as much as the test says. */
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
