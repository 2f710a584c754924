import { randomUUID } from 'node:crypto'
import { type CallOptions, sha256, WorkspaceError } from '@mnemark/spec'
import { eraseLines, type ErasedLines, type ForgetReport } from '../folder/forget.ts'
import { pruneSessions, type PruneReport } from '../folder/prune.ts'
import type { SessionRecord } from '../folder/record.ts'
import { headerOf, type SessionProblem, SessionsFolder } from '../folder/sessions-folder.ts'
import { readSessionKey, type SessionKey } from '../lifecycle/session-key.ts'
import type { ChatType } from '../transcript/entry.ts'
import { readMessages, type ReadMessagesOptions, type StoredMessage } from '../transcript/read-messages.ts'
import { readRawLines } from '../transcript/read-lines.ts'
import { TranscriptTree, type TranscriptFaults } from '../transcript/tree.ts'
import { Session } from './session.ts'
import { checkSessionsOptions, type SessionsOptions } from './session-settings.ts'

export interface OpenSessionOptions extends CallOptions {
  /** Key of the session that starts this one, where it is new. */
  readonly spawnedBy?: string
  /** Default: what the key says. */
  readonly chatType?: ChatType
  readonly channel?: string
  /** Keeps it from every clean-up. */
  readonly isPinned?: boolean
}

export interface HistoryMessage extends StoredMessage {
  readonly sessionId: string
}

export interface ForgetOptions extends CallOptions {
  /** Only these messages, with the summaries made from them. Default: whole sessions. */
  readonly messages?: readonly string[]
}

const PRUNE_INTERVAL_MS = 3_600_000
const IDLE_MS = 86_400_000

/** All sessions of one agent. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #folder: SessionsFolder
  readonly #open = new Map<string, Session>()
  readonly #problems: SessionProblem[] = []
  #prunedAt: number
  #isClosed = false

  constructor(options: SessionsOptions) {
    checkSessionsOptions(options)
    this.#options = options
    const now = options.now ?? Date.now
    this.#folder = new SessionsFolder(options.folder, {
      now,
      onProblem: (problem) => {
        this.#problems.push(problem)
        options.onProblem?.(problem)
      },
    })
    this.#prunedAt = now()
  }

  /** Faults that were dealt with, each once. */
  get problems(): readonly SessionProblem[] {
    return this.#problems
  }

  /** Bytes read from and written to the folder so far. */
  get io(): { readonly read: number; readonly written: number } {
    return { ...this.#folder.io }
  }

  /**
   * The conversation of a key, begun where there is none. The same object for the same key.
   * @throws WorkspaceError `refused` for a key that cannot be one, `unreadable` where the system refuses
   */
  async openSession(key: string, options: OpenSessionOptions = {}): Promise<Session> {
    this.#requireOpen()
    const read = readSessionKey(key, this.#options.agent)
    const known = this.#open.get(read.key)
    if (known !== undefined) return known
    const id = await this.#folder.locked(read.key, () => this.#ensure(read, options), options)
    const opened = this.#open.get(read.key) ?? new Session(this.#host(), read, id)
    this.#open.set(read.key, opened)
    return opened
  }

  /** Every transcript: active, archived and deleted ones. */
  list(): readonly SessionRecord[] {
    return this.#folder.records().toSorted((left, right) => right.updatedAt - left.updatedAt)
  }

  /** The transcripts of a key, oldest first, or the one of an id; none where there is no such. */
  find(keyOrId: string): readonly SessionRecord[] {
    const records = this.#folder.records()
    const byId = records.filter(({ id }) => id === keyOrId)
    if (byId.length > 0) return byId
    const key = keyOrId === 'main' ? readSessionKey(keyOrId, this.#options.agent).key : keyOrId
    return inOrder(records.filter((record) => record.key === key))
  }

  /**
   * The messages of a key through all its sessions, or those of one id, oldest first; a message that a copied file repeats comes once.
   * @throws WorkspaceError `refused` where there is no such session
   */
  async *history(keyOrId: string, options: ReadMessagesOptions = {}): AsyncGenerator<HistoryMessage> {
    const records = this.#require(keyOrId)
    const seen = new Set<string>()
    for (const { id, file } of records) {
      const tree = new TranscriptTree(this.#folder.file(file), this.#folder.io)
      for await (const message of readMessages(tree, options)) {
        if (records.length > 1 && !isFirst(message, seen)) continue
        yield { ...message, sessionId: id }
      }
    }
  }

  /**
   * The lines of one transcript as they stand in its file, for a citation such as `session:<id>.jsonl#L12`. Not masked.
   * @param options the first line, from 1, and how many at most; default 120
   * @throws WorkspaceError `refused` where there is no such session
   */
  lines(id: string, { from = 1, lines = 120 }: { readonly from?: number; readonly lines?: number } = {}): readonly string[] {
    const [record] = this.#require(id)
    return readRawLines(this.#folder.file(record!.file), { from, count: lines }, this.#folder.io)
  }

  /** Reads a transcript to its end and counts what is wrong in it. */
  async faults(id: string, options?: CallOptions): Promise<TranscriptFaults> {
    const [record] = this.#require(id)
    const tree = new TranscriptTree(this.#folder.file(record!.file), this.#folder.io)
    await tree.extend(options)
    return tree.faults
  }

  /** Takes all sessions of a key, or the one of an id, off the list. Their transcripts stay readable until they are pruned. */
  async delete(keyOrId: string, options: CallOptions = {}): Promise<readonly string[]> {
    const records = this.#require(keyOrId).filter(({ state }) => state !== 'deleted')
    for (const record of records) {
      await this.#leave(record, () => this.#folder.archiveAsDeleted(record), options)
    }
    this.#folder.writeList()
    return records.map(({ id }) => id)
  }

  /**
   * Erases for good: all sessions of a key, the one of an id, or some messages of it. Lines are overwritten where they stand; a message is taken
   * out of every session of the key, with the summaries and flushed texts that it went into.
   */
  async forget(keyOrId: string, { messages, signal }: ForgetOptions = {}): Promise<ForgetReport> {
    const records = this.#require(keyOrId)
    const ids = messages === undefined ? null : new Set(messages)
    const all: ErasedLines = { lines: 0, summaries: 0, unreadable: 0, notes: new Set() }
    // The names first: a crash in between leaves files that are left out, not files that come back.
    if (ids === null) this.#folder.forgotten.add(records.map(({ id }) => id))
    for (const record of records) {
      const erase = (): void => addTo(all, eraseLines(this.#folder.file(record.file), ids, this.#folder.io))
      if (ids === null) await this.#leave(record, erase, { signal })
      else await this.#folder.locked(lockKeyOf(record), erase, { signal })
    }
    this.#folder.writeList()
    return { ...all, notes: [...all.notes], sessions: ids === null ? records.map(({ id }) => id) : [] }
  }

  /** Whether a session of this id was forgotten: an import leaves it out. */
  isForgotten(id: string): boolean {
    return this.#folder.forgotten.has(id)
  }

  /** Removes old transcripts by the policy; done by itself once an hour of appends. */
  prune({ dryRun = false }: { readonly dryRun?: boolean } = {}): PruneReport {
    this.#prunedAt = this.#folder.now()
    this.#letGoOfIdle()
    const open = new Set([...this.#open.values()].map(({ id }) => id))
    const report = pruneSessions(this.#folder, this.#options.maintenance ?? {}, { open, dryRun })
    if (report.removed.length > 0 && !dryRun) this.#options.onPrune?.(report)
    if (report.isDryRun && !dryRun && report.removed.length > 0) {
      const message = `${report.removed.length} sessions (${report.bytes} bytes) are over the limits of maintenance; its mode "warn" keeps them.`
      this.#folder.report({ code: 'over-budget', message })
    }
    return report
  }

  /** Writes what waits. Later calls are refused; a second close does nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const session of this.#open.values()) session.finish()
    this.#folder.writeList()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** A process that runs for months must not hold every conversation it ever had. */
  #letGoOfIdle(): void {
    for (const [key, session] of this.#open) {
      if (this.#folder.now() - session.usedMs <= IDLE_MS) continue
      session.finish()
      this.#open.delete(key)
    }
  }

  #ensure(key: SessionKey, options: OpenSessionOptions): string {
    const folder = this.#folder
    const pointer = folder.pointer(key.key)
    const active = folder.activeOf(key.key)
    const id = active ?? randomUUID()
    if (active === null) {
      folder.create(
        headerOf(key, {
          id,
          previous: null,
          spawnedBy: options.spawnedBy ?? null,
          chatType: options.chatType ?? key.chatType,
          channel: options.channel ?? key.channel,
          nowMs: folder.now(),
        }),
      )
    }
    const isPinned = options.isPinned ?? pointer?.isPinned
    if (pointer?.id !== id || isPinned !== pointer.isPinned) {
      folder.point({ key: key.key, id, ...(isPinned === undefined ? {} : { isPinned }) })
    }
    return id
  }

  /** Lets a transcript go; where it was the active one of its key, the next message begins anew. */
  async #leave(record: SessionRecord, work: () => void, options: CallOptions): Promise<void> {
    await this.#folder.locked(
      lockKeyOf(record),
      () => {
        work()
        if (record.key === null || record.state !== 'active') return
        this.#folder.unpoint(record.key)
        const key = readSessionKey(record.key)
        const others = this.#folder.records().some((other) => other.key === record.key && other.state === 'active')
        // Without a pointer an older session of the key would be taken up again.
        if (!others) return
        const id = randomUUID()
        const { chatType, channel, spawnedBy } = record
        this.#folder.create(headerOf(key, { id, previous: record.id, chatType, channel, spawnedBy, nowMs: this.#folder.now() }))
        this.#folder.point({ key: record.key, id })
      },
      options,
    )
  }

  #require(keyOrId: string): readonly SessionRecord[] {
    const records = this.find(keyOrId)
    if (records.length > 0) return records
    throw new WorkspaceError('refused', `There is no session ${keyOrId}. Use a key or an id as the list shows them.`)
  }

  #host(): ConstructorParameters<typeof Session>[0] {
    return {
      folder: this.#folder,
      options: this.#options,
      requireOpen: () => this.#requireOpen(),
      afterAppend: () => {
        this.#folder.noteAppend()
        if (this.#folder.now() - this.#prunedAt >= PRUNE_INTERVAL_MS) this.prune()
      },
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new WorkspaceError('refused', 'The sessions are closed. Open them again.')
  }
}

/**
 * Opens the folder of an agent's sessions.
 * @throws ConfigError `invalid-value` for an option, WorkspaceError `unreadable` for a folder that cannot be used
 */
export async function openSessions(options: SessionsOptions): Promise<Sessions> {
  return new Sessions(options)
}

/** A copied or forked transcript repeats messages of another; by id and content they count once. */
function isFirst({ id, message }: StoredMessage, seen: Set<string>): boolean {
  const name = `${id} ${sha256(JSON.stringify(message.content))}`
  if (seen.has(name)) return false
  seen.add(name)
  return true
}

/** Each behind the one it took over from. */
function inOrder(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const sorted = records.toSorted((left, right) => left.createdAt - right.createdAt || (left.file < right.file ? -1 : 1))
  const placed: SessionRecord[] = []
  const waiting = new Set(sorted)
  const place = (record: SessionRecord): void => {
    if (!waiting.delete(record)) return
    const before = sorted.find(({ id }) => id === record.previous)
    if (before !== undefined) place(before)
    placed.push(record)
  }
  for (const record of sorted) place(record)
  return placed
}

function lockKeyOf({ key, id }: SessionRecord): string {
  return key ?? id
}

function addTo(all: ErasedLines, more: ErasedLines): void {
  all.lines += more.lines
  all.summaries += more.summaries
  all.unreadable += more.unreadable
  for (const note of more.notes) all.notes.add(note)
}
