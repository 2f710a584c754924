import type { Lease, MemoryStore } from '@mnemark/spec'
import { type LedgerDay, ledgerDay, readTokens, writeTokens } from './token-ledger.ts'

/** Counts the tokens of documents that one holder of a lease sends in one day against a limit; the count outlives the process. */
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
  static async open(store: MemoryStore, { limit, ...when }: LedgerDay & { readonly limit: number }): Promise<TokenBudget> {
    if (limit === Number.POSITIVE_INFINITY) return new TokenBudget(store, limit, { day: '', used: 0 })
    const day = ledgerDay(when)
    return new TokenBudget(store, limit, { day, used: await readTokens(store, 'embeddings', day) })
  }

  /** Whether this many tokens may still be sent, including those on their way. */
  allows(tokens: number): boolean {
    return this.#used + tokens <= this.#limit
  }

  async record(lease: Lease, tokens: number): Promise<void> {
    if (tokens === 0) return
    this.#used += tokens
    if (this.#limit === Number.POSITIVE_INFINITY) return
    await writeTokens(this.#store, lease, { kind: 'embeddings', day: this.#day, used: this.#used })
  }
}
