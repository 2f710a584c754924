import type { CheckedEffects } from './call-effects.ts'

/** Answers in a row that allow one more request at a time. */
const ANSWERS_PER_SLOT = 10

/**
 * Limits shared by all requests to one service: how many at a time, and until when it rests. A refusal for load pauses
 * all requests and halves the slots; answers give them back one by one (additive increase, multiplicative decrease: RFC
 * 5681 §3.1).
 */
export class Throttle {
  readonly #effects: Pick<CheckedEffects, 'now' | 'sleep'>
  readonly #most: number
  readonly #waiting = new Set<() => void>()
  #slots: number
  #inFlight = 0
  #answers = 0
  #untilMs = Number.NEGATIVE_INFINITY

  constructor(effects: Pick<CheckedEffects, 'now' | 'sleep'>, slots: number) {
    this.#effects = effects
    this.#most = slots
    this.#slots = slots
  }

  /** Resolves when a request may be made; `leave` follows. Rejects with the signal's reason. */
  async enter(signal?: AbortSignal): Promise<void> {
    const { now, sleep } = this.#effects
    for (;;) {
      signal?.throwIfAborted()
      const waitMs = this.#untilMs - now()
      if (waitMs > 0) await sleep(waitMs, signal)
      else if (this.#inFlight >= this.#slots) await this.#change(signal)
      else break
    }
    this.#inFlight++
  }

  leave(): void {
    this.#inFlight--
    this.#wake()
  }

  answered(): void {
    if (this.#slots === this.#most || ++this.#answers < ANSWERS_PER_SLOT) return
    this.#answers = 0
    this.#slots++
    this.#wake()
  }

  pause(waitMs: number): void {
    const nowMs = this.#effects.now()
    // Requests that were in flight together are refused together, which counts once.
    if (nowMs >= this.#untilMs) this.#slots = Math.max(1, Math.floor(this.#slots / 2))
    this.#answers = 0
    this.#untilMs = Math.max(this.#untilMs, nowMs + waitMs)
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(wake)
        reject(signal?.reason)
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      this.#waiting.add(wake)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}
