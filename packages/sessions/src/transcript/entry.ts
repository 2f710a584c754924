/** Lines of a transcript: version 3 of the format that OpenClaw and pi write, with a few fields more. */

export type Role = 'user' | 'assistant' | 'toolResult' | 'system'

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: unknown }

/** Tokens of one request, as the service reported them. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  /** Tokens of the request and its answer together. Without it, cached tokens may be a sum over several calls, and the size of the context is estimated. */
  readonly totalTokens?: number
}

/** The cause of a message of the role `user`. Only a person's counts as activity and as said. */
export type Origin = 'person' | 'heartbeat' | 'cron' | 'hook' | 'system'

export interface SessionMessage {
  readonly role: Role
  readonly content: string | readonly Block[]
  /** For a user message. Default: `person`. */
  readonly origin?: Origin
  /** The name or id of the person, in chats of several. */
  readonly speaker?: string
  /** For a tool result: the id of its call. */
  readonly toolCallId?: string
  readonly toolName?: string
  readonly isError?: boolean
  /** For an answer of an assistant: the model. */
  readonly model?: string
  readonly usage?: Usage
  /** `aborted` and `error`: the usage of such an answer is no measure of the context. */
  readonly stopReason?: string
}

export type ChatType = 'direct' | 'group' | 'channel' | 'thread'

/** The first line of a transcript. */
export interface SessionHeader {
  readonly type: 'session'
  readonly version: number
  readonly id: string
  readonly timestamp: string
  /** Absent in files of other programs. */
  readonly key?: string
  readonly agent?: string
  readonly chatType?: ChatType
  readonly channel?: string | null
  /** Id of the session that this one took over from. */
  readonly previous?: string | null
  /** Key of the session that started this one. */
  readonly spawnedBy?: string | null
  /** Version of the fields that are ours. */
  readonly format?: number
}

/** How a flush of one cycle ended; `ahead` = the text is decided and may not be in the note yet. */
export type FlushState = 'ahead' | 'written' | 'silent' | 'skipped' | 'missed'

/** Running sums, repeated on each line we write, so that the last line of a file tells them all. */
export interface Counters {
  /** Messages written, other branches included. */
  readonly messages: number
  /** Instant of the last message of a person, in ms since 1970. */
  readonly interaction: number | null
  /** Lifetime sums of input, output, cache read and cache write tokens. */
  readonly totals: readonly [input: number, output: number, cacheRead: number, cacheWrite: number]
  /** Tokens of the last measured request with its answer; null = unknown, as after a compaction. */
  readonly context: number | null
  readonly compactions: number
  /** The last flush: the cycle is the number of compactions before it. */
  readonly flush: { readonly cycle: number; readonly state: FlushState } | null
}

export const NO_COUNTERS: Counters = {
  messages: 0,
  interaction: null,
  totals: [0, 0, 0, 0],
  context: null,
  compactions: 0,
  flush: null,
}

interface Line {
  readonly id: string
  readonly parentId: string | null
  /** Absent where the time is unknown. */
  readonly timestamp?: string
  readonly counters?: Counters
}

export interface MessageEntry extends Line {
  readonly type: 'message'
  readonly message: SessionMessage & { readonly timestamp?: number }
}

export type CompactionTrigger = 'threshold' | 'overflow' | 'manual'

export interface CompactionEntry extends Line {
  readonly type: 'compaction'
  readonly summary: string
  readonly firstKeptEntryId: string
  readonly tokensBefore: number
  readonly details?: {
    /** Ids of the entries that the summary stands for, since the compaction before. */
    readonly covers: readonly string[]
    /** Id of the compaction whose summary went into this one. */
    readonly previous: string | null
    readonly trigger: CompactionTrigger
  }
}

export interface FlushEntry extends Line {
  readonly type: 'flush'
  readonly cycle: number
  readonly state: FlushState
  readonly path?: string
  readonly text?: string
  /** Why it was skipped or missed. */
  readonly reason?: string
}

/** Makes an earlier entry, its parent, the place where the conversation goes on. */
export interface LeafEntry extends Line {
  readonly type: 'leaf'
}

/** In the place of a forgotten line, with its length in bytes. */
export interface TombstoneEntry extends Line {
  readonly type: 'tombstone'
}

export type Entry = MessageEntry | CompactionEntry | FlushEntry | LeafEntry | TombstoneEntry

/** The text of a message, blocks that are no text left out. */
export function textOf(content: SessionMessage['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** Counters after one more entry. */
export function countEntry(before: Counters, entry: Omit<Entry, 'counters'> & Pick<Entry, 'type'>): Counters {
  const known = entry as Entry
  switch (known.type) {
    case 'message':
      return countMessage(before, known.message, known.timestamp === undefined ? null : Date.parse(known.timestamp))
    case 'compaction':
      return { ...before, context: null, compactions: before.compactions + 1 }
    case 'flush':
      return { ...before, flush: { cycle: known.cycle, state: known.state } }
    default:
      return before
  }
}

function countMessage(before: Counters, message: SessionMessage, atMs: number | null): Counters {
  const [input, output, cacheRead, cacheWrite] = before.totals
  const usage = message.usage ?? {}
  const isPerson = message.role === 'user' && (message.origin ?? 'person') === 'person'
  return {
    ...before,
    messages: before.messages + 1,
    // A message of unknown time is no sign of when somebody was there.
    interaction:
      isPerson && atMs !== null && Number.isFinite(atMs) ? Math.max(before.interaction ?? atMs, atMs) : before.interaction,
    totals: [
      input + amount(usage.input),
      output + amount(usage.output),
      cacheRead + amount(usage.cacheRead),
      cacheWrite + amount(usage.cacheWrite),
    ],
    context: measuredContext(message) ?? before.context,
  }
}

/** A count that a service may have left out, or got wrong. */
function amount(count: number | undefined): number {
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? count : 0
}

/** Tokens of a request and its answer, where the usage says them for certain. */
export function measuredContext({ role, usage, stopReason }: SessionMessage): number | null {
  if (role !== 'assistant' || usage === undefined || stopReason === 'aborted' || stopReason === 'error') return null
  if (amount(usage.totalTokens) > 0) return amount(usage.totalTokens)
  const isSummed = amount(usage.cacheRead) + amount(usage.cacheWrite) > 0
  return isSummed || amount(usage.input) === 0 ? null : amount(usage.input) + amount(usage.output)
}
