import type { MayEmbed } from '../index/vectors/missing-inputs.ts'
import type {
  CreateMemoryOptions,
  Degradation,
  EmbeddingProvider,
  MemorySettings,
  SearchQuery,
  SpaceCoverage,
  StoreSnapshot,
  SyncOptions,
} from '@mnemark/spec'
import { ConfigError } from '@mnemark/spec'
import type { ChainLink, Coverage } from '../embed/chain/chain.ts'
import { nameOf } from '../embed/chain/link-name.ts'
import type { ChainedQuery, QueryFailure } from '../embed/chain/embed-query-by-chain.ts'
import type { FillOptions, FillReport } from '../index/vectors/fill-options.ts'
import type { PreparedDocument } from '../index/documents/prepare-document.ts'
import { type LeaseContext, withWriteLease } from '../index/with-lease.ts'
import { plainQuery } from '../keywords/terms/query-syntax.ts'
import type { QueryVector } from '../search/candidates/vector-candidates.ts'
import type { ChainHealth } from './chain-health.ts'

type Closable = NonNullable<CreateMemoryOptions['closes']>[number]

export interface VectorContext extends LeaseContext {
  readonly settings: MemorySettings
  readonly mayEmbed?: MayEmbed | undefined
  /** Closed with the memory. */
  readonly closes: readonly Closable[]
  readonly now: () => number
}

export interface AskedVector {
  readonly vector: QueryVector | null
  /** The provider whose space answers, else null. */
  readonly answeredBy: { readonly provider: string; readonly model: string } | null
  readonly degraded: readonly Degradation[]
  /** True where vectors are required and no provider can give the query one. */
  readonly isRefused: boolean
}

/** How long closing one of `closes` may take. */
const CLOSE_WAIT_MS = 10_000

const NOT_ASKED: AskedVector = { vector: null, answeredBy: null, degraded: [], isRefused: false }
/** The vector side of one memory: its chain, fills and queries. The code of chains is loaded with the first use. */
export class MemoryVectors {
  readonly #providers: readonly EmbeddingProvider[]
  readonly #context: VectorContext
  #chain: Promise<ChainHealth> | undefined
  #isStopping = false
  #closed: Promise<void> | undefined

  constructor(providers: readonly EmbeddingProvider[], context: VectorContext) {
    this.#providers = providers
    this.#context = context
  }

  get isEmpty(): boolean {
    return this.#providers.length === 0
  }

  /** The provider that replies show as requested. */
  get requestedProvider(): string | null {
    return this.#context.settings.requestedProvider ?? this.#providers[0]?.space.provider ?? null
  }

  /** Embeds a query by the chain. Rejects only when the caller's signal aborts. */
  async ask(snapshot: StoreSnapshot, { text, signal }: Pick<SearchQuery, 'text' | 'signal'>): Promise<AskedVector> {
    if (this.isEmpty) return NOT_ASKED
    const [chain, spaces, { embedQueryByChain }, { chooseQueryLink, healthOf }] = await Promise.all([
      this.#open(),
      snapshot.spaces(),
      import('../embed/chain/embed-query-by-chain.ts'),
      import('../embed/chain/chain.ts'),
    ])
    const coverage = await coverageOf(snapshot, spaces, chain.links)
    const { settings, now, sleep } = this.#context
    // A space that is not filled yet still has to report its provider's health, where nothing else may answer.
    const isProbe = settings.requiresVectors === true
    const dimensionsOf = new Map(coverage.map(({ fingerprint, dimensions }) => [fingerprint, dimensions]))
    const probed = chain.links.map(({ fingerprint }) => {
      const dimensions = dimensionsOf.get(fingerprint) ?? null
      return { fingerprint, filled: 1, missing: 0, failed: 0, dimensions }
    })
    const asked = await embedQueryByChain(chain.links, plainQuery(text), {
      coverage: isProbe ? probed : coverage,
      now,
      sleep,
      signal,
      timeouts: { queryMs: settings.embedding?.queryTimeoutMs },
    })
    // A search never waits for writers.
    void chain.save(this.#context)
    if (asked.link === null) return this.#unanswered(chain, asked)
    const { fingerprint, provider } = asked.link
    const { position, degraded } = isProbe ? chooseQueryLink([healthOf(asked.link)], coverage) : { position: 0, ...asked }
    if (position === null || asked.vector === null) return { ...NOT_ASKED, degraded }
    const vector = {
      fingerprint,
      name: nameOf(provider),
      vector: asked.vector,
      confidence: asked.confidence,
      weight: provider.traits.vectorWeight,
    }
    const { provider: id, model } = provider.space
    const shortened = asked.isShortened ? [shortenedQuery(vector.name)] : []
    return { vector, answeredBy: { provider: id, model }, degraded: [...degraded, ...shortened], isRefused: false }
  }

  /** Embeds what is missing. Does nothing without providers. */
  async fill(options: FillOptions): Promise<FillReport> {
    if (this.isEmpty) return { tokens: 0, usd: undefined, degraded: [], notes: [] }
    const { fillVectors } = await import('../index/vectors/fill-vectors.ts')
    const chain = await this.#open()
    try {
      return await fillVectors(
        { ...this.#context, links: chain.links },
        { ...options, isStopping: () => this.#isStopping || options.isStopping?.() === true },
      )
    } finally {
      await chain.save(this.#context)
    }
  }

  /**
   * Plans the vectors a sync would embed: those the first link lacks, those of the next link where it is kept warm, and
   * all of a space that is embedded again. Null without providers. Throws ConfigError for a space that no provider of
   * the chain fills.
   */
  async plan(reEmbed?: string): Promise<VectorEstimate | null> {
    if (this.isEmpty && reEmbed === undefined) return null
    const again = reEmbed === undefined ? undefined : await this.#linkNamed(reEmbed)
    const { links } = await this.#open()
    const { VectorPlan, sumOfPlans } = await import('../index/vectors/plan-vectors.ts')
    const filled = links.slice(0, this.#context.settings.keepWarm === true ? 2 : 1)
    const plans = [...new Set([...filled, ...(again ? [again] : [])])].map((link) => new VectorPlan(link, link === again))
    return {
      add: (prepared) => {
        for (const plan of plans) plan.add(prepared)
      },
      finish: async () => {
        const { store } = this.#context
        const planned = sumOfPlans(await Promise.all(plans.map((plan) => plan.finish(store))))
        return { ...planned, degraded: [], notes: [] }
      },
    }
  }

  /**
   * Drops the vectors of a space, so that they are embedded again, and returns its fingerprint. Throws ConfigError for
   * a space that no provider of the chain fills.
   */
  async drop(space: string, signal: SyncOptions['signal']): Promise<string> {
    const { fingerprint, breaker } = await this.#linkNamed(space)
    const { store } = this.#context
    await withWriteLease(this.#context, signal, (lease) => store.dropSpace(lease, fingerprint))
    // An empty space takes vectors of any length.
    if (breaker.state.cause?.code === 'space-mismatch') breaker.succeeded()
    return fingerprint
  }

  async #linkNamed(space: string): Promise<ChainLink> {
    const chain = this.isEmpty ? undefined : await this.#open()
    const link = chain?.links.find(
      ({ fingerprint, provider }) =>
        fingerprint.startsWith(space) ||
        [provider.space.provider, provider.space.model, `${provider.space.provider}/${provider.space.model}`].includes(space),
    )
    if (link) return link
    const known = chain?.links.map(({ provider }) => `${provider.space.provider}/${provider.space.model}`) ?? []
    const allowed = known.length > 0 ? known.join(', ') : 'none, since no embedding provider is set'
    throw new ConfigError('invalid-value', `reEmbed: no provider fills a space ${JSON.stringify(space)}. Known: ${allowed}.`)
  }

  /**
   * Coverage of the spaces in the store, and of the first link's space, which the store does not know before its first
   * vector: there every text is missing.
   */
  async coverage(snapshot: StoreSnapshot): Promise<readonly SpaceCoverage[]> {
    const spaces = await snapshot.spaces()
    if (this.isEmpty) return spaces
    const [first] = (await this.#open()).links
    if (first === undefined || spaces.some(({ fingerprint }) => fingerprint === first.fingerprint)) return spaces
    const missing = await countInputs(snapshot, spaces)
    if (missing === 0) return spaces
    const { fingerprint, provider } = first
    return [{ fingerprint, space: provider.space, dimensions: null, filled: 0, missing, failed: 0, isComplete: false }, ...spaces]
  }

  /** Health and position of each link, as status shows them. */
  async describe(): Promise<readonly LinkDescription[]> {
    if (this.isEmpty) return []
    const chain = await this.#open()
    return chain.links.map(({ provider, fingerprint, breaker }) => ({
      provider: provider.space.provider,
      model: provider.space.model,
      endpoint: provider.space.endpoint,
      space: fingerprint,
      isHealthy: breaker.state.failures === 0,
      ...(breaker.state.cause && { cause: breaker.state.cause.message }),
      ...(breaker.state.failingSinceMs !== null && { failingSinceMs: breaker.state.failingSinceMs }),
    }))
  }

  /** Sends nothing more; answers on their way are kept. */
  stop(): void {
    this.#isStopping = true
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #close(): Promise<void> {
    const chain = await this.#chain?.catch(() => undefined)
    await chain?.idle()
    await Promise.all(this.#context.closes.map((each) => this.#closeOne(each)))
  }

  /** A resource that fails to close, or never does, keeps nothing else open. */
  async #closeOne(each: Closable): Promise<void> {
    const waiting = new AbortController()
    const closed = (async () => each.close?.())()
    await Promise.race([closed, this.#context.sleep(CLOSE_WAIT_MS, waiting.signal)]).catch(() => {})
    waiting.abort()
  }

  #open(): Promise<ChainHealth> {
    const { store, now } = this.#context
    this.#chain ??= import('./chain-health.ts')
      .then(({ ChainHealth: Health }) => Health.open(this.#providers, { store, now }))
      .catch((error: unknown) => {
        // The next call tries again.
        this.#chain = undefined
        throw error
      })
    return this.#chain
  }

  #unanswered(chain: ChainHealth, { degraded, ...asked }: ChainedQuery & { readonly link: null }): AskedVector {
    if (this.#context.settings.requiresVectors !== true) return { ...NOT_ASKED, degraded }
    const isRefused = 'error' in asked || chain.links.some(({ breaker }) => breaker.state.failures > 0)
    return { ...NOT_ASKED, degraded: isRefused ? refusal(chain, degraded, asked.error) : degraded, isRefused }
  }
}

function shortenedQuery(name: string): Degradation {
  const message = `the query is longer than ${name} takes: its end was compared by meaning, all of it by words. Ask a shorter question.`
  return { code: 'query-shortened', message }
}

/** No store knows this space: every input is missing from it. */
const NO_SPACE = ''
const PAGE = 4_096

/** Any known space counts all inputs; without one they are counted. */
async function countInputs(snapshot: StoreSnapshot, [known]: readonly SpaceCoverage[]): Promise<number> {
  if (known !== undefined) return known.filled + known.missing + known.failed
  let count = 0
  let after: string | undefined
  for (;;) {
    const page = await snapshot.missingInputs(NO_SPACE, { limit: PAGE, ...(after !== undefined && { after }) })
    count += page.length
    if (page.length < PAGE) return count
    after = page.at(-1)?.hash
  }
}

/** Collects the documents a dry run would write. */
export interface VectorEstimate {
  readonly add: (prepared: PreparedDocument) => void
  /** `usdByBatch`: the price of `tokens` in batch jobs, where the provider runs them and states it. */
  readonly finish: () => Promise<FillReport & { readonly usdByBatch?: number }>
}

export interface LinkDescription {
  readonly provider: string
  readonly model: string
  readonly endpoint: string | null
  readonly space: string
  readonly isHealthy: boolean
  readonly cause?: string
  readonly failingSinceMs?: number
}

function refusal(chain: ChainHealth, degraded: readonly Degradation[], error: QueryFailure | undefined): readonly Degradation[] {
  const [first] = chain.links
  const cause = error?.message ?? first?.breaker.state.cause?.message ?? degraded[0]?.message ?? ''
  const name = first ? nameOf(first.provider) : 'the provider'
  const message =
    `${name} was named and could not embed the query: ${cause} ` +
    'Mend it, search by words alone (`keywordsOnly: true`), or give a second provider in `embeddings`.'
  return [{ code: 'provider-unavailable', message }]
}

/** A store without a text knows no space, and none lacks anything. */
async function coverageOf(
  snapshot: StoreSnapshot,
  spaces: readonly SpaceCoverage[],
  links: readonly ChainLink[],
): Promise<readonly Coverage[]> {
  const unknown = links.filter((link) => !spaces.some(({ fingerprint }) => fingerprint === link.fingerprint))
  if (unknown.length === 0 || (await snapshot.counts()).chunks > 0) return spaces
  return [...spaces, ...unknown.map(({ fingerprint }) => ({ fingerprint, filled: 0, missing: 0, failed: 0 }))]
}
