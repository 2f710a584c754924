import type {
  BackendStatus,
  CallerContext,
  CreateMemoryOptions,
  Degradation,
  ListQuery,
  ListReply,
  Memory,
  MemoryBackend,
  ReadReply,
  ReadRequest,
  SearchQuery,
  SearchReply,
  SkippedDocument,
  StoreSnapshot,
  SyncOptions,
  SyncReport,
  WithoutCaller,
} from '@mnemark/spec'
import { StoreError, withoutBlanks } from '@mnemark/spec'
import { type CheckedChunkSettings, validateChunkSettings } from '../chunk/chunk-settings.ts'
import { isOpen } from '../embed/batch/job-record.ts'
import { guardProvider } from '../embed/request/guard-provider.ts'
import { isStillFailed, readFailed } from '../index/documents/failed-documents.ts'
import { KnownDocuments } from '../index/documents/known-documents.ts'
import { listSources } from '../index/documents/list-sources.ts'
import { mergeKeywords } from '../index/merge-keywords.ts'
import { recipeOf } from '../index/documents/recipe.ts'
import { type Remaining, RemainingNotes, remainingText } from '../index/documents/remaining-notes.ts'
import type { FillReport } from '../index/vectors/fill-options.ts'
import { type SyncContext, syncDocuments, type TextReport, type TextSyncOptions } from '../index/documents/sync-documents.ts'
import { withWriteLease } from '../index/with-lease.ts'
import { withSnapshot } from '../index/with-snapshot.ts'
import { KeywordCache } from '../keywords/read/keyword-reader.ts'
import type { KeywordTuning } from '../keywords/query/keyword-tuning.ts'
import { isBlankQuery } from '../keywords/terms/query-syntax.ts'
import { PassingNotes } from '../list/passing-notes.ts'
import type { Condition, QueryContext } from '../query/read-query.ts'
import type { searchMemory } from '../search/search-memory.ts'
import { createChunkCache } from '../search/candidates/loaded-chunks.ts'
import { searchSettings } from '../search/search-settings.ts'
import { sleepWithTimer } from '../timing/sleep.ts'
import { createYielder } from '../timing/yield-to-event-loop.ts'
import { checkStoreLevels } from './check-store-levels.ts'
import { callerOf, composeMemory, type MemoryParts } from './compose.ts'
import { refuseUnknownList, refuseUnknownOptions, refuseUnknownQuery, refuseUnknownRequest } from './known-names.ts'
import { type AskedVector, MemoryVectors, SEARCH_FILL } from './memory-vectors.ts'
import { SyncRunner } from './sync-runner.ts'

const NAME = 'builtin'
/** How long a search waits for the index to catch up before it answers from what is there. */
const SEARCH_WAIT_MS = 1_000
/** With nothing to answer from, a search waits for the first pass, however long. */
const FIRST_PASS_WAIT_MS = 86_400_000
/** How long another process that embeds is waited for by a sync of its own. */
const VECTORS_WAIT_MS = 30_000
/** On closing, requests on their way are waited for: their answers are paid. */
const CLOSE_WAIT_MS = 10_000
/** From a search to the embedding of what it found without a vector. */
const FILL_DELAY_MS = 500
const MAX_UNREFERENCED_VECTORS = 50_000
/** Files named as left out, where nothing is indexed. */
const MOST_SHOWN_SKIPPED = 5

const AS_IT_IS: Freshness = { isStale: false, degraded: [] }

function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined))
}

interface Freshness {
  readonly isStale: boolean
  readonly degraded: readonly Degradation[]
}

/** The built-in engine over one store: keeps it in step with its sources and answers from it. */
class BuiltInMemory implements Memory {
  readonly specVersion = 'v1'
  readonly name = NAME
  readonly #options: MemoryParts
  readonly #tuning: KeywordTuning | undefined
  readonly #context: SyncContext
  readonly #cache = new KeywordCache()
  readonly #chunks = createChunkCache()
  readonly #passing = new PassingNotes()
  readonly #runner = new SyncRunner<SyncReport>()
  readonly #merges = new SyncRunner<void>()
  readonly #fills = new SyncRunner<FillReport>()
  readonly #vectors: MemoryVectors
  /** Aborts what a fill has sent. */
  readonly #abandoning = new AbortController()
  readonly #closing = new AbortController()
  #lastReport: SyncReport | undefined
  /** Looks at all sources that were begun. */
  #looks = 0
  /** What the last of them has still to do; undefined until it has looked. */
  #remaining: Remaining | undefined
  #lastFailedSources: TextReport['failedSources'] = []

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
    const { store, now, sleep } = this.#context
    this.#vectors = new MemoryVectors((options.embeddings ?? []).map(guardProvider), {
      store,
      now,
      sleep,
      settings: options.settings ?? {},
      mayEmbed: options.mayEmbed,
      closes: options.closes ?? [],
    })
  }

  async search(asked: WithoutCaller<SearchQuery>): Promise<SearchReply> {
    this.#assertOpen()
    asked.signal?.throwIfAborted()
    await refuseUnknownQuery(asked)
    const caller = callerOf('search', asked.caller, this.#options.caller)
    const { readQuery } = await import('../query/read-query.ts')
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
        return isBlank || reply.hits.length > 0 ? reply : await this.#withEmptiness(snapshot, reply)
      } finally {
        snapshot.release()
        this.#fillLater()
      }
    }
    const freshness = (): Promise<Freshness> | Freshness => (isLooking ? this.#freshen(query.signal) : this.#asLastSeen())
    const reply = await answer(isBlank ? AS_IT_IS : await freshness())
    // An index that has nothing yet is filled in any case, and one that has hits is not asked whether it has anything.
    if (isBlank || isLooking || reply.hits.length > 0 || !(await this.#isEmpty())) return reply
    return answer(await this.#freshen(query.signal))
  }

  async list(asked: WithoutCaller<ListQuery>): Promise<ListReply> {
    this.#assertOpen()
    asked.signal?.throwIfAborted()
    await refuseUnknownList(asked)
    const { signal, caller: named, ...options } = asked
    const caller = callerOf('list', named, this.#options.caller)
    const { filter, ...given } = withoutBlanks(options) ?? {}
    const [{ readQuery }, { filterRemarks }, { listNotes, listSettings }] = await Promise.all([
      import('../query/read-query.ts'),
      import('../query/filter-remarks.ts'),
      import('../list/list-notes.ts'),
    ])
    const settings = listSettings(given)
    const { query, conditions } = readQuery({ text: '', caller, ...(filter && { filter }) }, this.#queryContext())
    // An index that has nothing yet is filled in any case.
    const isLooking = this.#options.settings?.syncOnSearch !== false || (await this.#isEmpty())
    const fresh = isLooking ? await this.#freshen(signal) : this.#asLastSeen()
    const snapshot = await this.#options.store.snapshot()
    try {
      const yieldToEventLoop = createYielder(this.#context, signal)
      const passing = await this.#passing.of(snapshot, { filter: query.filter ?? {}, signal, yieldToEventLoop })
      const page = await listNotes(snapshot, passing, settings)
      const remarks = await filterRemarks(snapshot, query.filter, { size: page.total, conditions })
      const reply = { ...page, backend: NAME, degraded: [...fresh.degraded, ...remarks], stale: fresh.isStale }
      return page.total > 0 ? reply : await this.#withEmptiness(snapshot, reply)
    } finally {
      snapshot.release()
    }
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

  /** Nothing can be found where nothing is indexed: says what was looked at. Where that failed, nobody knows what is there. */
  async #withEmptiness<Reply extends Pick<SearchReply, 'degraded'>>(snapshot: StoreSnapshot, reply: Reply): Promise<Reply> {
    if (reply.degraded.some(({ code }) => code === 'source-failed') || (await snapshot.counts()).documents > 0) return reply
    const { shownName } = await import('../query/near-names.ts')
    const skipped = this.#lastReport?.skipped ?? []
    const shown = skipped.slice(0, MOST_SHOWN_SKIPPED).map(({ path, skipped: reason }) => `${shownName(path)} (${reason})`)
    const rest = skipped.length > shown.length ? ` and ${skipped.length - shown.length} more` : ''
    const there = shown.length === 0 ? '' : ` Left out: ${shown.join(', ')}${rest}.`
    const message = `Nothing is indexed: no notes were found where they are looked for.${there}`
    return {
      ...reply,
      degraded: [...reply.degraded.filter(({ code }) => code !== 'filter-unmatched'), { code: 'nothing-indexed', message }],
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
    const found = await answer(snapshot, query, {
      settings,
      cache: this.#cache,
      chunks: this.#chunks,
      tuning: this.#tuning,
      sources: this.#options.sources.map(({ id }) => id),
      conditions,
      now: this.#context.now,
      ...(isAsking && {
        embedQuery: async () => {
          asked = await this.#vectors.ask(snapshot, query)
          return asked.vector
        },
      }),
    })
    const isByVectors = found.mode !== 'keywords'
    const reply = {
      ...found,
      backend: NAME,
      provider: (isByVectors && asked?.answeredBy?.provider) || null,
      model: (isByVectors && asked?.answeredBy?.model) || null,
      requestedProvider: this.#vectors.requestedProvider,
      degraded: [...fresh.degraded, ...(asked?.degraded ?? []), ...found.degraded],
      stale: fresh.isStale,
    }
    // Of sources that could not be listed, an empty index does not know that nothing is there.
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
    return this.#runner.run(async () => {
      const started = this.#context.now()
      const plan = options.isDryRun ? await this.#vectors.plan(options.reEmbed) : null
      const text = await this.#syncOnce({ ...options, signal, onPrepared: plan?.add })
      if (!options.isDryRun) await mergeKeywords(this.#context, { signal })
      const filled = options.isDryRun ? await plan?.finish() : await this.#fillAfter(options)
      if (!options.isDryRun && text.indexed + text.removed > 0) await this.#maintain(options.paths, signal)
      return { ...(filled ? await this.#withVectors(text, filled) : text), ms: this.#context.now() - started }
    }, options.signal)
  }

  async status(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<BackendStatus> {
    this.#assertOpen()
    const { store, sources } = this.#options
    const signal = anySignal(options.signal, this.#closing.signal)
    const snapshot = await store.snapshot()
    try {
      const failed = await readFailed(store)
      const recipe = recipeOf(this.#context)
      const listing = await listSources(sources, snapshot, {
        signal,
        recipe,
        dateOrder: this.#context.dateOrder,
        known: this.#context.known,
        yieldToEventLoop: createYielder(this.#context, signal),
      })
      const changed = listing.changed.filter((stat) => !isStillFailed(failed, stat))
      const skipped: SkippedDocument[] = [
        ...listing.skipped,
        ...[...failed.values()].map(({ reason, ...document }) => ({ ...document, skipped: reason })),
      ]
      const counts = await snapshot.counts()
      const remaining = new RemainingNotes(listing, changed)
      return {
        backend: NAME,
        // Whether a source that could not be listed has changed is not known, and not known is not up to date.
        isDirty: changed.length + listing.removed.length + listing.failedSources.length > 0,
        ...counts,
        spaces: await this.#vectors.coverage(snapshot),
        degraded: [
          ...failedSourceDegradations(listing.failedSources),
          // Of an index that has nothing yet, that is no news.
          ...(counts.documents > 0 ? missingDegradation(remaining) : []),
        ],
        details: {
          skipped,
          listed: remaining.listed,
          missing: remaining.missing,
          changed: changed.length,
          removed: listing.removed.length,
          keywordSegments: (await snapshot.segments()).length,
          requestedProvider: this.#vectors.requestedProvider,
          chain: await this.#vectors.describe(),
          jobs: await this.#describeJobs(),
        },
      }
    } finally {
      snapshot.release()
    }
  }

  /** Batch jobs at services, and their texts. */
  async #describeJobs(): Promise<Readonly<Record<string, number>>> {
    const open = (await this.#options.store.jobs.list()).filter((job) => isOpen(job) && job.inputs.length > 0)
    return {
      open: open.length,
      inputs: open.reduce((sum, { inputs }) => sum + inputs.length, 0),
      unknown: open.filter(({ state }) => state === 'unknown').length,
    }
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
    await this.#runner.idle()
    await this.#merges.idle()
    await this.#fills.idle()
    waiting.abort()
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

  async #withVectors(
    text: SyncReport,
    { tokens, usd, degraded, notes, retryAtMs, usdByBatch }: FillReport & { readonly usdByBatch?: number },
  ): Promise<SyncReport> {
    return {
      ...text,
      vectors: await withSnapshot(this.#options.store, (snapshot) => this.#vectors.coverage(snapshot)),
      tokens,
      ...(usd !== undefined && { usd }),
      ...(usdByBatch !== undefined && { usdByBatch }),
      ...(notes.length > 0 && { notes }),
      ...(retryAtMs !== undefined && { retryAtMs }),
      degraded: [...text.degraded, ...degraded],
      isComplete: text.isComplete && degraded.length === 0,
    }
  }

  async #syncOnce(options: TextSyncOptions): Promise<SyncReport> {
    const started = this.#context.now()
    const text = await syncDocuments(this.#context, { ...options, ...this.#observed(options) })
    const snapshot = await this.#options.store.snapshot()
    try {
      const counts = await snapshot.counts()
      const { failedSources, ...rest } = text
      this.#lastFailedSources = failedSources
      this.#lastReport = {
        ...rest,
        failed: text.failed.map(({ source, path, part, reason }) => ({
          source,
          path,
          ...(part !== undefined && { part }),
          reason,
        })),
        chunks: options.isDryRun ? text.chunks : counts.chunks,
        vectors: await snapshot.spaces(),
        tokens: 0,
        degraded: failedSourceDegradations(failedSources),
        isComplete: failedSources.length === 0,
        ms: this.#context.now() - started,
      }
      return this.#lastReport
    } finally {
      snapshot.release()
    }
  }

  /** A look at everything that is meant to end in the index tells searches how far it is. */
  #observed({ isDryRun, paths }: TextSyncOptions): Pick<TextSyncOptions, 'onListed'> {
    if (isDryRun || paths) return {}
    this.#looks += 1
    this.#remaining = undefined
    return {
      onListed: (remaining) => {
        this.#remaining = remaining
      },
    }
  }

  /**
   * Catches up before a search: a short wait, but all of the first pass over an index that has nothing yet. A search that is cancelled
   * meanwhile stops the run, unless others wait for it; one that has answered from what there was lets it go on.
   */
  async #freshen(signal: AbortSignal | undefined): Promise<Freshness> {
    const looksBefore = this.#looks
    const leaving = new AbortController()
    const sync = this.#runner.join(
      (givenUp) => this.#syncOnce({ reason: 'search', signal: anySignal(givenUp, this.#closing.signal) }),
      leaving.signal,
    )
    const outcome = sync.then(
      () => ({ isStale: false, degraded: failedSourceDegradations(this.#lastFailedSources) }),
      (error: unknown) => staleBecause(error),
    )
    outcome.catch(() => {})
    sync.then(() => this.#mergeLater()).catch(() => {})
    const waiting = new AbortController()
    const stop = anySignal(signal, waiting.signal)
    try {
      const waitMs = (await this.#isEmpty()) ? FIRST_PASS_WAIT_MS : SEARCH_WAIT_MS
      const tooLate = this.#context.sleep(waitMs, stop).then(() => this.#staleSoFar(looksBefore))
      tooLate.catch(() => {})
      return await Promise.race([outcome, tooLate])
    } finally {
      waiting.abort()
      if (signal?.aborted) leaving.abort(signal.reason)
      signal?.throwIfAborted()
    }
  }

  /** Of searches that do not look: what a sync of this process still has to do is known all the same. */
  #asLastSeen(): Freshness {
    const remaining = this.#remaining && remainingText(this.#remaining)
    return remaining ? stale(`The index is still catching up: ${remaining}.`) : AS_IT_IS
  }

  /** Where a look that began after the question found nothing to do, the answer is as good as after the end of the sync. */
  #staleSoFar(looksBefore: number): Freshness {
    const remaining = this.#remaining && remainingText(this.#remaining)
    if (remaining) return stale(`The index is still catching up: ${remaining}.`)
    return this.#remaining && this.#looks > looksBefore
      ? { isStale: false, degraded: failedSourceDegradations(this.#remaining.failedSources) }
      : stale('The look at the files was not finished, so what changed of late may be missing.')
  }

  /** Beside the queue of syncs, so that the next search need not wait for a merge to know that nothing changed. */
  #mergeLater(): void {
    const { signal } = this.#closing
    const report = this.#lastReport
    if (signal.aborted || !report || report.indexed + report.removed === 0) return
    this.#merges
      .join(() => mergeKeywords(this.#context, { signal }))
      .catch(() => {
        // Nothing is lost: the segments stay as they are, and the next sync merges them.
      })
  }

  async #isEmpty(): Promise<boolean> {
    return withSnapshot(this.#options.store, async (snapshot) => (await snapshot.counts()).documents === 0)
  }
}

function failedSourceDegradations(failed: TextReport['failedSources']): readonly Degradation[] {
  return failed.map(({ source, reason }) => ({
    code: 'source-failed',
    message: `Source ${source} could not be listed whole, so what is missing from it stays in the index. ${reason}`,
  }))
}

function missingDegradation({ listed, missing }: Pick<Remaining, 'listed' | 'missing'>): readonly Degradation[] {
  const message = remainingText({ listed, missing, outdated: 0, removed: 0 })
  return message === null ? [] : [{ code: 'stale', message: `${message}; the next sync reads what is missing.` }]
}

function staleBecause(error: unknown): Freshness {
  if (StoreError.isInstance(error) && error.code === 'corrupt') throw error
  return stale(`The index could not be brought up to date: ${error instanceof Error ? error.message : String(error)}`)
}

function stale(cause: string): Freshness {
  return { isStale: true, degraded: [{ code: 'stale', message: `${cause} This answer comes from what was indexed before.` }] }
}

/**
 * A memory over a store and a workspace. Does no I/O; the first search or sync does. Closing it closes the store, and what `closes` names.
 * With `caller` given here, queries and requests need none. Throws RangeError or TypeError for chunk settings that cannot work, ConfigError
 * for other settings, for options it does not know and parts that are missing, ProviderError for an embedding provider that is none.
 */
export async function createMemory(options: CreateMemoryOptions & { readonly caller: CallerContext }): Promise<Memory>
export async function createMemory(options: CreateMemoryOptions): Promise<MemoryBackend & AsyncDisposable>
export async function createMemory(options: CreateMemoryOptions): Promise<Memory> {
  return createTunedMemory(options, undefined)
}

/** As `createMemory`, with other weights of keyword ranking than the measured ones: for measuring them. */
export async function createTunedMemory(options: CreateMemoryOptions, tuning: KeywordTuning | undefined): Promise<Memory> {
  await refuseUnknownOptions(options)
  const parts = composeMemory(options)
  const { chunkTokens, chunkOverlap } = parts.settings ?? {}
  const chunking = validateChunkSettings({
    ...(chunkTokens !== undefined && { tokens: chunkTokens }),
    ...(chunkOverlap !== undefined && { overlap: chunkOverlap }),
  })
  searchSettings({}, parts.settings ?? {})
  checkStoreLevels(parts)
  return new BuiltInMemory(parts, chunking, tuning)
}
