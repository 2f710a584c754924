import type { Degradation, EmbeddingInput, Lease } from '@mnemark/spec'
import { ProviderError, StoreError } from '@mnemark/spec'
import {
  type ChainLink,
  chooseDocumentLinks,
  type Coverage,
  type DocumentChoice,
  type DocumentRules,
  FALLBACK_AFTER_MINUTES,
  FORCED_SYNC,
  givesUpAtMs,
  healthOf,
} from '../../embed/chain/chain.ts'
import type { CallFailure } from '../../calls/circuit-breaker.ts'
import { usdFor } from '../../embed/price.ts'
import { embedEach } from '../../embed/embed-each.ts'
import type { EmbedSummary } from '../../embed/embed-options.ts'
import type { InputResult } from '../../embed/input/input-results.ts'
import { nameOf, pausedMessage } from '../../embed/chain/link-name.ts'
import { measureFor } from '../../embed/input/measure-input.ts'
import { type BatchFill, fillByBatch, hasJobs } from './fill-by-batch.ts'
import type { FillContext, FillOptions, FillReport } from './fill-options.ts'
import { missingInputs } from './missing-inputs.ts'
import { TokenBudget } from '../ledger/token-budget.ts'
import { keepAlive, withLease } from '../with-lease.ts'
import { withSnapshot } from '../with-snapshot.ts'

const NOTHING: FillReport = { tokens: 0, usd: undefined, degraded: [], notes: [] }

/** Whether the space of this link has work left: a text without a vector, or a job at the service. */
async function isWaiting(context: FillContext, link: ChainLink, retryFailed = false): Promise<boolean> {
  const { store, mayEmbed } = context
  const isMissing = mayEmbed === undefined ? isAnyMissing() : isAnyAllowed()
  return (await isMissing) || (await hasJobs(context, link))

  function isAnyMissing(): Promise<boolean> {
    return withSnapshot(
      store,
      async (snapshot) => (await snapshot.missingInputs(link.fingerprint, { limit: 1, retryFailed })).length > 0,
    )
  }

  async function isAnyAllowed(): Promise<boolean> {
    return !(await missingInputs(store, link.fingerprint, { retryFailed, mayEmbed }).next()).done
  }
}

/** Fills the space of one link: reads missing inputs, sends them, and stores every result as it comes. */
class SpaceFill {
  readonly #context: FillContext
  readonly #link: ChainLink
  readonly #lease: Lease
  readonly #budget: TokenBudget
  readonly #options: FillOptions
  readonly #sent: { readonly hash: string; readonly tokens: number }[] = []
  readonly #measure: (text: string) => number
  /** Estimated tokens on their way that count against the budget. */
  #queued = 0
  #recorded = 0
  /** Refusals since the last vector: the texts are at fault if another vector comes, else the service. */
  #refused: { readonly hash: string; readonly error: ProviderError }[] = []
  /** Unusable answers: a fault of the service, whatever the text, so that the next sync sends the inputs again. */
  readonly #unusable: ProviderError[] = []
  #failed = 0
  /** Whether this model has ever answered for this index. */
  #isProven = false
  #isOverBudget = false
  #batch: BatchFill | undefined

  constructor(context: FillContext, link: ChainLink, run: { lease: Lease; budget: TokenBudget; options: FillOptions }) {
    this.#context = context
    this.#link = link
    this.#lease = run.lease
    this.#budget = run.budget
    this.#options = run.options
    this.#measure = measureFor(link.provider).tokens
  }

  async run(): Promise<FillReport> {
    const { breaker, provider } = this.#link
    if (!breaker.tryPass()) return NOTHING
    try {
      this.#batch = await fillByBatch(this.#context, this.#link, {
        lease: this.#lease,
        budget: this.#budget,
        options: this.#options,
      })
      const total = await this.#total()
      const summary = await embedEach(provider, this.#inputs(), {
        inputType: 'document',
        now: this.#context.now,
        sleep: this.#context.sleep,
        signal: this.#options.signal,
        attempts: this.#options.attempts,
        concurrency: this.#context.settings.embedding?.concurrency,
        timeouts: { documentMs: this.#context.settings.embedding?.documentTimeoutMs },
        onResults: (results) => this.#keep(results),
        onProgress: ({ embedded, failed, tokens }) => this.#report(embedded + failed, { total, tokens }),
      })
      return await this.#finish(summary)
    } catch (error) {
      if (StoreError.isInstance(error) && error.code === 'space-mismatch') return this.#paused(error)
      // Raised for example by a provider that cannot count tokens.
      if (ProviderError.isInstance(error) && error.code !== 'cancelled') return this.#broken(error)
      breaker.abandoned()
      throw error
    }
  }

  async *#inputs(): AsyncGenerator<EmbeddingInput> {
    const { signal, retryFailed, limit = Number.POSITIVE_INFINITY, isStopping } = this.#options
    const { store, mayEmbed } = this.#context
    for await (const { hash, input } of missingInputs(store, this.#link.fingerprint, { signal, retryFailed, mayEmbed })) {
      if (this.#sent.length >= limit || isStopping?.()) return
      if (this.#batch?.isForRequests(hash) === false) continue
      const tokens = this.#measure(input.text)
      this.#isOverBudget = !this.#budget.allows(this.#queued + tokens)
      if (this.#isOverBudget) return
      this.#queued += tokens
      this.#sent.push({ hash, tokens })
      yield input
    }
  }

  async #keep(results: readonly InputResult[]): Promise<void> {
    const hashOf = ({ index }: InputResult): string => this.#sent[index]?.hash ?? ''
    const { store } = this.#context
    const filled = results.flatMap((result) =>
      result.status === 'embedded' ? [{ hash: hashOf(result), vector: result.vector }] : [],
    )
    for (const result of results) {
      if (result.status !== 'failed') continue
      if (result.error.code === 'bad-response') this.#unusable.push(result.error)
      else this.#refused.push({ hash: hashOf(result), error: result.error })
    }
    // The tokens are paid, even where a vector cannot be used.
    await this.#record(results.reduce((sum, { index }) => sum + (this.#sent[index]?.tokens ?? 0), 0))
    if (filled.length === 0) return
    await store.putVectors(this.#lease, this.#link.provider.space, filled)
    this.#link.breaker.succeeded()
    this.#isProven = true
    await this.#markRefused()
  }

  async #markRefused(): Promise<void> {
    const failures = this.#refused.map(({ hash, error }) => ({ hash, reason: error.message }))
    this.#refused = []
    this.#failed += failures.length
    if (failures.length > 0) await this.#context.store.markFailed(this.#lease, this.#link.fingerprint, failures)
  }

  /** Recorded at each result, so that a killed run has used its share of the day. */
  async #record(tokens: number): Promise<void> {
    this.#queued -= tokens
    this.#recorded += tokens
    await this.#budget.record(this.#lease, tokens)
  }

  #report(done: number, { total, tokens }: { readonly total: number | null; readonly tokens: number }): void {
    const usd = usdFor(this.#link.provider, tokens)
    this.#options.onProgress?.({
      phase: 'vectors',
      done,
      total: total === null ? null : Math.max(total, done),
      tokens,
      ...(usd !== undefined && { usd }),
    })
  }

  async #total(): Promise<number | null> {
    const limit = Math.min(this.#options.limit ?? Number.POSITIVE_INFINITY, this.#batch?.requests ?? Number.POSITIVE_INFINITY)
    return withSnapshot(this.#context.store, async (snapshot) => {
      const known = (await snapshot.spaces()).find(({ fingerprint }) => fingerprint === this.#link.fingerprint)
      this.#isProven ||= (known?.filled ?? 0) > 0
      // The store does not know a space without vectors: nearly every chunk has one input.
      return Math.min(limit, known?.missing ?? (await snapshot.counts()).chunks)
    })
  }

  async #finish(summary: EmbedSummary): Promise<FillReport> {
    const { breaker } = this.#link
    const tokens = summary.usage?.isComplete ? summary.usage.inputTokens : summary.tokens
    await this.#budget.record(this.#lease, Math.max(0, tokens - this.#recorded))
    const [unusable] = this.#unusable
    const stoppedBy = summary.stoppedBy ?? (this.#isProven ? undefined : (this.#refused[0]?.error ?? unusable))
    const rubbish = summary.embedded > 0 ? undefined : unusable
    if (stoppedBy) breaker.failed(failureOf(stoppedBy))
    else if (summary.requests > 0 && !rubbish) breaker.succeeded()
    else if (summary.requests === 0 && this.#batch?.stoppedBy) breaker.failed(this.#batch.stoppedBy)
    else breaker.abandoned()
    // Without a good answer beside it, an odd one may be the fault of the text or of the service: the input is sent again.
    if (!stoppedBy && !rubbish) await this.#markRefused()
    return this.#withBatch({
      tokens,
      usd: usdFor(this.#link.provider, tokens),
      degraded: this.#degraded(stoppedBy ?? rubbish),
      notes: [],
    })
  }

  #withBatch(report: FillReport): FillReport {
    if (this.#batch === undefined) return report
    const { report: batch, usd, degraded, notes } = this.#batch
    const { retryAfterMs } = batch
    if (retryAfterMs === undefined) return sumOf([{ tokens: batch.tokens, usd, degraded, notes }, report])
    const retryAtMs = this.#context.now() + retryAfterMs
    const message = `${nameOf(this.#link.provider)} is asked about its batch jobs again at ${timeText(retryAtMs, this.#context)}.`
    const later: Degradation = { code: 'space-incomplete', message }
    return sumOf([{ tokens: batch.tokens, usd, degraded: [...degraded, later], notes, retryAtMs }, report])
  }

  #degraded(stoppedBy: ProviderError | undefined): readonly Degradation[] {
    const name = nameOf(this.#link.provider)
    const degraded: Degradation[] = []
    if (stoppedBy) {
      const message = `${name} stopped embedding: ${stoppedBy.message} What has no vector yet is found by words and embedded by the next sync.`
      degraded.push({ code: 'provider-unavailable', message })
    } else if (this.#unusable.length > 0) {
      const texts = this.#unusable.length === 1 ? '1 text' : `${this.#unusable.length} texts`
      const message = `${name} gave no answer that can be used for ${texts}: ${this.#unusable[0]?.message} The next sync sends them again.`
      degraded.push({ code: 'space-incomplete', message })
    }
    if (this.#failed > 0) {
      const texts = this.#failed === 1 ? '1 text, which is' : `${this.#failed} texts, which are`
      const message = `${name} refused ${texts} found by words only. ${capitalised(FORCED_SYNC)} sends what was refused again.`
      degraded.push({ code: 'space-incomplete', message })
    }
    if (this.#isOverBudget || this.#batch?.report.isOverBudget) {
      const message = `limits.dailyTokens is reached: the rest is embedded tomorrow, or now with a higher limit.`
      degraded.push({ code: 'budget-reached', message })
    }
    return degraded
  }

  #broken(error: ProviderError): FillReport {
    this.#link.breaker.failed(failureOf(error))
    const tokens = this.#recorded
    return this.#withBatch({
      tokens,
      usd: usdFor(this.#link.provider, tokens),
      degraded: this.#degraded(error),
      notes: [],
    })
  }

  /** Counts the service as failing: its vectors would be paid for and could not be stored. */
  #paused(error: StoreError): FillReport {
    const message = pausedMessage(this.#link.provider, error.message)
    this.#link.breaker.failed({ code: 'space-mismatch', message })
    const tokens = this.#recorded
    return this.#withBatch({
      tokens,
      usd: usdFor(this.#link.provider, tokens),
      degraded: [{ code: 'space-paused', message }],
      notes: [],
    })
  }
}

const ABOUT_INPUTS: ReadonlySet<string> = new Set(['invalid-input', 'input-too-long'])

/** A run that ends with refused texts shows that the service refuses everything, not that one text was wrong. */
const failureOf = (error: ProviderError): CallFailure =>
  ABOUT_INPUTS.has(error.code) ? { code: 'refuses-most', message: error.message } : error

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Fills the spaces that documents go into now, in order; a link that fails for good is followed by the next. */
async function fillSpaces(context: FillContext, lease: Lease, options: FillOptions): Promise<FillReport> {
  const { settings, links } = context
  const budget = await TokenBudget.open(context.store, {
    limit: settings.dailyTokens ?? Number.POSITIVE_INFINITY,
    nowMs: context.now(),
    timeZone: settings.timeZone,
  })
  const reports: FillReport[] = []
  const done = new Set<number>()
  for (;;) {
    const choice = (await chosen(context, options)).find(({ position, isReady }) => isReady && !done.has(position))
    const link = choice && links[choice.position]
    if (!link || options.isStopping?.()) return sumOf(reports)
    done.add(choice.position)
    if (await isWaiting(context, link, options.retryFailed))
      reports.push(await new SpaceFill(context, link, { lease, budget, options }).run())
  }
}

type Choice = Pick<DocumentChoice, 'position' | 'isReady'>

async function rulesOf(context: FillContext, { isUrgent }: Pick<FillOptions, 'isUrgent'>): Promise<DocumentRules> {
  const { store, settings, now } = context
  const coverage: readonly Coverage[] = await withSnapshot(store, (snapshot) => snapshot.spaces())
  const { fallbackAfterMinutes, keepWarm: isKeptWarm } = settings
  return { nowMs: now(), fallbackAfterMinutes, isKeptWarm, isUrgent, coverage }
}

async function chosen(
  context: FillContext,
  { space, isUrgent }: Pick<FillOptions, 'space' | 'isUrgent'>,
): Promise<readonly Choice[]> {
  const health = context.links.map(healthOf)
  const choices = chooseDocumentLinks(health, await rulesOf(context, { isUrgent }))
  const position = health.findIndex(({ fingerprint }) => fingerprint === space)
  if (position === -1 || choices.some((choice) => choice.position === position)) return choices
  return [...choices, { position, isReady: health[position]?.isHealthy === true }]
}

function sumOf(reports: readonly FillReport[]): FillReport {
  const prices = reports.filter(({ tokens }) => tokens > 0).map(({ usd }) => usd)
  const isPriced = prices.length > 0 && prices.every((usd) => usd !== undefined)
  return {
    tokens: reports.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: isPriced ? prices.reduce((sum: number, usd) => sum + (usd ?? 0), 0) : undefined,
    degraded: reports.flatMap(({ degraded }) => degraded),
    notes: reports.flatMap(({ notes }) => notes),
    retryAtMs: earliest(reports.map(({ retryAtMs }) => retryAtMs)),
  }
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((ms) => ms !== undefined && Number.isFinite(ms))
  return known.length === 0 ? undefined : Math.min(...known.map(Number))
}

/** Links that rest after a failure, with the texts that wait for them. */
async function resting(context: FillContext, options: FillOptions): Promise<readonly Degradation[]> {
  const degraded: Degradation[] = []
  for (const { position, isReady } of await chosen(context, options)) {
    const link = context.links[position]
    if (isReady || !link || !(await isWaiting(context, link))) continue
    const { cause } = link.breaker.state
    const message = `${nameOf(link.provider)} rests after a failure${cause ? `: ${cause.message}` : ''} Texts without a vector are found by words meanwhile.`
    degraded.push({ code: cause?.code === 'space-mismatch' ? 'space-paused' : 'provider-unavailable', message })
  }
  return degraded
}

/** When resting links are called again for their waiting texts, and when another link is used. */
async function outlook(context: FillContext, options: FillOptions): Promise<Pick<FillReport, 'degraded' | 'retryAtMs'>> {
  const rules = await rulesOf(context, options)
  const choices = await chosen(context, options)
  const degraded: Degradation[] = []
  const times: (number | undefined)[] = []
  for (const { position, isReady } of choices) {
    const link = context.links[position]
    if (isReady || !link || !(await isWaiting(context, link))) continue
    const { retryAtMs } = link.breaker.state
    const next = context.links[position + 1]
    const isNext = next !== undefined && !choices.some((choice) => choice.position === position + 1)
    const fallbackAtMs = isNext ? givesUpAtMs(healthOf(link), rules) : undefined
    times.push(retryAtMs ?? undefined, fallbackAtMs)
    const said = [
      ...(retryAtMs !== null && retryAtMs - rules.nowMs > LONG_REST_MS
        ? [`${nameOf(link.provider)} is asked again at ${timeText(retryAtMs, context)}.`]
        : []),
      ...(fallbackAtMs === undefined || !next ? [] : [fallbackText(link, next, { atMs: fallbackAtMs, context })]),
    ]
    if (said.length > 0) degraded.push({ code: 'provider-unavailable', message: capitalised(said.join(' ')) })
  }
  return { degraded, retryAtMs: earliest(times) }
}

/** Failures alone cause shorter rests: a longer one was requested by the service, and is reported. */
const LONG_REST_MS = 300_000

function fallbackText(
  { provider }: ChainLink,
  next: ChainLink,
  { atMs, context }: { readonly atMs: number; readonly context: FillContext },
): string {
  const minutes = context.settings.fallbackAfterMinutes ?? FALLBACK_AFTER_MINUTES
  return (
    `Texts go to ${nameOf(next.provider)} when ${nameOf(provider)} has failed for ${minutes} minutes (fallbackAfterMinutes), ` +
    `at ${timeText(atMs, context)}, or with a sync that does not wait (\`fallback: true\`).`
  )
}

/** A time such as `2026-03-16 14:05`, in the time zone of the notes. */
function timeText(ms: number, { settings }: Pick<FillContext, 'settings'>): string {
  const { timeZone } = settings
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  return format.format(ms)
}

/**
 * Embeds inputs without a vector, by the chain's rules, and stores results as they come, under the one lease of the
 * process that embeds. Trouble with a provider is reported, not thrown. Rejects when the store fails or the signal
 * aborts.
 */
export async function fillVectors(context: FillContext, options: FillOptions): Promise<FillReport> {
  const ready = (await chosen(context, options)).filter(({ isReady }) => isReady)
  const waits = await Promise.all(
    ready.map(({ position }) => {
      const link = context.links[position]
      return link ? isWaiting(context, link, options.retryFailed) : false
    }),
  )
  const rests: FillReport = { ...NOTHING, degraded: await resting(context, options) }
  if (!waits.includes(true)) return withOutlook(context, rests, options)
  const request = { name: 'vectors', waitMs: options.waitMs, signal: options.signal } as const
  const done = await withLease(context, request, (lease) => keepAlive(context, lease, () => fillSpaces(context, lease, options)))
  if (done) return withOutlook(context, sumOf([rests, done.result]), options)
  const message = 'Another process is embedding these notes; what it has not reached yet is found by words.'
  return { ...NOTHING, degraded: [{ code: 'space-incomplete', message }] }
}

async function withOutlook(context: FillContext, report: FillReport, options: FillOptions): Promise<FillReport> {
  const { degraded, retryAtMs } = await outlook(context, options)
  return {
    ...report,
    degraded: [...report.degraded, ...degraded],
    retryAtMs: earliest([report.retryAtMs, retryAtMs]),
  }
}
