import type { CallOptions } from './call-options.ts'
import type { ChunkAttributes, DocumentId, Mark, SkippedDocument, StoredDocument } from './document.ts'
import type { ChunkFilter, SpaceCoverage } from './store.ts'

/** Who asks. Decides scope, visibility, citations; never comes from the model. */
export interface CallerContext {
  readonly agentId: string
  readonly sessionKey?: string
  readonly chatType?: 'direct' | 'group' | 'channel'
  readonly channel?: string
}

export interface SearchOverrides {
  readonly minScore?: number
  readonly mmr?: { readonly enabled: boolean; readonly lambda?: number }
  readonly temporalDecay?: { readonly enabled: boolean; readonly halfLifeDays?: number }
  readonly fusion?: 'weighted' | 'rrf'
  readonly vectorWeight?: number
  readonly keywordsOnly?: boolean
}
/**
 * What is `null`, blank or an empty list counts as left out: see `withoutBlanks`. In `filter` a day may be written as a person would
 * (`2026-03`, `7d`, `yesterday`), and a path may name a folder. Without a word in `text`, a filter lists what passes it, newest first,
 * one hit with score 0 for each document.
 */
export interface SearchQuery extends CallOptions {
  /** Words, `"phrases"`, `-words` and `prefix*`; `tag:`, `path:`, `file:`, `kind:`, `since:` and `until:` in it narrow `filter` down. */
  readonly text: string
  readonly limit?: number
  readonly caller: CallerContext
  readonly filter?: ChunkFilter
  readonly explain?: boolean
  /** Ask why this place is not (or where it is) in the answer. */
  readonly why?: { readonly path: string; readonly line?: number }
  readonly overrides?: SearchOverrides
}
export interface HitExplanation {
  readonly keywords?: {
    readonly rank: number
    readonly bm25: number
    /** `bm25` with what covering the question, compounds and marks make of it. */
    readonly score: number
    /** The most the question could get: the score of a short chunk that holds every word of it whole. */
    readonly possible: number
    readonly terms: readonly { readonly term: string; readonly stream: string; readonly part: number }[]
  }
  readonly vectors?: { readonly rank: number; readonly similarity: number; readonly space: string }
  readonly path?: { readonly rank: number; readonly match: 'exact' | 'name' | 'stem' | 'partial' }
  /** The query is a title or alias of the note, a heading, or a part of its name. */
  readonly name?: { readonly match: 'title' | 'alias' | 'heading' | 'words' }
  /** Stands behind what else was found, whatever it holds. */
  readonly heldBack?: 'template' | 'translation'
  /** Where words and vectors were joined: how `fused` came about. */
  readonly fusion?: {
    /** Share of the vectors; 0 for a chunk without a vector in the space. */
    readonly vectorWeight: number
    /** Score by words alone, on the scale of `SearchHit.score`. */
    readonly words: number
    /** Similarity after the marks of the chunk; 0 where it is not among the nearest. */
    readonly vectors: number
    /** The joined score that orders the candidates; compared with `minScore` where no word matches. Scaled by the best of the keyword list. */
    readonly listScore: number
  }
  /** Before decay: `words`, moved by `vectorWeight` towards `vectors` where those are greater, and no less than the hit ranked below. */
  readonly fused: number
  readonly decay?: { readonly day: string; readonly reason: string; readonly ageDays: number; readonly factor: number }
  readonly rerank?: { readonly score: number }
  readonly mmr?: { readonly similarity: number; readonly value: number }
  /** The hit is the newest version of an entry and has the place and score of `of`; its own score and all other numbers here are its own. */
  readonly version?: { readonly of: string; readonly score: number }
}
/** A text with the wording of a hit and other values, or a near copy of it. */
export interface HitVersion {
  /** `path#L12-L12`. */
  readonly citation: string
  /** Calendar day, YYYY-MM-DD; absent where the text has none. */
  readonly day?: string
  /** What it has where the versions differ, in order: at most five pieces of 80 characters; cut ones end in `…`. */
  readonly differs: readonly string[]
}
/**
 * The texts a hit stands for that are not the same: newest first, those without a day last, the hit's own entry among them. At most ten
 * `items` of `total`. `isComplete`: all that the search may see were counted; false for near copies, which are compared among candidates only.
 */
export interface HitVersions {
  readonly items: readonly HitVersion[]
  readonly total: number
  readonly isComplete: boolean
}
export interface SearchHit {
  readonly source: string
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  /** Line of the best match, from 1, within `startLine` and `endLine`. */
  readonly line: number
  /**
   * How well it answers, 0..1, on one scale whatever took part: the share of what the question could get. Around .9 a short text that holds
   * all of it; of five words one alone .1 to .2.
   */
  readonly score: number
  /** How much of the question's content words it holds, 0..1, rare words counting more. Providers do not change it. */
  readonly share: number
  readonly snippet: string
  /** For each line of `snippet` its line in the file; a last line `Source: …` has none. */
  readonly snippetLines: readonly number[]
  readonly highlights: readonly (readonly [start: number, end: number])[]
  readonly citation: string
  readonly quoteHash?: string
  /** Texts equal to it but for white space, bullets, letter case and the date or clock time their lines begin with. */
  readonly repeats?: { readonly count: number; readonly first: string; readonly last: string }
  readonly versions?: HitVersions
  /** Derived copies (summaries, promoted blocks) of this source that matched too. */
  readonly copies?: readonly string[]
  readonly attributes?: ChunkAttributes
  readonly explain?: HitExplanation
}
export type DegradationCode =
  | 'no-provider'
  | 'provider-unavailable'
  | 'fallback-provider'
  | 'space-incomplete'
  | 'space-paused'
  | 'keywords-only'
  | 'vectors-only'
  | 'no-vector-scan'
  | 'backend-fallback'
  | 'backend-warming'
  | 'scope-denied'
  | 'consent-needed'
  | 'budget-reached'
  | 'source-failed'
  | 'files-skipped'
  | 'stale'
  | 'index-repaired'
  | 'query-shortened'
  | 'untrusted-settings'
  | 'phrase-relaxed'
  | 'filter-unmatched'
  | 'all-excluded'
  | 'nothing-indexed'
/** A way in which the answer is less than what was asked for; `message` names the cause and the next step. */
export interface Degradation {
  readonly code: DegradationCode
  readonly message: string
}
export interface SearchReply {
  readonly hits: readonly SearchHit[]
  readonly mode: 'hybrid' | 'keywords' | 'vectors' | 'unavailable'
  readonly backend: string
  readonly provider: string | null
  readonly model: string | null
  readonly requestedProvider: string | null
  readonly degraded: readonly Degradation[]
  readonly stale: boolean
  readonly why?: {
    readonly reason:
      | 'returned'
      | 'not-indexed'
      | 'no-match'
      | 'filtered'
      | 'outside-pool'
      | 'threshold'
      | 'diversity'
      | 'repeat'
      | 'version'
      | 'limit'
    readonly detail: string
    readonly explain?: HitExplanation
  }
  readonly timing: Readonly<Record<string, number>>
}
/**
 * Which notes there are, without a question. Blanks count as left out, and days and folders in `filter` are read as in a search. A note
 * passes where one of its texts does; whatever is listed or counted passed the caller's scope and the filter before.
 */
export interface ListQuery extends CallOptions {
  readonly caller: CallerContext
  readonly filter?: ChunkFilter
  /**
   * `newest` (default): by the last day of what passes in the note, the later first, undated notes last; on one day by clock time, the
   * later first and without one last; then as `path`. `path`: by path in UTF-8 bytes.
   */
  readonly order?: 'newest' | 'path'
  /** Notes of this page, from 1 to 1,000: 100. */
  readonly limit?: number
  /** `next` of the page before, with the same filter and order. A note that came or went meanwhile moves no other to a second page. */
  readonly after?: string
  /** Count tags as well. */
  readonly tags?: boolean
}
/** A note in a list. What a backend does not know of it is absent. */
export interface ListedNote {
  readonly source: string
  readonly path: string
  readonly title?: string
  /** First and last day of what passes in it, YYYY-MM-DD; both absent where nothing is dated. */
  readonly from?: string
  readonly day?: string
  readonly dateReason?: NonNullable<StoredDocument['dateReason']>
  readonly isEvergreen?: boolean
  /** As written, of what passes, each once. */
  readonly tags: readonly string[]
  readonly marks: readonly Mark[]
  /** How many chunks of it pass. */
  readonly chunks?: number
  /** The last line of what passes, from 1. */
  readonly lines?: number
  /** In bytes. */
  readonly size?: number
  /** ISO 8601, of the file. */
  readonly modifiedAt?: string
}
export interface TagCount {
  /** In the spelling that most notes have. `project/alpha` counts for `project` too, as in a filter. */
  readonly tag: string
  readonly notes: number
  /** The last day of what has the tag. */
  readonly newest?: string
}
export interface ListReply {
  readonly notes: readonly ListedNote[]
  /** Notes that pass, on all pages. */
  readonly total: number
  /** The last day of all that passes. */
  readonly newest?: string
  /** With `tags`: of all notes that pass, most notes first, then by name. */
  readonly tags?: readonly TagCount[]
  /** There are more: the `after` of the next page. */
  readonly next?: string
  readonly backend: string
  readonly degraded: readonly Degradation[]
  readonly stale: boolean
}
export interface ReadRequest extends CallOptions {
  readonly path: string
  readonly from?: number
  readonly lines?: number
  readonly quoteHash?: string
  readonly caller: CallerContext
}
/** not-found: empty text, both lines 0. `moved` says where a quoted text is now; `note` says why an existing file gave no text (past its end, say). */
export interface ReadReply {
  readonly path: string
  readonly status: 'ok' | 'empty' | 'not-found'
  readonly text: string
  readonly startLine: number
  readonly endLine: number
  readonly nextFrom?: number
  readonly moved?: 'same' | 'moved' | 'changed' | 'gone'
  readonly note?: string
}
/** Built by `workspace`, passed to every backend: one set of path rules. */
export interface DocumentReader {
  read(request: ReadRequest): Promise<ReadReply>
}

export interface SyncOptions extends CallOptions {
  readonly reason?: 'start' | 'search' | 'watch' | 'interval' | 'manual'
  readonly force?: boolean
  readonly reEmbed?: string
  /** Texts go to the next provider of the chain at once where one fails; else that waits for `fallbackAfterMinutes`. */
  readonly fallback?: boolean
  readonly isDryRun?: boolean
  readonly paths?: readonly DocumentId[]
  readonly onProgress?: (event: SyncProgress) => void
}
export interface SyncProgress {
  readonly phase: 'list' | 'text' | 'vectors' | 'batch'
  readonly done: number
  readonly total: number | null
  readonly tokens?: number
  readonly usd?: number
}
export interface SyncReport {
  readonly total: number
  readonly indexed: number
  readonly unchanged: number
  readonly removed: number
  readonly skipped: readonly SkippedDocument[]
  readonly failed: readonly (DocumentId & { readonly reason: string })[]
  readonly chunks: number
  readonly vectors: readonly SpaceCoverage[]
  readonly tokens: number
  /** Of `tokens`, where every provider that was asked has a price. In a dry run `tokens` and `usd` are estimates. */
  readonly usd?: number
  /** In a dry run: what `tokens` would cost in batch jobs, where the provider runs them and says so. */
  readonly usdByBatch?: number
  /** What went wrong on the way and was dealt with. */
  readonly notes?: readonly string[]
  /** Why vectors are missing, or a source could not be listed. */
  readonly degraded: readonly Degradation[]
  readonly isComplete: boolean
  /** Where vectors are missing: when a provider that rests may be asked again, or another one instead, in ms since 1970. */
  readonly retryAtMs?: number
  readonly ms: number
}
export interface BackendStatus {
  readonly backend: string
  readonly isDirty: boolean
  readonly documents: number
  readonly chunks: number
  readonly spaces: readonly SpaceCoverage[]
  readonly degraded: readonly Degradation[]
  readonly details: Readonly<Record<string, unknown>>
}

export interface MemoryBackend {
  readonly specVersion: 'v1'
  readonly name: string
  search(query: SearchQuery): Promise<SearchReply>
  /** Throws ConfigError `invalid-value` for a limit, cursor, day or glob that is none. */
  list(query: ListQuery): Promise<ListReply>
  read(request: ReadRequest): Promise<ReadReply>
  sync(options?: SyncOptions): Promise<SyncReport>
  status(options?: CallOptions & { readonly isDeep?: boolean }): Promise<BackendStatus>
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): PromiseLike<void>
}
