import type { EmbeddingProvider, MemoryStore } from '@mnemark/spec'
import { type ChainLink, createChain } from '../embed/chain/chain.ts'
import { type BreakerState, circuitBreaker } from '../calls/circuit-breaker.ts'
import { type LeaseContext, withLease } from '../index/with-lease.ts'
import { SyncRunner } from './sync-runner.ts'

const SETTING = 'embedding.health'
/** How long to wait for another process that writes; the next save tries again. */
const SAVE_WAIT_MS = 2_000

type Health = Readonly<Record<string, BreakerState>>

async function readHealth(store: MemoryStore): Promise<Health> {
  const text = await store.settings.get(SETTING)
  // Only `save` writes this setting.
  return text === undefined ? {} : JSON.parse(text)
}

/** A new process tries once more, since the cause may be repaired. The time of the first failure is kept. */
function rested(state: BreakerState, nowMs: number): BreakerState {
  return state.retryAtMs === null ? state : { ...state, retryAtMs: nowMs }
}

/** The chain of one memory and the health of its links, which outlives the process. */
export class ChainHealth {
  readonly links: readonly ChainLink[]
  readonly warnings: readonly string[]
  readonly #saves = new SyncRunner<void>()
  #saved: string

  private constructor(chain: ReturnType<typeof createChain>, health: Health) {
    this.links = chain.links
    this.warnings = chain.warnings
    this.#saved = JSON.stringify(health)
  }

  static async open(
    providers: readonly EmbeddingProvider[],
    { store, now }: { readonly store: MemoryStore; readonly now: () => number },
  ): Promise<ChainHealth> {
    const health = await readHealth(store)
    const chain = createChain(providers, (fingerprint) => {
      const known = health[fingerprint]
      return circuitBreaker({ now, restored: known && rested(known, now()) })
    })
    return new ChainHealth(chain, health)
  }

  /**
   * Saves the health where it changed. Never rejects: health is a hint for the next process, and an index that cannot
   * be written goes without.
   */
  save(context: LeaseContext): Promise<void> {
    return this.#saves.join(() => this.#write(context)).catch(() => {})
  }

  /** Resolves when no write is running. */
  async idle(): Promise<void> {
    await this.#saves.idle()
  }

  async #write(context: LeaseContext): Promise<void> {
    const failing = this.links.filter(({ breaker }) => breaker.state.failures > 0)
    const text = JSON.stringify(Object.fromEntries(failing.map(({ fingerprint, breaker }) => [fingerprint, breaker.state])))
    if (text === this.#saved) return
    const request = { name: 'write', waitMs: SAVE_WAIT_MS, signal: undefined } as const
    const done = await withLease(context, request, (lease) => context.store.settings.set(lease, SETTING, text))
    if (done) this.#saved = text
  }
}
