import type { DocumentId, MemorySettings, Reranker } from '@mnemark/spec'
import type { LeaseContext } from '../index/with-lease.ts'
import type { AskedReranker } from '../rerank/ask-reranker.ts'
import type { RerankStage } from '../search/rerank/rerank-aged.ts'
import type { SharedAllowance } from '../index/ledger/shared-allowance.ts'

export interface RerankerContext extends LeaseContext {
  readonly settings: MemorySettings
  readonly mayRerank?: ((document: DocumentId) => boolean) | undefined
  readonly now: () => number
}

const TIMEOUT_MS = 2_000

/** The reranker of one memory: its rest after failures, and its tokens of the day. Loaded with the first use. */
export class MemoryReranker {
  readonly #reranker: Reranker
  readonly #context: RerankerContext
  #allowance: SharedAllowance | undefined
  #asked: AskedReranker | undefined

  constructor(reranker: Reranker, context: RerankerContext) {
    this.#reranker = reranker
    this.#context = context
  }

  async stage(): Promise<RerankStage> {
    const { ask } = await this.#open()
    return { ask, limits: this.#reranker.limits, maySend: this.#context.mayRerank }
  }

  /** As status shows it. */
  describe(): Readonly<Record<string, unknown>> {
    const { provider, model, endpoint = null } = this.#reranker
    const cause = this.#asked?.health.cause?.message
    return { provider: provider ?? model, model, endpoint, isHealthy: cause === undefined, ...(cause !== undefined && { cause }) }
  }

  /** Resolves when no count of tokens is on its way to the store. */
  async idle(): Promise<void> {
    await this.#allowance?.idle()
  }

  async #open(): Promise<AskedReranker> {
    const { settings, now, sleep } = this.#context
    const { timeoutMs = TIMEOUT_MS, dailyTokens } = settings.reranking ?? {}
    const [{ askedReranker }, allowance] = await Promise.all([
      import('../rerank/ask-reranker.ts'),
      dailyTokens === undefined ? undefined : this.#allow(dailyTokens),
    ])
    // One breaker for all searches, however many began at once.
    return (this.#asked ??= askedReranker(this.#reranker, { timeoutMs, allowance, now, sleep }))
  }

  async #allow(limit: number): Promise<SharedAllowance> {
    const { sharedAllowance } = await import('../index/ledger/shared-allowance.ts')
    const { settings, ...context } = this.#context
    return (this.#allowance ??= sharedAllowance({ ...context, kind: 'rerank', limit, timeZone: settings.timeZone }))
  }
}
