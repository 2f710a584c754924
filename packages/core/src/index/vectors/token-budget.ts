import type { Lease, MemoryStore } from '@mnemark/spec'
import { dayInZone } from '@mnemark/spec'

const SETTING = 'embedding.tokens'

/** Counts the tokens of documents sent in one day against a limit; the count outlives the process. */
export class TokenBudget {
  readonly #store: MemoryStore
  readonly #limit: number
  readonly #day: string
  #used: number

  private constructor(store: MemoryStore, limit: number, state: { readonly day: string; readonly used: number }) {
    this.#store = store
    this.#limit = limit
    this.#day = state.day
    this.#used = state.used
  }

  /** `limit` Infinity = no limit, and nothing is written. */
  static async open(
    store: MemoryStore,
    rules: { readonly limit: number; readonly nowMs: number; readonly timeZone: string | undefined },
  ): Promise<TokenBudget> {
    if (rules.limit === Number.POSITIVE_INFINITY) return new TokenBudget(store, rules.limit, { day: '', used: 0 })
    const day = dayInZone(rules.nowMs, rules.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
    const text = await store.settings.get(SETTING)
    // Only `record` writes this setting.
    const known: { readonly day: string; readonly used: number } | undefined = text === undefined ? undefined : JSON.parse(text)
    return new TokenBudget(store, rules.limit, { day, used: known?.day === day ? known.used : 0 })
  }

  /** Whether this many tokens may still be sent, including those on their way. */
  allows(tokens: number): boolean {
    return this.#used + tokens <= this.#limit
  }

  async record(lease: Lease, tokens: number): Promise<void> {
    if (tokens === 0) return
    this.#used += tokens
    if (this.#limit === Number.POSITIVE_INFINITY) return
    await this.#store.settings.set(lease, SETTING, JSON.stringify({ day: this.#day, used: this.#used }))
  }
}
