import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type CallOptions, sha256, WorkspaceError } from '@mnemark/spec'
import { isMissing, openFolder, systemCode, systemReason, whileLocked } from '@mnemark/workspace'
import type { SessionKey } from '../lifecycle/session-key.ts'
import type { SessionHeader } from '../transcript/entry.ts'
import type { IoCount } from '../transcript/read-lines.ts'
import { ForgottenSessions } from './forget.ts'
import { readTranscriptName, stampOf, type TranscriptName } from './file-name.ts'
import { hashOfKey, KEYS_FOLDER, type Pointer, readPointer, removePointer, writePointer } from './pointer.ts'
import { readRecord, type RecordOfFile, type SessionRecord } from './record.ts'
import { keysById, LIST_FILE, readList, writeList } from './session-list.ts'

/** A fault of the folder that was dealt with; each is reported once. */
export interface SessionProblem {
  readonly code:
    | 'list-damaged'
    | 'list-not-written'
    | 'not-synced'
    | 'other-id'
    | 'shared-session'
    | 'forgotten-file'
    | 'over-budget'
  readonly message: string
}

export interface FolderOptions {
  readonly now: () => number
  readonly onProblem: (problem: SessionProblem) => void
}

interface Cached {
  readonly size: number
  readonly mtimeMs: number
  readonly record: RecordOfFile
}

/** At most one list a second, and one for half as many appends as there are sessions: the cost of an append does not grow with them. */
const LIST_INTERVAL_MS = 1_000
const APPENDS_PER_SESSION = 1 / 2

/** The files of one agent's sessions. */
export class SessionsFolder {
  readonly path: string
  readonly io: IoCount = { read: 0, written: 0 }
  readonly now: () => number
  readonly forgotten: ForgottenSessions
  readonly #onProblem: (problem: SessionProblem) => void
  readonly #reported = new Set<string>()
  readonly #cache = new Map<string, Cached>()
  #listedAt = Number.NEGATIVE_INFINITY
  #listed = 0
  #appends = 0
  #isDirty = false
  #unpointed: Map<string, string> | null = null

  /** Makes the folder where it is missing. @throws WorkspaceError `unreadable` */
  constructor(path: string, { now, onProblem }: FolderOptions) {
    try {
      mkdirSync(join(path, KEYS_FOLDER), { recursive: true, mode: 0o700 })
      this.path = realpathSync.native(path)
    } catch (error) {
      throw new WorkspaceError('unreadable', `The folder of sessions cannot be used: ${systemReason(error)}.`, { cause: error })
    }
    this.now = now
    this.#onProblem = onProblem
    this.forgotten = new ForgottenSessions((name) => this.file(name), this.io)
  }

  file(name: string): string {
    return join(this.path, name)
  }

  /** Reports a fault once. */
  report(problem: SessionProblem): void {
    if (this.#reported.has(problem.message)) return
    this.#reported.add(problem.message)
    this.#onProblem(problem)
  }

  /** Runs `work` while no other process writes to the sessions of this key. */
  async locked<Result>(key: string, work: () => Result, { signal }: CallOptions = {}): Promise<Result> {
    using folder = openFolder(join(this.path, KEYS_FOLDER)) ?? this.#moved()
    return await whileLocked(folder, `The session ${key}`, work, { signal, name: `${hashOfKey(key)}.lock` })
  }

  /** Every transcript, told by its own head and tail; those that did not change are not read again. */
  records(): readonly SessionRecord[] {
    const list = readList(this.path, this.now(), this.io)
    if (list.keptAs !== null) {
      const message = `${LIST_FILE} was damaged and is kept as ${list.keptAs}. The list was made anew from the transcripts; nothing is lost.`
      this.report({ code: 'list-damaged', message })
      this.#isDirty = true
    }
    const keys = keysById(list.entries)
    const found = this.#names().flatMap((name) => {
      const record = this.#recordOf(name)
      return record === null ? [] : [{ name, record: { ...record, key: record.key ?? keys.get(name.id) ?? null } }]
    })
    const active = this.#activeIds(found.filter(({ name }) => name.state === 'live').map(({ record }) => record))
    return found.map(({ name, record }) => {
      const state = name.state === 'deleted' ? 'deleted' : active.has(record.id) && name.state === 'live' ? 'active' : 'archived'
      return { ...record, state }
    })
  }

  /** The record of one session by its id, whatever became of its file; null where there is none. */
  record(id: string): SessionRecord | null {
    return this.records().find((record) => record.id === id) ?? null
  }

  /** The record of a live transcript alone, without a look at the others; null where it is gone. */
  live(id: string): RecordOfFile | null {
    return this.#recordOf({ file: `${id}.jsonl`, id, state: 'live', archivedMs: null })
  }

  /** The id of the session that takes the messages of a key; null where there is none yet. */
  activeOf(key: string): string | null {
    const pointer = readPointer(this.path, key, this.io)
    if (pointer !== null && this.#exists(`${pointer.id}.jsonl`)) return pointer.id
    this.#unpointed ??= this.#keysWithoutPointer()
    return this.#unpointed.get(key) ?? null
  }

  /** Files that were brought here, or whose pointer was lost. Looked for once: whoever makes a session writes its pointer too. */
  #keysWithoutPointer(): Map<string, string> {
    const active = this.records().filter(({ state, key }) => state === 'active' && key !== null)
    return new Map(active.map(({ key, id }) => [key ?? '', id]))
  }

  pointer(key: string): Pointer | null {
    return readPointer(this.path, key, this.io)
  }

  unpoint(key: string): void {
    removePointer(this.path, key)
    this.#unpointed = null
    this.#isDirty = true
  }

  point(pointer: Pointer): void {
    writePointer(this.path, pointer, this.io)
    this.#unpointed?.delete(pointer.key)
    this.#isDirty = true
  }

  /** Makes a transcript with its first line. Belongs inside the lock of its key. */
  create(header: SessionHeader): void {
    const line = `${JSON.stringify(header)}\n`
    try {
      const descriptor = openSync(this.file(`${header.id}.jsonl`), 'wx', 0o600)
      try {
        writeFileSync(descriptor, line)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    } catch (error) {
      if (systemCode(error) === '') throw error
      throw new WorkspaceError('unreadable', `A new session cannot be made: ${systemReason(error)}.`, { cause: error })
    }
    this.io.written += line.length
    this.#isDirty = true
  }

  /** Takes a session off the list; its transcript stays readable under another name. */
  archiveAsDeleted({ file, id }: SessionRecord): void {
    renameSync(this.file(file), this.file(`${id}.jsonl.deleted.${stampOf(this.now())}`))
    this.#unpointed = null
    this.#isDirty = true
  }

  /** Counts an append, and writes the list where it is due. */
  noteAppend(): void {
    this.#isDirty = true
    this.#appends += 1
    const isDue = this.now() - this.#listedAt >= LIST_INTERVAL_MS && this.#appends >= this.#listed * APPENDS_PER_SESSION
    // A clock that jumps back must not stop the list for long.
    if (isDue || this.now() < this.#listedAt) this.#tryToWriteList()
  }

  /** Appended lines are kept whether the list can be written or not: a caller that is told of a failure would append it again. */
  #tryToWriteList(): void {
    try {
      this.writeList()
    } catch (error) {
      if (!WorkspaceError.isInstance(error)) throw error
      this.#listedAt = this.now()
      this.report({ code: 'list-not-written', message: `${error.message} The transcripts are written; it is tried again.` })
    }
  }

  /** Writes `sessions.json` where something changed. */
  writeList(): void {
    if (!this.#isDirty) return
    const records = this.records()
    const { entries } = readList(this.path, this.now(), this.io)
    const forgotten = this.forgotten.all()
    const kept = [...entries].filter(([, { sessionId }]) => typeof sessionId !== 'string' || !forgotten.has(sha256(sessionId)))
    writeList(this.path, records, new Map(kept), this.io)
    this.#isDirty = false
    this.#listedAt = this.now()
    this.#listed = records.length
    this.#appends = 0
  }

  #names(): readonly TranscriptName[] {
    const forgotten = this.forgotten.all()
    const names = readdirSync(this.path).flatMap((file) => readTranscriptName(file) ?? [])
    if (forgotten.size === 0) return names
    return names.filter(({ file, id }) => {
      if (!forgotten.has(sha256(id))) return true
      this.report({ code: 'forgotten-file', message: `${file} is of a session that was forgotten; it is left out. Remove it.` })
      return false
    })
  }

  #recordOf(name: TranscriptName): RecordOfFile | null {
    try {
      const { size, mtimeMs } = statSync(this.file(name.file))
      const cached = this.#cache.get(name.file)
      if (cached?.size === size && cached.mtimeMs === mtimeMs) return cached.record
      const record = readRecord(this.path, name, this.io)
      this.#cache.set(name.file, { size, mtimeMs, record })
      if (record.headerId !== null && record.headerId !== record.id) {
        const message = `${name.file} calls itself ${record.headerId} in its first line; the name of the file counts.`
        this.report({ code: 'other-id', message })
      }
      return record
    } catch (error) {
      // Another process may have renamed or pruned it meanwhile.
      if (isMissing(error)) return null
      throw error
    }
  }

  /** One of each key: what its pointer names, else the newest. */
  #activeIds(live: readonly RecordOfFile[]): ReadonlySet<string> {
    const byKey = Map.groupBy(live, ({ key, id }) => key ?? `?${id}`)
    return new Set([...byKey.values()].map((records) => this.#activeAmong(records).id))
  }

  #activeAmong(records: readonly RecordOfFile[]): RecordOfFile {
    const previous = new Set(records.map((record) => record.previous))
    // By the chain first: the clock may have jumped back between two sessions.
    const ends = records.filter(({ id }) => !previous.has(id))
    const newest = (ends.length > 0 ? ends : records).reduce((best, record) => (isNewer(record, best) ? record : best))
    if (records.length === 1 || newest.key === null) return newest
    const pointed = readPointer(this.path, newest.key, this.io)?.id
    return records.find(({ id }) => id === pointed) ?? newest
  }

  #exists(file: string): boolean {
    return statSync(this.file(file), { throwIfNoEntry: false })?.isFile() === true
  }

  #moved(): never {
    throw new WorkspaceError('unreadable', 'The folder of sessions is another one by now. Open it again.')
  }
}

function isNewer(record: RecordOfFile, other: RecordOfFile): boolean {
  return record.createdAt > other.createdAt || (record.createdAt === other.createdAt && record.id > other.id)
}

/** The first line of a new transcript. */
export function headerOf(
  key: SessionKey,
  about: Pick<SessionHeader, 'id' | 'chatType' | 'channel' | 'previous' | 'spawnedBy'> & { readonly nowMs: number },
): SessionHeader {
  return {
    type: 'session',
    version: 3,
    id: about.id,
    timestamp: new Date(about.nowMs).toISOString(),
    key: key.key,
    agent: key.agent,
    chatType: about.chatType ?? key.chatType,
    channel: about.channel ?? key.channel,
    previous: about.previous ?? null,
    spawnedBy: about.spawnedBy ?? null,
    format: 1,
  }
}
