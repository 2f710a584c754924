import type { ReadReply, ReadRequest } from '@mnemark/spec'
import { BackendError, WorkspaceError } from '@mnemark/spec'
import type {
  AppendReply,
  CompactReport,
  ForgetReport,
  NewMessage,
  Session,
  SessionRecord,
  Sessions,
  SessionVisibility,
} from '@mnemark/sessions'
import type { Caller, HistoryRequest, MemoryCall, SessionsHost } from '@mnemark/tools'
import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { mask, type Mask, maskedLines, noMask, readCitation, sessionDocument, type SessionDocument } from './session-documents.ts'
import type { PageOfMessages } from './session-pages.ts'

export interface AgentSessionsOptions {
  readonly agentId: string
  readonly visibility: SessionVisibility
  readonly isReadOnly: boolean
  /** Hides secrets in all answers. */
  readonly isMasking: boolean
  /** Opens the folder of sessions; called with the first request. */
  readonly open: () => Promise<Sessions>
  /** Throws for a caller whom the scope rules keep out. */
  readonly requireScope: (call: MemoryCall) => void
}

export interface ListOfSessions {
  readonly sessions: readonly SessionDocument[]
  readonly total: number
  readonly next?: string
}

const LISTED = 50
const MESSAGES = 50
const LINES = 120
/** Longer messages are cut, over HTTP. */
const MOST_CHARACTERS = 50_000

/**
 * The conversations of one agent as its tools and servers see them. A caller that names a session sees what `tools.sessions.visibility` lets it; one
 * that names none is the owner and sees everything; a chat without a session sees nothing. What is not seen answers as what is not there.
 */
export class AgentSessions implements SessionsHost {
  readonly #options: AgentSessionsOptions
  readonly #hide: Mask
  #opened: Promise<Sessions> | undefined

  constructor(options: AgentSessionsOptions) {
    this.#options = options
    this.#hide = options.isMasking ? mask : noMask
  }

  async list(
    request: { readonly limit?: number | undefined; readonly after?: string | undefined },
    call: MemoryCall,
  ): Promise<ListOfSessions> {
    const visible = await this.#visible(call)
    const { pageOfRecords } = await import('./session-pages.ts')
    const { page, next } = pageOfRecords(visible, { limit: request.limit ?? LISTED, after: request.after })
    const sessions = await Promise.all(page.map((record) => sessionDocument(record, this.#hide)))
    return { sessions, total: visible.length, ...(next !== undefined && { next }) }
  }

  /** The transcript that a key or id names; of a key the active one, else the last, and the ids of all, oldest first. */
  async show(keyOrId: string, call: MemoryCall): Promise<SessionDocument & { readonly sessions: readonly string[] }> {
    const records = await this.#require(keyOrId, call)
    const record = records.find(({ state }) => state === 'active') ?? records.at(-1)!
    return { ...(await sessionDocument(record, this.#hide)), sessions: records.map(({ id }) => id) }
  }

  async history(
    { session, limit = MESSAGES, mostCharacters = MOST_CHARACTERS, ...asked }: HistoryRequest & { readonly branches?: boolean },
    call: MemoryCall,
  ): Promise<PageOfMessages> {
    const records = await this.#require(session, call)
    const { pageOfMessages } = await import('./session-pages.ts')
    const request = { ...asked, limit, mostCharacters, hide: this.#hide, signal: call.signal }
    return await pageOfMessages(await this.#sessions(), records, request)
  }

  /** Lines of the transcript that a citation names, as they stand in it; null for a path that is no such citation. */
  async read(request: Omit<ReadRequest, 'caller' | 'signal'>, call: MemoryCall): Promise<ReadReply | null> {
    const cited = readCitation(request.path)
    if (cited === null) return null
    const path = `session:${cited.id}.jsonl`
    const records = (await this.#visible(call)).filter(({ id }) => id === cited.id)
    if (records.length === 0) return { path, status: 'not-found', text: '', startLine: 0, endLine: 0 }
    const from = request.from ?? cited.line ?? 1
    const asked = request.lines ?? (request.from === undefined && cited.line !== null ? cited.count : LINES)
    const count = Math.min(asked, LINES)
    const lines = (await this.#sessions()).lines(cited.id, { from, lines: count + 1 })
    const shown = await maskedLines(lines.slice(0, count), this.#hide)
    if (shown.length === 0) return { path, status: 'ok', text: '', startLine: from, endLine: from - 1 }
    const endLine = from + shown.length - 1
    const hasMore = lines.length > count
    return { path, status: 'ok', text: shown.join('\n'), startLine: from, endLine, ...(hasMore && { nextFrom: endLine + 1 }) }
  }

  /** Appends messages that came as JSON to the active session of a key. A caller that names a session appends to its own alone. */
  async append(key: string, values: readonly unknown[], call: MemoryCall): Promise<AppendReply> {
    this.#options.requireScope(call)
    this.#requireWritable()
    const messages = await messagesOf(values)
    const sessions = await this.#sessions()
    const { caller, signal } = call
    const full = await this.#fullKey(key)
    if (!isOwner(caller) && (await this.#keyOf(caller)) !== full) throw missing(key)
    const [byId] = sessions.find(key).filter(({ id }) => id === key)
    if (byId !== undefined && (byId.state !== 'active' || byId.key === null)) {
      throw isOver()
    }
    return await explained(async () => {
      const session = await sessions.openSession(byId?.key ?? full, { signal })
      return await session.append(messages, { signal })
    })
  }

  /** Begins a session of a key: its first, started by `parent`, or the one after its present one. */
  async begin(
    key: string,
    parent: string | undefined,
    call: MemoryCall,
  ): Promise<{ readonly sessionId: string; readonly previous: string | null; readonly spawnedBy: string | null }> {
    this.#requireOwner(call)
    const sessions = await this.#sessions()
    const fullKey = await this.#fullKey(key)
    const spawnedBy = parent === undefined ? undefined : await this.#fullKey(parent)
    const active = sessions.find(fullKey).find(({ state }) => state === 'active')
    if (active === undefined) {
      const begun = await explained(() =>
        sessions.openSession(fullKey, { signal: call.signal, ...(spawnedBy !== undefined && { spawnedBy }) }),
      )
      return { sessionId: begun.id, previous: null, spawnedBy: spawnedBy ?? null }
    }
    if (spawnedBy !== undefined && spawnedBy !== active.spawnedBy) {
      throw new CommandError('conflict', 'That key has a session already, which another one or nobody started.', {
        next: 'Leave the parent out, or take another key.',
      })
    }
    const session = await explained(() => sessions.openSession(fullKey, { signal: call.signal }))
    const sessionId = await explained(() => session.reset('new', { signal: call.signal }))
    return { sessionId, previous: active.id, spawnedBy: active.spawnedBy }
  }

  async reset(keyOrId: string, reason: 'new' | 'reset', call: MemoryCall): Promise<{ sessionId: string; previous: string }> {
    const session = await this.#ownersSession(keyOrId, call)
    const previous = session.id
    return { sessionId: await explained(() => session.reset(reason, { signal: call.signal })), previous }
  }

  async compact(
    keyOrId: string,
    request: { readonly window: number; readonly focus?: string | undefined },
    call: MemoryCall,
  ): Promise<CompactReport> {
    const session = await this.#ownersSession(keyOrId, call)
    const { window, focus } = request
    const asked = { window, ...(focus !== undefined && { focus }), signal: call.signal }
    const report = await explained(() => session.compact(asked))
    const { summary, flush, why } = report
    return {
      ...report,
      why: await this.#hide(why),
      summary: summary === null ? null : await this.#hide(summary),
      flush: flush === null || flush.text === null ? flush : { ...flush, text: await this.#hide(flush.text) },
    }
  }

  /** Takes sessions off the list; their transcripts stay readable until they are pruned. */
  async delete(keyOrId: string, call: MemoryCall): Promise<{ readonly deleted: readonly string[] }> {
    const sessions = await this.#owners(keyOrId, call)
    return { deleted: await explained(() => sessions.delete(keyOrId, { signal: call.signal })) }
  }

  /** Erases messages of sessions, or all of them, for good. */
  async forget(keyOrId: string, what: 'all' | readonly string[], call: MemoryCall): Promise<ForgetReport> {
    const sessions = await this.#owners(keyOrId, call)
    return await explained(() => sessions.forget(keyOrId, { ...(what !== 'all' && { messages: what }), signal: call.signal }))
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close()
  }

  async #visible({ caller, ...call }: MemoryCall): Promise<readonly SessionRecord[]> {
    call.signal?.throwIfAborted()
    this.#options.requireScope({ caller, ...call })
    const records = (await this.#sessions()).list()
    if (isOwner(caller)) return records
    const key = await this.#keyOf(caller)
    if (key === null) return []
    const { visibleSessions } = await import('@mnemark/sessions')
    const visible = new Set(visibleSessions(records, key, this.#options.visibility))
    // Files of other programs may share an id, by which transcripts are read.
    const hidden = new Set(records.filter((record) => !visible.has(record)).map(({ id }) => id))
    return [...visible].filter(({ id }) => !hidden.has(id))
  }

  /** The visible transcripts of a key, oldest first, or the one of an id. */
  async #require(keyOrId: string, call: MemoryCall): Promise<readonly SessionRecord[]> {
    const visible = new Set((await this.#visible(call)).map(({ file }) => file))
    const records = (await this.#sessions()).find(keyOrId).filter(({ file }) => visible.has(file))
    if (records.length === 0) throw missing(keyOrId)
    return records
  }

  async #ownersSession(keyOrId: string, call: MemoryCall): Promise<Session> {
    const sessions = await this.#owners(keyOrId, call)
    const record = sessions.find(keyOrId).find(({ state }) => state === 'active')
    if (record === undefined || record.key === null) throw isOver()
    return await sessions.openSession(record.key, { signal: call.signal })
  }

  async #owners(keyOrId: string, call: MemoryCall): Promise<Sessions> {
    this.#requireOwner(call)
    const sessions = await this.#sessions()
    if (sessions.find(keyOrId).length === 0) throw missing(keyOrId)
    return sessions
  }

  #requireOwner(call: MemoryCall): void {
    call.signal?.throwIfAborted()
    this.#options.requireScope(call)
    if (!isOwner(call.caller)) {
      throw new BackendError(
        'denied',
        'Only the owner resets, compacts, deletes and forgets sessions: a request that names no caller.',
      )
    }
    this.#requireWritable()
  }

  #requireWritable(): void {
    if (!this.#options.isReadOnly) return
    throw new CommandError('read-only', 'these sessions are served read-only', {
      next: 'Read them; nothing can be changed here.',
    })
  }

  async #keyOf({ sessionKey }: Caller): Promise<string | null> {
    return sessionKey === undefined ? null : await this.#fullKey(sessionKey)
  }

  async #fullKey(key: string): Promise<string> {
    const { readSessionKey } = await import('@mnemark/sessions')
    return (await explained(async () => readSessionKey(key, this.#options.agentId))).key
  }

  async #sessions(): Promise<Sessions> {
    this.#opened ??= this.#options.open()
    // A folder that could not be opened is tried again with the next request.
    this.#opened.catch(() => (this.#opened = undefined))
    return await this.#opened
  }
}

/** Throws CommandError `bad-input` that names the message, never its content. */
async function messagesOf(values: readonly unknown[]): Promise<readonly NewMessage[]> {
  const { readMessage } = await import('@mnemark/sessions')
  return values.map((value, index) => {
    try {
      return readMessage(value)
    } catch (error) {
      if (!WorkspaceError.isInstance(error)) throw error
      throw new CommandError('bad-input', `messages.${index}: ${error.message}`, { next: 'Correct it; nothing was appended.' })
    }
  })
}

/** A caller that names no session, no channel and no group: the owner at this machine, or a program they set up. */
function isOwner({ sessionKey, channel, chatType }: Caller): boolean {
  return sessionKey === undefined && channel === undefined && (chatType === undefined || chatType === 'direct')
}

const NEXT: Readonly<Record<WorkspaceError['code'], string>> = {
  refused: 'Correct it, and ask again.',
  conflict: 'Another process writes to that session: try again in a moment.',
  unreadable: 'Check the folder of sessions and the space on its disk, then try again.',
}

/** A fault of a session needs other advice than that of a note. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!WorkspaceError.isInstance(error)) throw error
    const { code, message } = error
    throw new CommandError(code === 'refused' ? 'bad-input' : code, message, { next: NEXT[code] })
  }
}

function isOver(): CommandError {
  return new CommandError('conflict', 'That session is over: another one of its key took over, or it was deleted.', {
    next: 'Name the key, or the id of the active session.',
  })
}

function missing(keyOrId: string): CommandError {
  return new CommandError('not-found', `There is no session ${keyOrId.slice(0, 200)}.`, {
    next: 'Use a key or an id as the list of sessions shows them.',
    exitCode: EXIT.nothing,
  })
}
