/** A limit of calls a minute, of which a sixth may come at once; steady use within it is never refused. */
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

  /** True if it has recovered fully: as good as new. */
  get isRested(): boolean {
    return this.#left + (this.#now() - this.#lastMs) * this.#perMs >= this.#most
  }

  /** Returns 0 if the call may proceed, else the milliseconds to wait. */
  take(): number {
    const nowMs = this.#now()
    this.#left = Math.min(this.#most, this.#left + (nowMs - this.#lastMs) * this.#perMs)
    this.#lastMs = nowMs
    if (this.#left < 1) return Math.ceil((1 - this.#left) / this.#perMs)
    this.#left -= 1
    return 0
  }
}

/** Beyond this many addresses at a time, further ones share a limit. */
const MOST_ADDRESSES = 1_000

/** A limit of `perMinute` calls for each address, so that nobody uses up another's. */
export class LimitByAddress {
  readonly #perMinute: number
  readonly #now: () => number
  readonly #limits = new Map<string, RateLimit>()
  readonly #others: RateLimit

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute
    this.#now = now
    this.#others = new RateLimit(perMinute, now)
  }

  /** As `RateLimit.take`. */
  take(address: string): number {
    return this.#limitOf(address).take()
  }

  #limitOf(address: string): RateLimit {
    const known = this.#limits.get(address)
    if (known !== undefined) return known
    if (this.#limits.size >= MOST_ADDRESSES) this.#forgetRested()
    if (this.#limits.size >= MOST_ADDRESSES) return this.#others
    const limit = new RateLimit(this.#perMinute, this.#now)
    this.#limits.set(address, limit)
    return limit
  }

  #forgetRested(): void {
    for (const [address, { isRested }] of this.#limits) if (isRested) this.#limits.delete(address)
  }
}
