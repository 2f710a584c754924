import { randomUUID } from 'node:crypto'
import { type CallOptions, WorkspaceError } from '@mnemark/spec'
import { systemReason } from '@mnemark/workspace'
import { compactMessages, type CompactionReport } from '../compaction/compact.ts'
import { buildContext, type BuildContextOptions, type SessionContext } from '../context/build-context.ts'
import { flushToNotes, type FlushReport } from '../flush/flush-to-notes.ts'
import { headerOf, type SessionsFolder } from '../folder/sessions-folder.ts'
import { type Excerpt, excerptOf } from '../lifecycle/excerpt.ts'
import { type ResetReason, ruleFor, staleBy } from '../lifecycle/reset-policy.ts'
import { sessionDay } from '../lifecycle/session-day.ts'
import type { SessionKey } from '../lifecycle/session-key.ts'
import { limitsOf } from '../tokens/limits.ts'
import type { CompactionTrigger, Counters, SessionHeader, SessionMessage } from '../transcript/entry.ts'
import { readMessages, type ReadMessagesOptions, type StoredMessage } from '../transcript/read-messages.ts'
import type { OpenTranscript, WriteEntriesOptions } from '../transcript/open-transcript.ts'
import { type NewEntry, TranscriptFile, type Written } from '../transcript/transcript-file.ts'
import { TranscriptTree } from '../transcript/tree.ts'
import type { SessionsOptions } from './session-settings.ts'

/** A message to append. */
export interface NewMessage extends SessionMessage {
  /** Default: a random one. A message whose id stands in the last 256 KiB of the transcript is not written again. */
  readonly id?: string
  /** Default: where the conversation stands. An earlier message begins another branch there; null begins anew. */
  readonly parentId?: string | null
  /** In ms since 1970. Default: now; null where it is unknown. */
  readonly timeMs?: number | null
}

export interface AppendReply {
  /** One for each message, in their order. */
  readonly written: readonly Written[]
  /** The session they went to, and why it is another than before; null where it is not. */
  readonly sessionId: string
  readonly reset: ResetReason | null
}

export interface SessionHost {
  readonly folder: SessionsFolder
  readonly options: SessionsOptions
  /** Throws where the sessions are closed. */
  readonly requireOpen: () => void
  /** Called after each append. */
  readonly afterAppend: () => void
}

export interface NextContextOptions extends BuildContextOptions {
  /** The window of the model that is to be asked, in tokens. */
  readonly window: number
  /** The provider refused the last request as too long. */
  readonly overflow?: boolean
}

export interface NextContext {
  readonly context: SessionContext
  /** Null where none was due. */
  readonly flush: FlushReport | null
  readonly compaction: CompactReport | null
}

export interface CompactOptions extends CallOptions {
  readonly window: number
  /** Default: `manual`. */
  readonly trigger?: CompactionTrigger
  /** Things the summary is to pay heed to, as behind `/compact`. */
  readonly focus?: string
}

export interface CompactReport extends CompactionReport {
  readonly flush: FlushReport | null
}

const NO_GENERATOR: CompactionReport = {
  status: 'failed',
  why: 'there is no model to write the summary; give openSessions a generator',
  id: null,
  summary: null,
  covered: 0,
  tokensBefore: 0,
}

const EXCERPT_LINES = 15
/** Tools and machinery may stand between what was said. */
const EXCERPT_ENTRIES = 400
const SYNC_INTERVAL_MS = 1_000

/** The conversation of one key. Several processes may hold one each: their messages go to the same transcript, in the order they come. */
export class Session implements OpenTranscript {
  readonly key: string
  readonly #key: SessionKey
  readonly #host: SessionHost
  #id: string
  #file: TranscriptFile
  #tree: TranscriptTree
  #syncedAt = Number.NEGATIVE_INFINITY
  #needsSync = false
  #syncTimer: NodeJS.Timeout | undefined
  #usedMs: number
  /** The number of messages before which no summary is asked for again. */
  #retryAt = 0
  #givingWay: Promise<unknown> = Promise.resolve()

  constructor(host: SessionHost, key: SessionKey, id: string) {
    this.#host = host
    this.#key = key
    this.key = key.key
    this.#id = id
    this.#usedMs = host.folder.now()
    this.#file = this.#fileOf(id)
    this.#tree = this.#treeOf(id)
  }

  /** When it was opened or last written to, in ms since 1970. */
  get usedMs(): number {
    return this.#usedMs
  }

  /** The id of the transcript that takes messages now; another one after a reset. */
  get id(): string {
    return this.#id
  }

  /** Lifetime sums, the last measured context and more, as the file stands now. */
  get counters(): Counters {
    return this.#file.tail().counters
  }

  /** Why the next message of a person would begin a new session; null where it would not. */
  staleness(): 'daily' | 'idle' | null {
    const { options, folder } = this.#host
    const pointed = folder.pointer(this.key)?.id ?? this.#id
    // Another process began a new session.
    if (pointed !== this.#id) this.#use(pointed)
    const { messages, interaction } = this.counters
    const nowMs = folder.now()
    // An empty session is as new as one can be, whenever it was made.
    if (messages === 0) return null
    const lastMs = interaction ?? folder.live(this.#id)?.createdAt ?? nowMs
    return staleBy(ruleFor(this.#key, options.reset ?? {}), { lastMs, nowMs, timeZone: options.timeZone })
  }

  /**
   * Appends messages in one write. A message of a person first begins a new session where the old one is stale.
   * @throws WorkspaceError `unreadable` where the system refuses: then nothing was added; `conflict` where another process holds the lock for
   * over five seconds
   */
  async append(messages: NewMessage | readonly NewMessage[], { signal }: CallOptions = {}): Promise<AppendReply> {
    this.#host.requireOpen()
    signal?.throwIfAborted()
    const list = isList(messages) ? messages : [messages]
    const stale = list.some(isOfPerson) ? await this.#giveWayIfStale({ signal }) : null
    const written = await this.write(list.map(entryOf), { signal })
    return { written, sessionId: this.#id, reset: stale }
  }

  /** Goes on from an earlier message: what came after it stays in the transcript as a branch. */
  async rewind(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#tree.extend({ signal })
    if (this.#tree.place(id) === undefined) {
      throw new WorkspaceError('refused', `No message ${id} in the session ${this.key}. Use an id as history shows it.`)
    }
    await this.write([{ type: 'leaf', parentId: id }], { signal })
  }

  /** Begins a new session: `onReset` is given the excerpt first, then the transcript is left as it is and another one made. */
  async reset(reason: 'new' | 'reset' = 'reset', options: CallOptions = {}): Promise<string> {
    this.#host.requireOpen()
    await this.#giveWay(reason, options)
    return this.#id
  }

  /** The last things said in the present session; null where nothing was. */
  async excerpt(options: CallOptions = {}): Promise<Excerpt | null> {
    const tree = await this.tree(options)
    const messages: SessionMessage[] = []
    for (const { entry } of tree.entries(tree.path().slice(-EXCERPT_ENTRIES))) {
      if (entry?.type === 'message') messages.push(entry.message)
    }
    return excerptOf({ id: this.#id, key: this.key }, messages, EXCERPT_LINES)
  }

  /** The messages of the present session, oldest first. */
  messages(options?: ReadMessagesOptions): AsyncGenerator<StoredMessage> {
    return readMessages(this.#tree, options)
  }

  /** The next request as it would be, and how large it is. */
  async context(options: BuildContextOptions = {}): Promise<SessionContext> {
    return await buildContext(await this.tree(options), options)
  }

  /**
   * Makes the next request fit its window: near the limit the notes are saved, at the limit the older messages are summarised, and the notes
   * are saved before that where they were not yet. Call it before each request; `overflow` says that the provider refused the last one as too
   * long. After a summary that failed or was refused, `minMessages` more must come before another is asked for, unless there was an overflow.
   */
  async nextContext({ overflow = false, ...options }: NextContextOptions): Promise<NextContext> {
    const { compaction } = this.#host.options
    const before = await this.context(options)
    const limits = limitsOf(options.window, compaction)
    const { tokens } = before.size
    const isEnabled = compaction?.enabled !== false && this.counters.messages >= this.#retryAt
    if (overflow || (isEnabled && tokens >= limits.compaction)) {
      const report = await this.compact({ ...options, trigger: overflow ? 'overflow' : 'threshold' })
      const hasFailed = report.status === 'failed' || report.status === 'refused'
      if (hasFailed) this.#retryAt = this.counters.messages + limits.minMessages
      return { context: await this.context(options), flush: report.flush, compaction: report }
    }
    const flush = isEnabled && tokens >= limits.flush ? await this.flush(options) : null
    return { context: before, flush, compaction: null }
  }

  /** Summarises the older messages now, where there are any, after a flush where this cycle had none. */
  async compact({ window, trigger = 'manual', focus, signal }: CompactOptions): Promise<CompactReport> {
    const { options } = this.#host
    const limits = limitsOf(window, options.compaction)
    const { generator, redact } = options
    if (generator === undefined) return { ...NO_GENERATOR, flush: null }
    let flush: FlushReport | null = null
    const before = async (): Promise<void> => {
      flush = await this.flush({ window, signal })
    }
    const report = await compactMessages(this, { trigger, generator, limits, focus, redact, signal, before })
    return { ...report, flush }
  }

  /** Saves to the notes what must outlast a compaction; null where that is switched off or there is no model. */
  async flush({ window, signal }: { readonly window: number } & CallOptions): Promise<FlushReport | null> {
    const { options, folder } = this.#host
    const { generator, notes = null, redact, timeZone, compaction } = options
    const { enabled = true, systemPrompt, prompt } = compaction?.memoryFlush ?? {}
    if (!enabled || generator === undefined) return null
    return await flushToNotes(this, {
      generator,
      notes,
      redact,
      timeZone,
      window,
      systemPrompt,
      prompt,
      signal,
      nowMs: folder.now(),
    })
  }

  /** Where the entries are; read up to the end of the file. */
  async tree(options?: CallOptions): Promise<TranscriptTree> {
    await this.#tree.extend(options)
    return this.#tree
  }

  /** Appends entries of any kind; none where `check` says no. */
  async write(entries: readonly NewEntry[], { signal, check }: WriteEntriesOptions = {}): Promise<readonly Written[]> {
    this.#host.requireOpen()
    const { folder } = this.#host
    this.#usedMs = folder.now()
    const written = await folder.locked(
      this.key,
      () => {
        this.#follow()
        // Its pointer is there and its transcript is not: somebody removed the file.
        if (this.#file.tail().inode === -1) this.#begin(null)
        const tail = this.#file.tail()
        if (this.#file.isShared) this.#reportShared()
        if (check?.(tail) === false) return []
        return this.#file.append(entries, { nowMs: folder.now(), syncs: this.#isSyncDue() })
      },
      { signal },
    )
    this.#host.afterAppend()
    return written
  }

  /** Brings to the disk what waits for it. */
  finish(): void {
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    if (!this.#needsSync) return
    this.#needsSync = false
    this.#file.sync()
  }

  /** Why the session gave way; null where it stays. One message after another: those that come while it gives way cause no second one. */
  async #giveWayIfStale(options: CallOptions): Promise<ResetReason | null> {
    const turn = this.#givingWay.then(async () => {
      const stale = this.staleness()
      if (stale !== null) await this.#giveWay(stale, options)
      return stale
    })
    // A failure is that of one message; the next looks for itself.
    this.#givingWay = turn.catch(() => {})
    return await turn
  }

  async #giveWay(reason: ResetReason, { signal }: CallOptions): Promise<void> {
    const { folder, options } = this.#host
    const before = this.#id
    const { counters } = this
    const day = sessionDay(counters.interaction ?? folder.now(), { timeZone: options.timeZone })
    const excerpt = await this.excerpt({ signal })
    await options.onReset?.({ key: this.key, sessionId: before, reason, excerpt, day })
    await folder.locked(
      this.key,
      () => {
        this.#follow()
        // Another process was faster: its new session is ours as well.
        if (this.#id !== before) return
        this.#begin(before)
      },
      { signal },
    )
  }

  #begin(previous: string | null): void {
    const { folder } = this.#host
    const record = previous === null ? null : folder.live(previous)
    const id = randomUUID()
    const header: Pick<SessionHeader, 'id' | 'chatType' | 'channel' | 'previous' | 'spawnedBy'> = {
      id,
      previous,
      chatType: record?.chatType ?? this.#key.chatType,
      channel: record?.channel ?? this.#key.channel,
      spawnedBy: record?.spawnedBy ?? null,
    }
    folder.create(headerOf(this.#key, { ...header, nowMs: folder.now() }))
    folder.point({ ...folder.pointer(this.key), key: this.key, id })
    this.#use(id)
  }

  /** Takes over where another process began a new session of this key. */
  #follow(): void {
    const { folder } = this.#host
    const active = folder.pointer(this.key)?.id
    if (active === this.#id) return
    // Another process deleted the session: the conversation begins anew.
    if (active === undefined) return this.#begin(null)
    this.#reportShared()
    this.#use(active)
  }

  #use(id: string): void {
    this.finish()
    this.#retryAt = 0
    this.#id = id
    this.#file = this.#fileOf(id)
    this.#tree = this.#treeOf(id)
  }

  #fileOf(id: string): TranscriptFile {
    const { folder } = this.#host
    return new TranscriptFile(folder.file(`${id}.jsonl`), `The transcript of ${this.key}`, folder.io)
  }

  #treeOf(id: string): TranscriptTree {
    const { folder } = this.#host
    return new TranscriptTree(folder.file(`${id}.jsonl`), folder.io)
  }

  #reportShared(): void {
    const message = `Two processes write to the session ${this.key}. Their messages stand in one transcript, in the order they came.`
    this.#host.folder.report({ code: 'shared-session', message })
  }

  /** By the policy `interval`, what is not synced at once is a second later, whether another append comes or not. */
  #isSyncDue(): boolean {
    const { options, folder } = this.#host
    const policy = options.fsync ?? 'interval'
    if (policy !== 'interval') return policy === 'always'
    const nowMs = folder.now()
    const isDue = Math.abs(nowMs - this.#syncedAt) >= SYNC_INTERVAL_MS
    if (isDue) this.#syncedAt = nowMs
    this.#needsSync = !isDue
    // A process may end without waiting for it: close syncs as well.
    if (!isDue) this.#syncTimer ??= setTimeout(() => this.#syncLater(), SYNC_INTERVAL_MS).unref()
    return isDue
  }

  #syncLater(): void {
    try {
      this.finish()
    } catch (error) {
      const message = `The transcript of ${this.key} could not be brought to the disk: ${systemReason(error)}. A power cut may lose its end.`
      this.#host.folder.report({ code: 'not-synced', message })
    }
  }
}

function isList(messages: NewMessage | readonly NewMessage[]): messages is readonly NewMessage[] {
  return Array.isArray(messages)
}

function isOfPerson({ role, origin = 'person' }: NewMessage): boolean {
  return role === 'user' && origin === 'person'
}

function entryOf({ id, parentId, timeMs, ...message }: NewMessage): NewEntry {
  const timestamp = timeMs === undefined || timeMs === null ? timeMs : new Date(timeMs).toISOString()
  return {
    type: 'message',
    ...(id === undefined ? {} : { id }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(timestamp === undefined ? {} : { timestamp }),
    message,
  }
}
