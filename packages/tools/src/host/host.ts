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

/** Who asks, as the host of the agent says; never what a model says. */
export type Caller = Omit<CallerContext, 'agentId'>

/** What comes with every call beside its input. */
export interface MemoryCall extends CallOptions {
  readonly caller: Caller
  readonly onProgress?: NonNullable<SyncOptions['onProgress']>
}

/** What a writing says: where the text stands now, in lines from 1. `duplicate`: it stood there already, and nothing was written. */
export interface AppendReport {
  readonly path: string
  readonly status: 'appended' | 'duplicate'
  readonly startLine: number
  readonly endLine: number
}

/** One change of a note. `quote` (`quoteHash` of a text, and the line where it begins) must stand there still, else nothing is written. */
export type NoteEdit = (
  | { readonly replace: { readonly old: string; readonly new: string } }
  | { readonly insert: { readonly afterLine: number; readonly text: string } }
) & { readonly quote?: { readonly hash: string; readonly line?: number } }

/** Where the new text stands now. */
export interface EditReport {
  readonly path: string
  /** What another program saved at the same moment: where in the history it is kept. */
  readonly conflict?: string | null
  readonly status: 'edited' | 'unchanged' | 'not-found'
  readonly startLine: number
  readonly endLine: number
}

/** What is known of a memory without looking: for instructions. */
export interface Overview {
  readonly notes: number
  /** YYYY-MM-DD. */
  readonly newest?: string
}

/** Whether a model names the source of what it uses; `auto`: in direct chats. */
export type CitationMode = 'on' | 'off' | 'auto'

/** What a session begins with. Text of notes in it stands in the data envelope. */
export interface StartupText {
  /** Empty where there is nothing yet. */
  readonly text: string
  /** Paths of notes for which there was no room. */
  readonly leftOut: readonly string[]
  /** What could not be read, in words. */
  readonly problems: readonly string[]
}

/**
 * The memory as the tools see it. `memoryHost` makes one over any backend; a program with rules of its own (who may read what, when the
 * index is brought up to date) writes one. Every method rejects with a typed error of Mnemark, or with `ToolError`.
 */
export interface ToolHost {
  /** Nothing can be written: the tools that write are left out. */
  readonly isReadOnly: boolean
  readonly citations: CitationMode
  search(query: Omit<SearchQuery, 'caller' | 'signal'>, call: MemoryCall): Promise<SearchReply>
  read(request: Omit<ReadRequest, 'caller' | 'signal'>, call: MemoryCall): Promise<ReadReply>
  /** `to`: `daily`, `memory`, or the path of a note. */
  append(text: string, to: string, call: MemoryCall): Promise<Warned<AppendReport>>
  /** Changes one place of a note that is there; rejects with WorkspaceError `conflict` where it is not as it was read. */
  edit?(path: string, change: NoteEdit, call: MemoryCall): Promise<Warned<EditReport>>
  /** Which notes there are. */
  list?(query: Omit<ListQuery, 'caller' | 'signal'>, call: MemoryCall): Promise<ListReply>
  /** What a session begins with, where the host has such a thing. */
  context?(request: { readonly budgetTokens?: number }, call: MemoryCall): Promise<StartupText>
  /** The paths of all notes that are for this caller, in order. */
  paths?(call: MemoryCall): Promise<readonly string[]>
  /** Words about a failure as this caller may hear them: without places of this machine, for whom they are not. */
  redact?(words: string, caller: Caller): string
  /** A failure of the host's own kind in words an agent can act on; undefined for others. */
  explain?(error: unknown): ToolFailure | undefined
}

/** A failed call in words an agent can act on. */
export interface ToolFailure {
  readonly code: string
  readonly message: string
  readonly next: string
}
