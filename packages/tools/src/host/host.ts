import type {
  CallerContext,
  CallOptions,
  ListQuery,
  ListReply,
  ReadReply,
  ReadRequest,
  SearchQuery,
  SearchReply,
  SyncOptions,
} from '@mnemark/spec'
import type { Warned } from '@mnemark/masking'

/** The caller as the agent's host states it; never as a model states it. */
export type Caller = Omit<CallerContext, 'agentId'>

/** The parts of every call beside its input. */
export interface MemoryCall extends CallOptions {
  readonly caller: Caller
  readonly onProgress?: NonNullable<SyncOptions['onProgress']>
}

/**
 * The result of a write: the lines, from 1, where the text is now. `duplicate`: it was there already, and nothing was written.
 */
export interface AppendReport {
  readonly path: string
  readonly status: 'appended' | 'duplicate'
  readonly startLine: number
  readonly endLine: number
}

/** One change of a note. `quote` (`quoteHash` of a text and its first line) must still match, else nothing is written. */
export type NoteEdit = (
  | { readonly replace: { readonly old: string; readonly new: string } }
  | { readonly insert: { readonly afterLine: number; readonly text: string } }
) & { readonly quote?: { readonly hash: string; readonly line?: number } }

/** The lines where the new text is now. */
export interface EditReport {
  readonly path: string
  /** The entry in the history with text that another program saved at the same moment. */
  readonly conflict?: string | null
  readonly status: 'edited' | 'unchanged' | 'not-found'
  readonly startLine: number
  readonly endLine: number
}

/** One fact for today's log: a statement, or a whole line such as `O(c=0.9) @Mara: prefers mail`. */
export interface FactToRetain {
  readonly text: string
  readonly kind?: 'world' | 'experience' | 'opinion' | 'observation'
  readonly entities?: readonly string[]
  /** 0 to 1. */
  readonly confidence?: number
  /** The valid day, or two with `..` between. */
  readonly on?: string
  /** `^id`, a citation, or quoted text. */
  readonly corrects?: string
  readonly retracts?: string
  /** True: written though it stands there already. */
  readonly again?: boolean
}

/** `exists`: the fact stands in these lines already, and nothing was written. */
export interface RetainReport {
  readonly path: string
  readonly status: 'written' | 'exists'
  readonly startLine: number
  readonly endLine: number
  readonly factId: string
}

/** A question that facts answer, and what its answer may hold. */
export interface FactQuestion {
  readonly question: string
  readonly limit?: number
  /** Days in any form that a search takes. */
  readonly since?: string
  readonly until?: string
  readonly asOf?: string
  readonly entities?: readonly string[]
  readonly budgetTokens?: number
  /** True: earlier and corrected facts too, each by itself. */
  readonly history?: boolean
}

/** A fact, or a passage that answers; `source` is a citation, days are YYYY-MM-DD. */
/** A line that speaks for or against an opinion. */
export interface RecalledEvidence {
  /** Citation. */
  readonly source: string
  readonly quote: string
  readonly timestamp?: string
}
export interface RecalledFact {
  readonly kind: string
  readonly timestamp?: string
  readonly until?: string
  readonly entities: readonly string[]
  readonly content: string
  readonly source: string
  readonly score: number
  readonly confidence?: number
  readonly author?: string
  readonly state?: string
  /** The evidence of an opinion: some lines each way, the newest first, and the numbers of independent origins. */
  readonly evidence?: {
    readonly for: readonly RecalledEvidence[]
    readonly against: readonly RecalledEvidence[]
    readonly groups: { readonly for: number; readonly against: number }
  }
  /** Facts that it replaced, newest first. */
  readonly earlier?: readonly {
    readonly content: string
    readonly source: string
    readonly timestamp?: string
    readonly why: string
  }[]
}
export interface RecalledFacts {
  readonly facts: readonly RecalledFact[]
  /** The dated fact nearest to the days asked for, where nothing is known of them. */
  readonly nearest?: RecalledFact
  readonly mode: SearchReply['mode']
  readonly degraded: SearchReply['degraded']
}

/** A transcript as a list shows it; times are ISO. */
export interface ListedSession {
  readonly id: string
  /** Null for a transcript of another program that names none. */
  readonly key: string | null
  readonly state: 'active' | 'archived' | 'deleted'
  readonly chatType: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly messages: number
}

export interface ListedSessions {
  /** The last written first. */
  readonly sessions: readonly ListedSession[]
  readonly total: number
  /** There are more: the `after` of the next page. */
  readonly next?: string
}

export interface HistoryRequest {
  /** A key, for all its sessions, or the id of one. */
  readonly session: string
  readonly limit?: number
  /** The `earlier` of a page: what stands before it. */
  readonly before?: string
  /** True: results of tools too. */
  readonly tools?: boolean
  /** Longer texts are cut. */
  readonly mostCharacters?: number
}

export interface HistoryMessage {
  readonly role: string
  readonly text: string
  /** `session:<id>.jsonl#L12` */
  readonly citation: string
  /** ISO; left out where it is unknown. */
  readonly timestamp?: string
  readonly speaker?: string
  readonly toolName?: string
  /** The text is the beginning of a longer one. */
  readonly isCut?: boolean
}

export interface SessionHistory {
  /** The last ones, the oldest of them first. */
  readonly messages: readonly HistoryMessage[]
  /** There are earlier ones: the `before` of the page with them. */
  readonly earlier?: string
}

/** Transcripts of conversations, as far as a caller may see them. */
export interface SessionsHost {
  list(request: { readonly limit?: number; readonly after?: string }, call: MemoryCall): Promise<ListedSessions>
  /** Rejects for a session that is not there, or that this caller may not see. */
  history(request: HistoryRequest, call: MemoryCall): Promise<SessionHistory>
}

/** Facts about a memory that need no search: for instructions. */
export interface Overview {
  readonly notes: number
  /** YYYY-MM-DD. */
  readonly newest?: string
}

/** Whether a model names the source of what it uses; `auto`: in direct chats. */
export type CitationMode = 'on' | 'off' | 'auto'

/** The text for the start of a session. Note text in it is inside the data envelope. */
export interface StartupText {
  /** Empty if there is nothing yet. */
  readonly text: string
  /** Paths of notes that did not fit. */
  readonly leftOut: readonly string[]
  /** Notes that could not be read, and why. */
  readonly problems: readonly string[]
}

/**
 * The memory as the tools see it. `memoryHost` makes one over any backend; a program with its own rules (who may read what, when
 * the index is updated) implements one. Every method rejects with a typed error of Mnemark, or with `ToolError`.
 */
export interface ToolHost {
  /** True if nothing can be written: the writing tools are then left out. */
  readonly isReadOnly: boolean
  readonly citations: CitationMode
  search(query: Omit<SearchQuery, 'caller' | 'signal'>, call: MemoryCall): Promise<SearchReply>
  read(request: Omit<ReadRequest, 'caller' | 'signal'>, call: MemoryCall): Promise<ReadReply>
  /** `to`: `daily`, `memory`, or the path of a note. */
  append(text: string, to: string, call: MemoryCall): Promise<Warned<AppendReport>>
  /** Changes one place of an existing note; rejects with WorkspaceError `conflict` if the note changed since it was read. */
  edit?(path: string, change: NoteEdit, call: MemoryCall): Promise<Warned<EditReport>>
  /** Adds a fact to today's log; with it there is the tool `memory_retain`. */
  retain?(fact: FactToRetain, call: MemoryCall): Promise<Warned<RetainReport>>
  /** Answers a question from facts; with it there is the tool `memory_recall`. */
  recall?(question: FactQuestion, call: MemoryCall): Promise<RecalledFacts>
  /** Transcripts; with them there are the tools `sessions_list` and `sessions_history`. */
  readonly sessions?: SessionsHost
  /** Lists notes. */
  list?(query: Omit<ListQuery, 'caller' | 'signal'>, call: MemoryCall): Promise<ListReply>
  /** The text for the start of a session, if the host has one. */
  context?(request: { readonly budgetTokens?: number }, call: MemoryCall): Promise<StartupText>
  /** Sorted paths of all notes this caller may see. */
  paths?(call: MemoryCall): Promise<readonly string[]>
  /** A failure's message as this caller may see it: without paths of this machine for callers who must not see them. */
  redact?(words: string, caller: Caller): string
  /** Explains a failure of the host's own kind to an agent; undefined for others. */
  explain?(error: unknown): ToolFailure | undefined
}

/** A failed call, explained so that an agent can act on it. */
export interface ToolFailure {
  readonly code: string
  readonly message: string
  readonly next: string
}
