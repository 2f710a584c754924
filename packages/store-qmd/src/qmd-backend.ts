import type {
  BackendStatus,
  Degradation,
  ListQuery,
  ListReply,
  MemoryBackend,
  ReadReply,
  ReadRequest,
  SearchQuery,
  SearchReply,
  SyncOptions,
  SyncReport,
} from '@mnemark/spec'
import { StoreError, withoutBlanks } from '@mnemark/spec'
import type { Listing, ListingDifference } from './collections/list-files.ts'
import { capInjected } from './hits/cap-injected.ts'
import { makeHits } from './hits/make-hits.ts'
import { readShown } from './hits/read-shown.ts'
import { placeOf, realNameOf } from './hits/result-place.ts'
import type { Environment } from './home.ts'
import { checkLimit, checkOptions, type QmdBackendOptions, type QmdSettings } from './options.ts'
import { QmdProgram, type SearchMode } from './program/qmd-program.ts'
import { listNotes } from './list-notes.ts'
import { askedLimit, isBlank, placeFilter, unknownFilters } from './query-rules.ts'
import { modelState } from './upkeep/models.ts'
import { repeat, sleepUnheld } from './upkeep/schedule.ts'
import { type UpdateReport, Upkeep } from './upkeep/upkeep.ts'

const NAME = 'qmd'
const ANSWER_MODES = { search: 'keywords', vsearch: 'vectors', query: 'hybrid' } as const satisfies Record<
  SearchMode,
  SearchReply['mode']
>

export interface QmdBackend extends MemoryBackend {
  /**
   * For a long-running process: updates now (`update.onBoot`) and every `update.intervalMs`, in the background.
   * Resolves at once, or with `update.waitForBootSync` when the first update has ended, even if it failed.
   */
  start(): Promise<void>
  /** Why this search cannot be answered here, else null: a filter QMD knows nothing about, or no index yet. For `withFallback`. */
  cannotAnswer(query: SearchQuery): string | null
}

class QmdMemory implements QmdBackend {
  readonly specVersion = 'v1'
  readonly name = NAME
  readonly #options: QmdBackendOptions
  readonly #settings: QmdSettings
  readonly #environment: Environment
  readonly #program: QmdProgram
  readonly #upkeep: Upkeep
  readonly #now: () => number
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  #boot: Promise<void> | undefined
  #isStarted = false
  #isUpdateDue = false
  #lastUpdateMs = Number.NEGATIVE_INFINITY
  /** Last background failure of each kind. */
  readonly #failures = new Map<'update' | 'embed', Error>()

  constructor(options: QmdBackendOptions) {
    const { home, collections } = options
    this.#options = options
    this.#settings = checkOptions(options)
    this.#environment = options.environment ?? process.env
    this.#now = options.now ?? Date.now
    this.#sleep = options.sleep ?? sleepUnheld
    const { command, timeouts, mode } = this.#settings
    this.#program = new QmdProgram({ command, home, environment: this.#environment, timeouts })
    this.#upkeep = new Upkeep({
      program: this.#program,
      home,
      environment: this.#environment,
      collections,
      mode,
      now: this.#now,
    })
  }

  async start(): Promise<void> {
    this.#assertOpen()
    if (this.#isStarted) return
    this.#isStarted = true
    const { onBoot, intervalMs, embedIntervalMs, waitForBootSync } = this.#settings
    const schedule = { sleep: this.#sleep, signal: this.#closing.signal }
    const embed = (): Promise<void> => this.#embedQuietly()
    const update = async (): Promise<void> => {
      await this.#updateQuietly()
      if (embedIntervalMs === undefined) await embed()
    }
    if (onBoot) {
      this.#boot = this.#updateQuietly()
      this.#track(this.#boot.then(embed))
    }
    repeat(update, { ...schedule, intervalMs })
    if (embedIntervalMs !== undefined) repeat(embed, { ...schedule, intervalMs: embedIntervalMs })
    if (waitForBootSync) await this.#boot
  }

  cannotAnswer({ text, ...options }: SearchQuery): string | null {
    const { filter } = withoutBlanks(options) ?? {}
    return this.#notForQmd(text, filter) ?? this.#withoutIndex()
  }

  #notForQmd(text: string, filter: SearchQuery['filter']): string | null {
    const unknown = unknownFilters(filter)
    if (unknown.length > 0) return `QMD knows nothing about ${unknown.join(', ')}.`
    return filter !== undefined && isBlank(text) ? 'QMD lists nothing without a word to look for.' : null
  }

  #withoutIndex(): string | null {
    return this.#upkeep.hasIndex ? null : this.#noIndex().message
  }

  async search({ text, caller, signal: asked, ...options }: SearchQuery): Promise<SearchReply> {
    this.#assertOpen()
    asked?.throwIfAborted()
    const query: SearchQuery = { ...withoutBlanks(options), text, caller, ...(asked && { signal: asked }) }
    const startedMs = performance.now()
    const limit = query.limit === undefined ? this.#settings.maxResults : checkLimit('limit', query.limit)
    const signal = this.#until(query.signal)
    if (this.#settings.waitForBootSync) await ended(this.#boot, signal)
    const { mode, degraded } = await this.#usableMode(query, signal)
    const refusal = this.#notForQmd(query.text, query.filter)
    const refused = refusal === null ? [] : [{ code: 'filter-unmatched' as const, message: refusal }]
    const answer: Answer =
      isBlank(query.text) || refusal !== null || mode === null
        ? { hits: [], isStale: false, degraded: refused }
        : await this.#track(this.#answer(query, { mode, limit, signal }))
    const reply: SearchReply = {
      hits: answer.hits,
      mode: mode === null ? 'unavailable' : ANSWER_MODES[mode],
      backend: NAME,
      provider: mode === null || mode === 'search' ? null : NAME,
      model: null,
      requestedProvider: null,
      degraded: [...degraded, ...answer.degraded],
      stale: answer.isStale,
      timing: { search: Math.round(performance.now() - startedMs) },
    }
    return query.why === undefined ? reply : { ...reply, why: this.#why(query.why.path, answer.hits) }
  }

  /** Lists the files by path: days and tags are not known here. */
  async list({ signal: asked, ...options }: ListQuery): Promise<ListReply> {
    this.#assertOpen()
    asked?.throwIfAborted()
    const query = withoutBlanks(options) ?? options
    const difference = await this.#track(this.#upkeep.difference(this.#until(asked)))
    const unknown = unknownFilters(query.filter)
    const files = unknown.length > 0 ? new Map<string, string>() : difference.files
    const refused = unknown.map((name) => ({ code: 'filter-unmatched' as const, message: `QMD knows nothing about ${name}.` }))
    const missing = difference.missing.map((name) => missingFolder(name, this.#folderOf(name)))
    return {
      ...listNotes({ files }, this.#options.collections, query),
      backend: NAME,
      degraded: [...missing, ...refused],
      stale: false,
    }
  }

  async read(request: ReadRequest): Promise<ReadReply> {
    this.#assertOpen()
    return readShown(request, this.#options)
  }

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    this.#assertOpen()
    options.signal?.throwIfAborted()
    const startedMs = this.#now()
    const counts = await this.#syncCounts({ ...options, signal: this.#until(options.signal) })
    return { ...EMPTY_REPORT, ...counts, ms: this.#now() - startedMs }
  }

  async status(options: { readonly signal?: AbortSignal | undefined; readonly isDeep?: boolean } = {}): Promise<BackendStatus> {
    this.#assertOpen()
    options.signal?.throwIfAborted()
    const { home, collections } = this.#options
    const { mode, command } = this.#settings
    const signal = this.#until(options.signal)
    const difference = await this.#upkeep.difference(signal)
    const { hasIndex, record } = this.#upkeep
    const asked = hasIndex ? await this.#track(this.#program.status(signal)) : null
    const version = await this.#track(this.#program.version(signal))
    const waitsFor = hasIndex ? await this.#upkeep.waitsFor(signal) : null
    return {
      backend: NAME,
      isDirty: !hasIndex || difference.changed + difference.removed > 0,
      documents: asked?.documents ?? record?.files.size ?? 0,
      chunks: asked?.vectors ?? 0,
      spaces: [],
      degraded: [
        ...(hasIndex ? [] : [this.#noIndex()]),
        ...(waitsFor === null ? [] : [this.#warming(waitsFor)]),
        ...difference.missing.map((name) => missingFolder(name, this.#folderOf(name))),
        ...[...this.#failures].map(([what, { message }]) => ({
          code: 'stale' as const,
          message: `The last ${what} in the background failed: ${message}`,
        })),
      ],
      details: {
        skipped: [],
        changed: difference.changed,
        removed: difference.removed,
        command,
        version,
        searchMode: mode,
        home: home.root,
        collections: collections.map(({ name, folder, pattern, source }) => ({ name, folder, pattern, source })),
        vectors: asked === null ? null : { embedded: asked.vectors, pending: asked.pending },
        models: modelState(mode, home, this.#environment),
        updatedAt: isoTime(record?.updatedAtMs),
        embeddedAt: isoTime(record?.embeddedAtMs),
      },
    }
  }

  /** Ends every process of the program and waits until it is gone. */
  async close(): Promise<void> {
    this.#closing.abort(closedError())
    await Promise.allSettled(this.#running)
    await this.#upkeep.idle()
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw closedError()
  }

  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal])
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.catch(() => {})
    this.#running.add(settled)
    void settled.then(() => this.#running.delete(settled))
    return work
  }

  /** The mode to search in now; null where there is nothing to search. */
  async #usableMode(
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<{ readonly mode: SearchMode | null; readonly degraded: readonly Degradation[] }> {
    if (!this.#upkeep.hasIndex) return { mode: null, degraded: [this.#noIndex()] }
    const mode = query.overrides?.keywordsOnly === true ? 'search' : this.#settings.mode
    const waitsFor = mode === 'search' ? null : await this.#upkeep.waitsFor(signal)
    return waitsFor === null ? { mode, degraded: [] } : { mode: 'search', degraded: [this.#warming(waitsFor)] }
  }

  async #answer(query: SearchQuery, { mode, limit, signal }: AnswerRequest): Promise<Answer> {
    const { collections } = this.#options
    const { maxSnippetChars, maxInjectedChars, citations } = this.#settings
    // Runs in parallel with the search, whose process takes longer.
    const looking = this.#upkeep.difference(signal)
    looking.catch(() => {})
    const limitOfProgram = askedLimit(query, limit)
    const results = await this.#program.search({ text: query.text, mode, limit: limitOfProgram, signal })
    const difference = await looking
    const passes = placeFilter(query.filter)
    const registered = this.#upkeep.record?.collections ?? []
    const least = mode === 'search' ? 0 : (query.overrides?.minScore ?? 0)
    const { hits, isStale } = await makeHits(results, {
      query: query.text,
      caller: query.caller,
      limit,
      citations,
      maxSnippetCharacters: Math.min(maxSnippetChars, maxInjectedChars ?? maxSnippetChars),
      placeOf: ({ file, score }) => {
        const named = placeOf(file, collections, registered)
        const place = named && (realNameOf(named, difference.files) ?? named)
        return place && score >= least && passes(place.collection.source, place.shown) ? place : null
      },
      read: (request) => this.read(request),
      signal,
    })
    const shown = capInjected(hits, maxInjectedChars)
    const hasChanged = difference.changed + difference.removed > 0
    if (hasChanged && this.#isStarted) this.#updateLater()
    const degraded: Degradation[] = difference.missing.map((name) => missingFolder(name, this.#folderOf(name)))
    if (hasChanged || isStale) degraded.push(STALE)
    if (shown.length < hits.length) {
      const message = `${hits.length - shown.length} of ${hits.length} hits are left out: limits.maxInjectedChars is ${maxInjectedChars}.`
      degraded.push({ code: 'budget-reached', message })
    }
    return { hits: shown, isStale: hasChanged || isStale, degraded }
  }

  #why(path: string, hits: SearchReply['hits']): NonNullable<SearchReply['why']> {
    const at = hits.findIndex((hit) => hit.path === path)
    if (at >= 0) return { reason: 'returned', detail: `It is hit ${at + 1} of ${hits.length}.` }
    const { collections } = this.#options
    const isKnown = [...(this.#upkeep.record?.files.keys() ?? [])].some((file) => placeOf(file, collections, [])?.shown === path)
    if (!isKnown) return { reason: 'not-indexed', detail: `${path} was not there when QMD last updated.` }
    return { reason: 'no-match', detail: 'QMD did not return it, and does not say why. It joins the words of a query with AND.' }
  }

  #folderOf(name: string): string {
    return this.#options.collections.find((collection) => collection.name === name)?.folder ?? name
  }

  async #syncCounts(options: SyncOptions & { readonly signal: AbortSignal }): Promise<Partial<SyncReport>> {
    if (options.isDryRun === true) return foreseen(await this.#upkeep.difference(options.signal))
    if (options.reason === 'start') await ended(this.#boot, options.signal)
    const isAsked = this.#isAsked(options)
    const isResting = this.#now() - this.#lastUpdateMs < this.#settings.debounceMs
    return isResting && !isAsked ? this.#putOff(options.signal) : this.#updateAloud(options, isAsked)
  }

  /** A long-running process has its own first update, so its start requests no other. */
  #isAsked({ reason = 'manual', force = false }: SyncOptions): boolean {
    return force || reason === 'manual' || (reason === 'start' && !this.#isStarted)
  }

  /**
   * Reports pending changes, which are updated when enough time has passed since the last update; a failed update stays
   * a failure.
   */
  async #putOff(signal: AbortSignal): Promise<Partial<SyncReport>> {
    const failure = this.#failures.get('update')
    if (failure !== undefined) throw failure
    const { files, changed, removed } = await this.#upkeep.difference(signal)
    if (changed + removed === 0) return { total: files.size, unchanged: files.size }
    this.#updateLater()
    return { total: files.size, unchanged: files.size - changed, degraded: [STALE] }
  }

  async #updateAloud(options: SyncOptions & { readonly signal: AbortSignal }, isAsked: boolean): Promise<Partial<SyncReport>> {
    options.onProgress?.({ phase: 'text', done: 0, total: null })
    const { added, updated, unchanged, removed, missing } = await this.#track(this.#update(options.signal))
    const indexed = added + updated
    const total = indexed + unchanged
    options.onProgress?.({ phase: 'text', done: total, total })
    if (this.#settings.mode !== 'search') {
      if (isAsked) await this.#embedAloud(options)
      else this.#track(this.#embedQuietly())
    }
    const degraded = missing.map((name) => missingFolder(name, this.#folderOf(name)))
    return { total, indexed, unchanged, removed, degraded, isComplete: missing.length === 0 }
  }

  async #update(signal: AbortSignal): Promise<UpdateReport> {
    try {
      const report = await this.#upkeep.update(signal)
      this.#failures.delete('update')
      return report
    } finally {
      this.#lastUpdateMs = this.#now()
    }
  }

  #updateQuietly(): Promise<void> {
    return this.#track(this.#quietly('update', () => this.#update(this.#closing.signal)))
  }

  /** Queues one update, once `debounceMs` have passed since the last. */
  #updateLater(): void {
    const { signal } = this.#closing
    if (this.#isUpdateDue) return
    this.#isUpdateDue = true
    const restMs = Math.max(0, this.#lastUpdateMs + this.#settings.debounceMs - this.#now())
    this.#sleep(restMs, signal)
      .then(() => {
        this.#isUpdateDue = false
        return this.#updateQuietly()
      })
      .then(() => (this.#settings.embedIntervalMs === undefined ? this.#embedQuietly() : undefined))
      .catch(() => {
        // The backend was closed during the wait.
      })
  }

  async #embedAloud({ signal, reEmbed, onProgress }: SyncOptions): Promise<void> {
    onProgress?.({ phase: 'vectors', done: 0, total: null })
    await this.#track(this.#embed({ isForced: reEmbed !== undefined, signal }))
    onProgress?.({ phase: 'vectors', done: 1, total: 1 })
  }

  async #embedQuietly(): Promise<void> {
    if (this.#settings.mode === 'search' || !this.#upkeep.hasIndex) return
    await this.#track(this.#quietly('embed', () => this.#embed({ signal: this.#closing.signal })))
  }

  async #embed(options: { readonly isForced?: boolean; readonly signal?: AbortSignal | undefined }): Promise<void> {
    await this.#upkeep.embed(options)
    await this.#upkeep.fetchModels({ timeoutMs: this.#settings.timeouts.embedMs, signal: options.signal })
    this.#failures.delete('embed')
  }

  async #quietly(what: 'update' | 'embed', work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (this.#closing.signal.aborted) return
      const failure = error instanceof Error ? error : new Error(String(error))
      this.#failures.set(what, failure)
      this.#options.log?.(`qmd ${what} failed: ${failure.message}`)
    }
  }

  #noIndex(): Degradation {
    const failure = this.#failures.get('update')
    const running = failure === undefined ? 'The first update is running.' : `The first update failed: ${failure.message}`
    const next = this.#isStarted ? running : 'Run `mnemark index` to make it.'
    return { code: 'backend-warming', message: `QMD has no index of these notes yet. ${next}` }
  }

  #warming(waitsFor: string): Degradation {
    const next = this.#isStarted
      ? 'They are got ready in the background.'
      : 'Run `mnemark index`, or warm them up by hand after `mnemark qmd env`.'
    return {
      code: 'backend-warming',
      message: `QMD cannot search in mode "${this.#settings.mode}" yet (${waitsFor}): it answers by keywords. ${next}`,
    }
  }
}

interface AnswerRequest {
  readonly mode: SearchMode
  readonly limit: number
  readonly signal: AbortSignal
}
interface Answer {
  readonly hits: SearchReply['hits']
  readonly isStale: boolean
  readonly degraded: readonly Degradation[]
}

const EMPTY_REPORT: SyncReport = {
  total: 0,
  indexed: 0,
  unchanged: 0,
  removed: 0,
  skipped: [],
  failed: [],
  chunks: 0,
  vectors: [],
  tokens: 0,
  degraded: [],
  isComplete: true,
  ms: 0,
}

const STALE: Degradation = {
  code: 'stale',
  message: 'Notes have changed since QMD last read them: this answer comes from before. `mnemark index` brings it up to date.',
}

/** Resolves with the work, or rejects when the signal ends first. */
async function ended(work: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function foreseen({ files, changed, removed }: ListingDifference & Pick<Listing, 'files'>): Partial<SyncReport> {
  return { total: files.size, indexed: changed, unchanged: files.size - changed, removed }
}

function missingFolder(name: string, folder: string): Degradation {
  return { code: 'source-failed', message: `The folder of collection ${name} cannot be listed: ${folder}.` }
}

function closedError(): StoreError {
  return new StoreError('closed', 'The memory was closed; open it again to use it.')
}

function isoTime(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString()
}

/**
 * The installed `qmd` program as a memory backend. Starts no process itself: `start` and the calls do. Throws
 * ConfigError for options out of range. Calls reject with BackendError where the program is missing, slow, broken or
 * not understood.
 */
export function createQmdBackend(options: QmdBackendOptions): QmdBackend {
  return new QmdMemory(options)
}
