/** So many calls a minute, a sixth of them at once; steady use is never refused. */
export class RateLimit {
  readonly #perMs: number
  readonly #most: number
  readonly #now: () => number
  #left: number
  #lastMs: number

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMs = perMinute / 60_000
    this.#most = Math.max(1, perMinute / 6)
    this.#now = now
    this.#left = this.#most
    this.#lastMs = now()
  }

  /** 0 where the call may go on, else the milliseconds after which one may. */
  take(): number {
    const nowMs = this.#now()
    this.#left = Math.min(this.#most, this.#left + (nowMs - this.#lastMs) * this.#perMs)
    this.#lastMs = nowMs
    if (this.#left < 1) return Math.ceil((1 - this.#left) / this.#perMs)
    this.#left -= 1
    return 0
  }
}
