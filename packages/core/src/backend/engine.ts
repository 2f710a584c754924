import type {
  BackendStatus,
  CallOptions,
  IndexView,
  LegsQuery,
  LegsReply,
  ListQuery,
  ListReply,
  Memory,
  ReadReply,
  ReadRequest,
  SearchQuery,
  SearchReply,
  SpaceCoverage,
  StoreSnapshot,
  SyncOptions,
  SyncReport,
  WithoutCaller,
} from '@mnemark/spec'
import { StoreError, withoutBlanks } from '@mnemark/spec'
import type { CheckedChunkSettings } from '../chunk/chunk-settings.ts'
import { guardProvider } from '../embed/request/guard-provider.ts'
import { KnownDocuments } from '../index/documents/known-documents.ts'
import type { SyncContext } from '../index/documents/sync-documents.ts'
import { mergeKeywords } from '../index/merge-keywords.ts'
import type { FillOptions, FillReport } from '../index/vectors/fill-options.ts'
import { withWriteLease } from '../index/with-lease.ts'
import { withSnapshot } from '../index/with-snapshot.ts'
import type { KeywordTuning } from '../keywords/query/keyword-tuning.ts'
import { KeywordCache } from '../keywords/read/keyword-reader.ts'
import { isBlankQuery } from '../keywords/terms/query-syntax.ts'
import { listNotes, listSettings } from '../list/list-notes.ts'
import { PassingNotes } from '../list/passing-notes.ts'
import { filterRemarks } from '../query/filter-remarks.ts'
import { type Condition, type QueryContext, readQuery } from '../query/read-query.ts'
import { createChunkCache } from '../search/candidates/loaded-chunks.ts'
import type { searchMemory } from '../search/search-memory.ts'
import { searchSettings } from '../search/search-settings.ts'
import { anySignal } from '../timing/any-signal.ts'
import { sleepWithTimer } from '../timing/sleep.ts'
import { createYielder } from '../timing/yield-to-event-loop.ts'
import { callerOf, type MemoryParts } from './compose.ts'
import { AS_IT_IS, type Freshness, IndexFreshness } from './freshness.ts'
import { refuseUnknownList, refuseUnknownQuery, refuseUnknownRequest } from './known-names.ts'
import { MemoryReranker } from './memory-reranker.ts'
import { type AskedVector, MemoryVectors } from './memory-vectors.ts'
import { BACKEND_NAME, statusReport, withEmptiness, withVectors } from './reports.ts'
import { SyncRunner } from './sync-runner.ts'

/** How long another process that embeds is waited for by a sync of its own. */
const VECTORS_WAIT_MS = 30_000
/** On closing, requests on their way are waited for: their answers are paid. */
const CLOSE_WAIT_MS = 10_000
/** From a search to the embedding of what it found without a vector. */
const FILL_DELAY_MS = 500
const MAX_UNREFERENCED_VECTORS = 50_000
/** Limits of the small fill after a search, which nobody waits for; the next sync embeds the rest. */
const SEARCH_FILL: Pick<FillOptions, 'limit' | 'attempts' | 'waitMs' | 'isHasty'> = {
  limit: 64,
  attempts: 2,
  waitMs: 0,
  isHasty: true,
}

/** The built-in engine over one store: keeps it in step with its sources and answers from it. */
export class BuiltInMemory implements Memory {
  readonly specVersion = 'v1'
  readonly name: string = BACKEND_NAME
  readonly #options: MemoryParts
  readonly #tuning: KeywordTuning | undefined
  readonly #context: SyncContext
  readonly #cache = new KeywordCache()
  readonly #chunks = createChunkCache()
  readonly #passing = new PassingNotes()
  readonly #freshness: IndexFreshness
  readonly #fills = new SyncRunner<FillReport>()
  readonly #vectors: MemoryVectors
  readonly #reranker: MemoryReranker | undefined
  /** Aborts what a fill has sent. */
  readonly #abandoning = new AbortController()
  readonly #closing = new AbortController()

  constructor(options: MemoryParts, chunking: CheckedChunkSettings, tuning: KeywordTuning | undefined) {
    this.#tuning = tuning
    this.#options = options
    this.#context = {
      store: options.store,
      sources: options.sources,
      annotators: options.annotators ?? [],
      chunking,
      dateOrder: options.settings?.dateOrder,
      known: new KnownDocuments(),
      now: options.now ?? Date.now,
      sleep: options.sleep ?? sleepWithTimer,
    }
    this.#freshness = new IndexFreshness(this.#context, this.#closing.signal)
    const { store, now, sleep } = this.#context
    this.#vectors = new MemoryVectors((options.embeddings ?? []).map(guardProvider), {
      store,
      now,
      sleep,
      settings: options.settings ?? {},
      mayEmbed: options.mayEmbed,
      closes: options.closes ?? [],
    })
    const { reranker, settings = {}, mayEmbed, mayRerank = mayEmbed } = options
    this.#reranker = reranker && new MemoryReranker(reranker, { store, now, sleep, settings, mayRerank })
  }

  async search(asked: WithoutCaller<SearchQuery>): Promise<SearchReply> {
    this.#assertOpen()
    asked.signal?.throwIfAborted()
    await refuseUnknownQuery(asked)
    const caller = callerOf('search', asked.caller, this.#options.caller)
    const { query, conditions } = readQuery({ ...asked, caller }, this.#queryContext())
    searchSettings(query, this.#options.settings ?? {})
    // Loaded while the index catches up: a process that only syncs needs none of it.
    const engine = import('../search/search-memory.ts')
    // A query without a word or a filter finds nothing, however fresh the index is.
    const isBlank = query.filter === undefined && isBlankQuery(query.text)
    const isLooking = this.#options.settings?.syncOnSearch !== false
    const answer = async (fresh: Freshness): Promise<SearchReply> => {
      const snapshot = await this.#options.store.snapshot()
      try {
        const reply = await this.#answer(snapshot, query, { engine, fresh, conditions })
        return isBlank || reply.hits.length > 0 ? reply : await withEmptiness(snapshot, reply, this.#skipped)
      } finally {
        snapshot.release()
        this.#fillLater()
      }
    }
    const freshness = (): Promise<Freshness> | Freshness =>
      isLooking ? this.#freshness.freshen(query.signal) : this.#freshness.asLastSeen()
    const reply = await answer(isBlank ? AS_IT_IS : await freshness())
    // An index that has nothing yet is filled in any case, and one that has hits is not asked whether it has anything.
    if (isBlank || isLooking || reply.hits.length > 0 || !(await this.#freshness.isEmpty())) return reply
    return answer(await this.#freshness.freshen(query.signal))
  }

  async withIndex<Result>(use: (view: IndexView) => Promise<Result>, { signal }: CallOptions = {}): Promise<Result> {
    this.#assertOpen()
    signal?.throwIfAborted()
    const isLooking = this.#options.settings?.syncOnSearch !== false || (await this.#freshness.isEmpty())
    const fresh = isLooking ? await this.#freshness.freshen(signal) : this.#freshness.asLastSeen()
    const snapshot = await this.#options.store.snapshot()
    try {
      return await use({
        snapshot,
        degraded: fresh.degraded,
        stale: fresh.isStale,
        searchLegs: (query) => this.#searchLegs(snapshot, query),
      })
    } finally {
      snapshot.release()
      this.#fillLater()
    }
  }

  async #searchLegs<Name extends string>(snapshot: StoreSnapshot, query: LegsQuery<Name>): Promise<LegsReply<Name>> {
    query.signal?.throwIfAborted()
    const { emptyLegs, searchLegs } = await import('../search/legs/search-legs.ts')
    const settings = this.#options.settings ?? {}
    let asked: AskedVector | undefined
    const found = await searchLegs(snapshot, query, {
      settings,
      cache: this.#cache,
      chunks: this.#chunks,
      tuning: this.#tuning,
      now: this.#context.now,
      ...(!this.#vectors.isEmpty && {
        embedQuery: async () => {
          asked = await this.#vectors.ask(snapshot, query)
          return asked.vector
        },
      }),
    })
    const degraded = [...(asked?.degraded ?? []), ...found.degraded]
    const reply = { ...found, ...this.#answeredBy(found.mode, asked), degraded }
    return asked?.isRefused ? { ...reply, legs: emptyLegs(query), mode: 'unavailable' } : reply
  }

  #answeredBy(
    mode: SearchReply['mode'],
    asked: AskedVector | undefined,
  ): Pick<SearchReply, 'provider' | 'model' | 'requestedProvider'> {
    const by = mode === 'keywords' ? null : (asked?.answeredBy ?? null)
    return { provider: by?.provider ?? null, model: by?.model ?? null, requestedProvider: this.#vectors.requestedProvider }
  }

  async list(asked: WithoutCaller<ListQuery>): Promise<ListReply> {
    this.#assertOpen()
    asked.signal?.throwIfAborted()
    await refuseUnknownList(asked)
    const { signal, caller: named, ...options } = asked
    const caller = callerOf('list', named, this.#options.caller)
    const { filter, ...given } = withoutBlanks(options) ?? {}
    const settings = listSettings(given)
    const { query, conditions } = readQuery({ text: '', caller, ...(filter && { filter }) }, this.#queryContext())
    // An index that has nothing yet is filled in any case.
    const isLooking = this.#options.settings?.syncOnSearch !== false || (await this.#freshness.isEmpty())
    const fresh = isLooking ? await this.#freshness.freshen(signal) : this.#freshness.asLastSeen()
    const snapshot = await this.#options.store.snapshot()
    try {
      const yieldToEventLoop = createYielder(this.#context, signal)
      const passing = await this.#passing.of(snapshot, { filter: query.filter ?? {}, signal, yieldToEventLoop })
      const page = await listNotes(snapshot, passing, settings)
      const remarks = await filterRemarks(snapshot, query.filter, { size: page.total, conditions })
      const reply = { ...page, backend: BACKEND_NAME, degraded: [...fresh.degraded, ...remarks], stale: fresh.isStale }
      return page.total > 0 ? reply : await withEmptiness(snapshot, reply, this.#skipped)
    } finally {
      snapshot.release()
    }
  }

  get #skipped(): SyncReport['skipped'] {
    return this.#freshness.lastReport?.skipped ?? []
  }

  #coverage(): Promise<readonly SpaceCoverage[]> {
    return withSnapshot(this.#options.store, (snapshot) => this.#vectors.coverage(snapshot))
  }

  #queryContext(): QueryContext {
    const { settings, sources } = this.#options
    return {
      nowMs: this.#context.now(),
      // Read only where a day is named: to ask the system for its zone costs 20 ms.
      get timeZone() {
        return settings?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
      },
      shownPath: (place) => sources.map((source) => source.shownPath?.(place)).find((path) => path !== undefined),
    }
  }

  async #answer(
    snapshot: StoreSnapshot,
    query: SearchQuery,
    {
      engine,
      fresh,
      conditions,
    }: {
      readonly engine: Promise<{ readonly searchMemory: typeof searchMemory }>
      readonly fresh: Freshness
      readonly conditions: readonly Condition[]
    },
  ): Promise<SearchReply> {
    const { searchMemory: answer } = await engine
    const settings = this.#options.settings ?? {}
    let asked: AskedVector | undefined
    const isAsking = !this.#vectors.isEmpty && !searchSettings(query, settings).keywordsOnly
    const rerank = searchSettings(query, settings).rerank ? await this.#reranker?.stage() : undefined
    const found = await answer(snapshot, query, {
      settings,
      cache: this.#cache,
      chunks: this.#chunks,
      tuning: this.#tuning,
      sources: this.#options.sources.map(({ id }) => id),
      conditions,
      now: this.#context.now,
      rerank,
      ...(isAsking && {
        embedQuery: async () => {
          asked = await this.#vectors.ask(snapshot, query)
          return asked.vector
        },
      }),
    })
    const reply = {
      ...found,
      backend: BACKEND_NAME,
      ...this.#answeredBy(found.mode, asked),
      degraded: [...fresh.degraded, ...(asked?.degraded ?? []), ...found.degraded],
      stale: fresh.isStale,
    }
    // Where a source could not be listed, an empty index does not mean that there are no notes.
    const isUnknown =
      found.hits.length === 0 &&
      fresh.degraded.some(({ code }) => code === 'source-failed') &&
      (await snapshot.counts()).documents === 0
    return asked?.isRefused || isUnknown ? { ...reply, hits: [], mode: 'unavailable' } : reply
  }

  async read(asked: WithoutCaller<ReadRequest>): Promise<ReadReply> {
    this.#assertOpen()
    asked.signal?.throwIfAborted()
    await refuseUnknownRequest(asked)
    return this.#options.reader.read({ ...asked, caller: callerOf('read', asked.caller, this.#options.caller) })
  }

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    this.#assertOpen()
    options.signal?.throwIfAborted()
    const signal = anySignal(options.signal, this.#closing.signal)
    return this.#freshness.run(async () => {
      const started = this.#context.now()
      const plan = options.isDryRun ? await this.#vectors.plan(options.reEmbed) : null
      const text = await this.#freshness.syncOnce({ ...options, signal, onPrepared: plan?.add })
      if (!options.isDryRun) await mergeKeywords(this.#context, { signal })
      const filled = options.isDryRun ? await plan?.finish() : await this.#fillAfter(options)
      if (!options.isDryRun && text.indexed + text.removed > 0) await this.#maintain(options.paths, signal)
      return { ...(filled ? withVectors(text, filled, await this.#coverage()) : text), ms: this.#context.now() - started }
    }, options.signal)
  }

  async status(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<BackendStatus> {
    this.#assertOpen()
    const signal = anySignal(options.signal, this.#closing.signal)
    return withSnapshot(this.#options.store, (snapshot) =>
      statusReport(snapshot, this.#context, { vectors: this.#vectors, reranker: this.#reranker, signal }),
    )
  }

  /** Lets a running sync stop at its next batch, waits for it and, for a while, for answers on their way; closes the store, and what `closes` names. */
  async close(): Promise<void> {
    const closed = new StoreError('closed', 'The memory was closed.')
    this.#closing.abort(closed)
    this.#vectors.stop()
    const waiting = new AbortController()
    this.#context.sleep(CLOSE_WAIT_MS, waiting.signal).then(
      () => this.#abandoning.abort(closed),
      () => {},
    )
    await this.#freshness.idle()
    await this.#fills.idle()
    waiting.abort()
    await this.#reranker?.idle()
    await this.#vectors.close()
    await this.#options.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new StoreError('closed', 'The memory was closed; open it again to use it.')
  }

  /** Embeds what is missing, if anybody can, after the words are in: a provider that is down never keeps a note from being found. */
  async #fillAfter(options: SyncOptions): Promise<FillReport | undefined> {
    const { signal, force, fallback, reEmbed, onProgress } = options
    if (this.#vectors.isEmpty && reEmbed === undefined) return undefined
    const space = reEmbed === undefined ? undefined : await this.#vectors.drop(reEmbed, signal)
    return this.#fills.run(() =>
      this.#vectors.fill({
        signal: anySignal(signal, this.#abandoning.signal),
        retryFailed: force,
        isUrgent: fallback,
        isHasty: options.paths !== undefined,
        space,
        waitMs: VECTORS_WAIT_MS,
        onProgress,
      }),
    )
  }

  /**
   * Between searches, in case nothing else syncs: a few texts each time, and not at once, so that a process that asks one question
   * ends with its answer.
   */
  #fillLater(): void {
    if (this.#closing.signal.aborted || this.#vectors.isEmpty) return
    this.#context
      .sleep(FILL_DELAY_MS, this.#closing.signal)
      .then(() => this.#fills.join(() => this.#vectors.fill({ ...SEARCH_FILL, signal: this.#abandoning.signal })))
      .catch(() => {
        // Nothing is lost: the next sync embeds what is missing, and says why it cannot.
      })
  }

  /** After a look at everything; the few files a watcher names leave little to clean up. */
  async #maintain(paths: SyncOptions['paths'], signal: AbortSignal): Promise<void> {
    if (paths || signal.aborted) return
    const maxUnreferencedVectors = this.#options.settings?.maxUnreferencedVectors ?? MAX_UNREFERENCED_VECTORS
    await withWriteLease(this.#context, signal, (lease) => this.#options.store.maintain(lease, { maxUnreferencedVectors }))
  }
}
