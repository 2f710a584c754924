import type { CheckedEffects } from './embed-settings.ts'

/** One pause for all who talk to a service: what one of them was told holds for the others. */
export class SharedPause {
  readonly #effects: Pick<CheckedEffects, 'now' | 'sleep'>
  #untilMs = Number.NEGATIVE_INFINITY

  constructor(effects: Pick<CheckedEffects, 'now' | 'sleep'>) {
    this.#effects = effects
  }

  extend(untilMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, untilMs)
  }

  /** Resolves when nobody has to wait any more. Rejects with the signal's reason. */
  async over(signal?: AbortSignal): Promise<void> {
    const { now, sleep } = this.#effects
    for (let waitMs = this.#untilMs - now(); waitMs > 0; waitMs = this.#untilMs - now()) await sleep(waitMs, signal)
  }
}
