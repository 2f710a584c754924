import type {
  BackendStatus,
  Degradation,
  DocumentSource,
  ListQuery,
  ListReply,
  ReadReply,
  ReadRequest,
  SearchQuery,
  SearchReply,
  SyncOptions,
  SyncProgress,
  SyncReport,
} from '@mnemark/spec'
import { dayBefore, dayInZone } from '@mnemark/spec'
import { maskText, maskTitles, secretsAround, warnOfSecrets } from '@mnemark/masking'
import type { Warned } from '@mnemark/masking'
import type { Caller, CitationMode, MemoryCall, Overview, ToolHost } from '@mnemark/tools'
import { checkHits, limitLines, linesOf } from '@mnemark/tools/answers'
import { addedBy, withoutPlaces } from '@mnemark/tools/host'
import type { FactRegistry, MergeRequest, RetainReport } from '@mnemark/bank'
import type { AppendReport, EditOptions, EditReport } from '@mnemark/workspace'
import type { Settings } from '../config/load-settings.ts'
import { withoutUndefined } from '../config/without-undefined.ts'
import { isPrivateMainSession } from '../context/session-scope.ts'
import { buildStartupContext, DEFAULT_BUDGET_TOKENS } from '../context/startup-context.ts'
import type { StartupContext } from '../context/startup-context.ts'
import { CommandError } from '../failure.ts'
import { withoutForgotten } from '../state/forgotten-notes.ts'
import { keepFresh } from '../memory/fresh/keep-fresh.ts'
import type { KeptFresh } from '../memory/fresh/keep-fresh.ts'
import { explainNothing } from '../memory/index/nothing-indexed.ts'
import { forgottenNotes, openMemory } from '../memory/open/open-memory.ts'
import { knownPlaces } from '../memory/open/known-places.ts'
import { isLongTerm, longTermDenied, longTermFilter, mayReadLongTerm } from '../memory/open/long-term.ts'
import { requireScopes } from '../memory/open/owner-caller.ts'
import type { OpenMemory, OpenOptions } from '../memory/open/open-memory.ts'
import { settingsRemarks } from '../memory/open/provider-state.ts'
import type { SyncRun } from '../memory/fresh/sync-queue.ts'
import { AgentSessions } from './sessions/agent-sessions.ts'
import { type CheckedPack, type CitationToCheck, checkPack } from './facts/check-pack.ts'
import { checkQuery } from './check-query.ts'
import { listNames, type NamesDocument, readFactState } from './facts/list-names.ts'
import { type MergeDocument, mergeNames } from './facts/merge-entities.ts'
import { type FactQuestion, type RecallDocument, recallFacts, recallForContext } from './facts/recall-facts.ts'
import { recordKnownFacts } from './facts/record-facts.ts'
import { type FactToRetain, notesWithFact, retainFact, signedByAgent } from './facts/retain-fact.ts'
import { openAgentSessions } from './sessions/open-agent-sessions.ts'
import { explainCommand } from './tool-failure.ts'
import { wholeText } from './whole-text.ts'

/** Reports of a long-running process about its syncs. */
export type MemoryEvent =
  | { readonly event: 'progress'; readonly progress: SyncProgress }
  | { readonly event: 'synced'; readonly run: SyncRun; readonly report: SyncReport; readonly repairs: readonly Degradation[] }
  | { readonly event: 'failed'; readonly run: SyncRun; readonly error: unknown }

export interface AgentMemoryOptions {
  readonly isReadOnly: boolean
  /** Hides secrets in all answers. */
  readonly isMasking: boolean
  /** Follows changes of the files, besides checking before each search. */
  readonly isWatching: boolean
  readonly watch?: OpenOptions['watch']
  readonly now?: () => number
  /** Why nothing is indexed until the user agrees; every search reports it. */
  readonly held?: string
  /** Requests come over a network: nobody, the owner included, sees paths of this machine. */
  readonly isRemote?: boolean
  /** Receives the callers that the scope rules denied. */
  readonly log?: (message: string) => void
}

const MAX_REMEMBERED_SESSIONS = 10_000
/** Longer answers are cut; the answer states the line to continue at. */
const MAX_READ_CHARACTERS = 100_000

/** One agent's memory as its tools and servers see it: every answer checked, bounded and, if configured, masked. */
export class AgentMemory implements ToolHost {
  readonly settings: Settings
  readonly explain: typeof explainCommand = explainCommand
  readonly isReadOnly: boolean
  /** Only where agents are to have the tools for them. */
  readonly retain?: NonNullable<ToolHost['retain']>
  readonly recall?: NonNullable<ToolHost['recall']>
  readonly sessions?: NonNullable<ToolHost['sessions']>
  /** The conversations, whether agents have tools for them or not. */
  readonly transcripts: AgentSessions
  readonly #open: OpenMemory
  readonly #options: AgentMemoryOptions
  /** The notes without forgotten ones. */
  readonly #known: DocumentSource
  readonly #fresh: KeptFresh
  readonly #listeners = new Set<(event: MemoryEvent) => void>()
  readonly #sessions = new Set<string>()
  readonly #places: RegExp
  /** Made with the first question. */
  #facts: FactRegistry | undefined
  /** One after the other, so that no fact is recorded twice. */
  #recording: Promise<void> = Promise.resolve()
  #isClosing = false

  private constructor(settings: Settings, open: OpenMemory, options: AgentMemoryOptions) {
    this.settings = settings
    this.isReadOnly = options.isReadOnly
    if (settings.bank.isEnabled) {
      this.retain = (fact, call) => this.retainFact(fact, call)
      this.recall = (question, call) => this.recallFacts(question, call)
    }
    this.transcripts = new AgentSessions({
      agentId: settings.agentId,
      visibility: settings.sessionTools.visibility,
      isReadOnly: options.isReadOnly,
      isMasking: options.isMasking,
      open: () => openAgentSessions(settings, { notes: options.isReadOnly ? null : open.notes, store: () => open.store }),
      requireScope: (call) => this.#requireScope(call),
    })
    if (settings.sessionTools.isEnabled) this.sessions = this.transcripts
    this.#open = open
    this.#options = options
    this.#places = knownPlaces(settings)
    this.#known = withoutForgotten(open.notes.source, forgottenNotes(settings, { file: open.indexFile }))
    const sync = options.isWatching ? settings.sync : { ...settings.sync, watch: false, intervalMinutes: 0 }
    this.#fresh = keepFresh(open, sync, {
      onProgress: (progress) => this.#tell({ event: 'progress', progress }),
      onReport: (run, report) => {
        this.#tell({ event: 'synced', run, report, repairs: open.takeRepairs() })
        this.#record(run, report)
      },
      onFailure: (run, error) => this.#tell({ event: 'failed', run, error }),
    })
  }

  static async open(settings: Settings, options: AgentMemoryOptions): Promise<AgentMemory> {
    const { watch, log, held } = options
    const open = await openMemory(settings, withoutUndefined({ watch, log, held, isReadOnly: held !== undefined }))
    return new AgentMemory(settings, open, options)
  }

  /** A remark if the location of the index is unusual, else null. */
  get note(): string | null {
    return this.#open.note
  }

  get citations(): CitationMode {
    return this.settings.memory.citations ?? 'auto'
  }

  get indexFile(): string | null {
    return this.#open.indexFile
  }

  /** For the process itself. Returns a function that stops listening. */
  listen(listener: (event: MemoryEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Passes sync events that this caller may see to the listener. Returns a function that stops it. */
  listenFor(call: MemoryCall, listener: (event: MemoryEvent) => void): () => void {
    this.#requireScope(call)
    return this.listen((event) => listener(this.#isFor(call) ? event : withoutLongTermPaths(event)))
  }

  requestSync(run: SyncRun): void {
    this.#fresh.request(run)
  }

  /** Syncs at the beginning of a session, if configured; a session begins once. */
  beginSession(sessionKey: string): void {
    if (!this.settings.sync.onSessionStart || this.#sessions.has(sessionKey)) return
    if (this.#sessions.size >= MAX_REMEMBERED_SESSIONS) this.#sessions.clear()
    this.#sessions.add(sessionKey)
    this.requestSync({ reason: 'start' })
  }

  async search(query: Omit<SearchQuery, 'caller' | 'signal'>, call: MemoryCall): Promise<SearchReply> {
    const caller = this.#callerOf(call)
    const { sources, timeZone } = this.settings
    checkQuery(query, { sources, timeZone })
    const reply = await this.#withProgress(call, () => this.#open.memory.search({ ...query, caller, signal: call.signal }))
    const { isMasking } = this.#options
    const checked = await checkHits(reply, this.#open.memory, { caller, signal: call.signal, isMasking })
    const explained = explainNothing(checked, this.#open.notes, false)
    const degraded = [...settingsRemarks(this.settings), ...explained.degraded]
    return { ...explained, degraded: this.#told(degraded, call) }
  }

  async list(query: Omit<ListQuery, 'caller' | 'signal'>, call: MemoryCall): Promise<ListReply> {
    const caller = this.#callerOf(call)
    const { sources, timeZone } = this.settings
    checkQuery({ text: '', ...withoutUndefined({ filter: query.filter }) }, { sources, timeZone })
    const reply = await this.#withProgress(call, () => this.#open.memory.list({ ...query, caller, signal: call.signal }))
    const shown = this.#options.isMasking ? await maskTitles(reply) : reply
    const explained = explainNothing(shown, this.#open.notes, false)
    const degraded = [...settingsRemarks(this.settings), ...explained.degraded]
    return { ...explained, degraded: this.#told(degraded, call) }
  }

  async read(request: Omit<ReadRequest, 'caller' | 'signal'>, call: MemoryCall): Promise<ReadReply> {
    const cited = await this.transcripts.read(request, call)
    if (cited !== null) return limitLines(cited, MAX_READ_CHARACTERS)
    const caller = this.#callerOf(call)
    const reply = limitLines(await this.#open.memory.read({ ...request, caller, signal: call.signal }), MAX_READ_CHARACTERS)
    return this.#options.isMasking ? this.#masked(reply, call) : reply
  }

  /** Rejects with CommandError if the memory is read-only, and with WorkspaceError as appending does. */
  async append(text: string, to: string, call: MemoryCall): Promise<Warned<AppendReport>> {
    call.signal?.throwIfAborted()
    this.#requireScope(call)
    this.#requireWritable()
    await this.#requirePath(to, call)
    const revise = await signedByAgent(this.settings.memory.dateOrder)
    const report = await this.#open.notes.append(text, { to, revise, ...withoutUndefined({ signal: call.signal }) })
    if (report.status === 'appended') this.requestSync({ reason: 'watch', paths: [{ source: 'memory', path: report.path }] })
    return warnOfSecrets(report, text)
  }

  /** Rejects as `append` does; with WorkspaceError `conflict` if the old text is missing or there twice, or the note changed since it was read. */
  async edit(path: string, change: EditOptions, call: MemoryCall): Promise<EditReport & { readonly warning?: string }> {
    call.signal?.throwIfAborted()
    this.#requireScope(call)
    this.#requireWritable()
    await this.#requirePath(path, call)
    const revise = await signedByAgent(this.settings.memory.dateOrder)
    const report = await this.#open.notes.edit(path, { ...change, revise, ...withoutUndefined({ signal: call.signal }) })
    if (report.status === 'edited') this.requestSync({ reason: 'watch', paths: [{ source: 'memory', path: report.path }] })
    return warnOfSecrets(report, addedBy(change))
  }

  /** Adds a fact to today's log, as an agent's. Rejects as `append` does, and with CommandError `bad-input` for what is no fact. */
  async retainFact(fact: Omit<FactToRetain, 'author'>, call: MemoryCall): Promise<Warned<RetainReport>> {
    call.signal?.throwIfAborted()
    this.#requireScope(call)
    this.#requireWritable()
    const report = await retainFact(
      { ...fact, author: 'agent' },
      {
        notes: this.#open.notes,
        nowMs: this.#options.now?.() ?? Date.now(),
        timeZone: this.settings.timeZone,
        dateOrder: this.settings.memory.dateOrder,
        read: (path) => this.#textOf(path, call),
        notesWith: (written) => notesWithFact(this.#open.store, written, longTermFilter(this.settings, this.#callerOf(call))),
        signal: call.signal,
      },
    )
    if (report.status === 'written') this.requestSync({ reason: 'watch', paths: [{ source: 'memory', path: report.path }] })
    return warnOfSecrets(report, fact.text)
  }

  /** Answers from facts and passages that this caller may see. Rejects with CommandError `bad-input` for what cannot be read. */
  async recallFacts(question: FactQuestion, call: MemoryCall): Promise<RecallDocument> {
    call.signal?.throwIfAborted()
    this.#requireScope(call)
    this.#facts ??= new (await import('@mnemark/bank')).FactRegistry()
    const reply = await recallFacts(question, {
      views: this.#open.views,
      settings: this.settings,
      caller: this.#callerOf(call),
      now: this.#options.now,
      registry: this.#facts,
      isMasking: this.#options.isMasking,
      signal: call.signal,
    })
    return { ...reply, degraded: this.#told([...settingsRemarks(this.settings), ...reply.degraded], call) }
  }

  /** Whom and what the facts name that this caller may see; with a name the one of that name. */
  async entities(name: string | undefined, call: MemoryCall): Promise<NamesDocument> {
    const { state } = await this.#factState(call)
    return listNames(state, name, this.#options.isMasking)
  }

  /** Joins two names, or parts them, in a page of `bank/`. Rejects as `edit` does, and with CommandError for names that cannot be joined. */
  async mergeEntities(asked: MergeRequest, call: MemoryCall): Promise<MergeDocument> {
    this.#requireWritable()
    const { state } = await this.#factState(call)
    if (!this.#isFor(call)) throw longTermDenied()
    const merging = { state, notes: this.#open.notes, settings: this.settings, ...withoutUndefined({ signal: call.signal }) }
    const report = await mergeNames(asked, merging)
    const paths = report.changes.map(({ path }) => ({ source: 'memory', path }))
    if (paths.length > 0) this.requestSync({ reason: 'watch', paths })
    return report
  }

  async #factState(call: MemoryCall): ReturnType<typeof readFactState> {
    call.signal?.throwIfAborted()
    this.#requireScope(call)
    this.#facts ??= new (await import('@mnemark/bank')).FactRegistry()
    const { settings } = this
    const asking = { views: this.#open.views, settings, caller: this.#callerOf(call), registry: this.#facts }
    return readFactState({ ...asking, ...withoutUndefined({ signal: call.signal }) })
  }

  /** Where the texts that an answer cited stand now, in notes that this caller may see. */
  async checkPack(citations: readonly CitationToCheck[], call: MemoryCall): Promise<CheckedPack> {
    call.signal?.throwIfAborted()
    this.#requireScope(call)
    return checkPack(citations, {
      source: this.#known,
      reader: this.#open.notes.reader,
      settings: this.settings,
      caller: this.#callerOf(call),
      isMasking: this.#options.isMasking,
      signal: call.signal,
    })
  }

  /** How much this caller may see, by the current index; null before there is one, and for excluded callers. */
  async overview(call: MemoryCall): Promise<Overview | null> {
    try {
      this.#requireScope(call)
      if ((await this.#open.memory.status(withoutUndefined({ signal: call.signal }))).documents === 0) return null
      const { total, newest } = await this.list({ limit: 1 }, call)
      return total === 0 ? null : { notes: total, ...withoutUndefined({ newest }) }
    } catch {
      // The first call reports the fault; a session begins without the numbers.
      return null
    }
  }

  async context(
    request: { readonly budgetTokens?: number; readonly question?: string },
    call: MemoryCall,
  ): Promise<StartupContext> {
    this.#requireScope(call)
    this.beginSession(call.caller.sessionKey ?? '')
    const today = dayInZone(this.#options.now?.() ?? Date.now(), this.settings.timeZone)
    const budgetTokens = request.budgetTokens ?? DEFAULT_BUDGET_TOKENS
    const { recalled, problems } = await recallForContext(request.question, { budgetTokens, signal: call.signal }, (asked) =>
      this.recallFacts(asked, call),
    )
    const context = await buildStartupContext(this.#known, {
      caller: this.#callerOf(call),
      signal: call.signal,
      budgetTokens,
      recalled,
      days: { today, yesterday: dayBefore(today) },
      ...(this.#options.isMasking && { prepare: (text: string) => maskText(text) }),
    })
    return { ...context, problems: this.#told([...problems, ...context.problems], call) }
  }

  /** Updates the index and reports; other syncs of this process wait meanwhile. */
  async sync({ force }: Pick<SyncOptions, 'force'>, call: MemoryCall): Promise<SyncReport> {
    this.#requireScope(call)
    const onProgress = (progress: SyncProgress): void => this.#tell({ event: 'progress', progress })
    const report = await this.#open.memory.sync({
      ...withoutUndefined({ force, signal: call.signal }),
      reason: 'manual',
      onProgress,
    })
    this.#fresh.resumeAt(report.retryAtMs)
    this.#tell({ event: 'synced', run: { reason: 'manual' }, report, repairs: this.#open.takeRepairs() })
    this.#record({ reason: 'manual' }, report)
    if (this.#isFor(call)) return report
    const { skipped, failed } = report
    return {
      ...report,
      skipped: skipped.filter(({ path }) => !isLongTerm(path)),
      failed: failed.filter(({ path }) => !isLongTerm(path)),
    }
  }

  /** Sorted paths of all notes this caller may see. */
  async paths(call: MemoryCall): Promise<readonly string[]> {
    this.#requireScope(call)
    const paths: string[] = []
    const isFor = this.#isFor(call)
    for await (const item of this.#known.list({ signal: call.signal })) {
      if (!('skipped' in item) && (isFor || !isLongTerm(item.path))) paths.push(item.path)
    }
    return paths.toSorted((left, right) => (left < right ? -1 : 1))
  }

  /** Paths of this machine are removed, and only the owner gets details. */
  async status(options: { readonly isDeep?: boolean }, call: MemoryCall): Promise<BackendStatus> {
    this.#requireScope(call)
    const status = await this.#open.memory.status({ ...options, ...withoutUndefined({ signal: call.signal }) })
    const degraded = [...settingsRemarks(this.settings), ...status.degraded]
    const details = isPrivateMainSession(this.#callerOf(call)) ? status.details : {}
    return this.withoutPlaces({ ...status, degraded, details })
  }

  redact(words: string, caller: Caller): string {
    return this.#told(words, { caller })
  }

  /** Replaces every path of this machine by `…`. */
  withoutPlaces<Value>(value: Value): Value {
    return withoutPlaces(value, this.#places)
  }

  /** Stops a running sync at its next batch, and closes everything. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all([this.#fresh.close(), this.#open.close(), this.transcripts.close(), this.#recording])
  }

  #callerOf({ caller }: MemoryCall): SearchQuery['caller'] {
    return { ...caller, agentId: this.settings.agentId }
  }

  /** Only the owner, on this machine, may see its paths. */
  #told<Value>(value: Value, call: MemoryCall): Value {
    const isOwner = this.#options.isRemote !== true && isPrivateMainSession(this.#callerOf(call))
    return isOwner ? value : this.withoutPlaces(value)
  }

  /** True if this caller may see long-term notes. */
  #isFor(call: MemoryCall): boolean {
    return mayReadLongTerm(this.settings, this.#callerOf(call))
  }

  /** The result of an append reveals a note's content: duplicates are detected, and lines are counted. */
  async #requirePath(to: string, call: MemoryCall): Promise<void> {
    if (to === 'daily' || this.#isFor(call)) return
    if (to === 'memory') throw longTermDenied()
    const { path } = await this.#open.notes.reader.read({ path: to, lines: 1, caller: this.#callerOf(call) })
    if (isLongTerm(path)) throw longTermDenied()
  }

  async #textOf(path: string, call: MemoryCall): Promise<string | undefined> {
    await this.#requirePath(path, call)
    return wholeText(this.#open.notes.reader, path, this.#callerOf(call))
  }

  #requireWritable(): void {
    if (!this.isReadOnly) return
    throw new CommandError('read-only', 'this memory is served read-only', {
      next: 'Search and read; nothing can be written here.',
    })
  }

  #requireScope(call: MemoryCall): void {
    requireScopes(this.settings, this.#callerOf(call))
  }

  /** Nobody waits for the record: a fact that a sync brought is there at once, and recorded a moment later. */
  #record(run: SyncRun, report: SyncReport): void {
    if (this.isReadOnly) return
    const { store } = this.#open
    this.#recording = this.#recording
      .then(() => recordKnownFacts(store, this.settings, { report, registry: this.#facts }))
      // The next process records what a closed index leaves out.
      .catch((error: unknown) => (this.#isClosing ? undefined : this.#tell({ event: 'failed', run, error })))
  }

  #tell(event: MemoryEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  async #withProgress<Result>({ onProgress }: MemoryCall, work: () => Promise<Result>): Promise<Result> {
    if (onProgress === undefined) return work()
    const stop = this.listen((event) => event.event === 'progress' && onProgress(event.progress))
    try {
      return await work()
    } finally {
      stop()
    }
  }

  async #masked(reply: ReadReply, call: MemoryCall): Promise<ReadReply> {
    const secrets = await secretsAround(reply, linesOf(this.#open.memory, { caller: this.#callerOf(call), signal: call.signal }))
    return { ...reply, text: await maskText(reply.text, secrets) }
  }
}

function withoutLongTermPaths(event: MemoryEvent): MemoryEvent {
  if (event.event === 'progress' || event.run.paths === undefined) return event
  return { ...event, run: { ...event.run, paths: event.run.paths.filter(({ path }) => !isLongTerm(path)) } }
}
