import type { EmbeddingProvider, MemoryStore } from '@mnemark/spec'
import { type ChainLink, createChain } from '../embed/chain.ts'
import { type BreakerState, circuitBreaker } from '../embed/circuit-breaker.ts'
import { type LeaseContext, withWriteLease } from '../index/with-lease.ts'

const SETTING = 'embedding.health'

type Health = Readonly<Record<string, BreakerState>>

async function readHealth(store: MemoryStore): Promise<Health> {
  const text = await store.settings.get(SETTING)
  // Only `save` writes this setting.
  return text === undefined ? {} : JSON.parse(text)
}

/** A process that begins tries once more: what failed may have been mended. Since when it fails is remembered. */
function rested(state: BreakerState, nowMs: number): BreakerState {
  return state.retryAtMs === null ? state : { ...state, retryAtMs: nowMs }
}

/** The chain of one memory, and the health of its links, which outlives the process. */
export class ChainHealth {
  readonly links: readonly ChainLink[]
  readonly warnings: readonly string[]
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

  /** Writes the health down where it changed. */
  async save(context: LeaseContext): Promise<void> {
    const failing = this.links.filter(({ breaker }) => breaker.state.failures > 0)
    const text = JSON.stringify(Object.fromEntries(failing.map(({ fingerprint, breaker }) => [fingerprint, breaker.state])))
    if (text === this.#saved) return
    this.#saved = text
    await withWriteLease(context, undefined, (lease) => context.store.settings.set(lease, SETTING, text))
  }
}
