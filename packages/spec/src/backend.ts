import type { CallOptions } from './call-options.ts'
import type { ChunkAttributes, DocumentId, Mark, SkippedDocument, StoredDocument } from './document.ts'
import type { ChunkFilter, SpaceCoverage } from './store.ts'

/** The caller. Decides scope, visibility, citations; never set by the model. */
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
  /** False: the reranker is not asked. Default true where there is one, and false with `keywordsOnly` in the same overrides. */
  readonly rerank?: boolean
}
/**
 * A member that is `null`, blank or an empty list counts as left out: see `withoutBlanks`. In `filter` a day may be in
 * everyday form (`2026-03`, `7d`, `yesterday`), and a path may name a folder. Without a word in `text`, a filter lists
 * the documents that pass, newest first, one hit with score 0 for each.
 */
export interface SearchQuery extends CallOptions {
  /**
   * Words, `"phrases"`, `-words` and `prefix*`; `tag:`, `path:`, `file:`, `kind:`, `since:` and `until:` in it narrow
   * `filter`.
   */
  readonly text: string
  readonly limit?: number
  readonly caller: CallerContext
  readonly filter?: ChunkFilter
  readonly explain?: boolean
  /** Asks why this passage is not in the answer, or where it is. */
  readonly why?: { readonly path: string; readonly line?: number }
  readonly overrides?: SearchOverrides
}
export interface HitExplanation {
  readonly keywords?: {
    readonly rank: number
    readonly bm25: number
    /** `bm25` after the factors of coverage, compounds and marks. */
    readonly score: number
    /** Maximum score of the question: that of a short chunk that holds every word of it whole. */
    readonly possible: number
    readonly terms: readonly { readonly term: string; readonly stream: string; readonly part: number }[]
  }
  readonly vectors?: { readonly rank: number; readonly similarity: number; readonly space: string }
  readonly path?: { readonly rank: number; readonly match: 'exact' | 'name' | 'stem' | 'partial' }
  /** Set where the query is a title or alias of the note, a heading, or a part of its name. */
  readonly name?: { readonly match: 'title' | 'alias' | 'heading' | 'words' }
  /** Ranked behind other hits, whatever it holds. */
  readonly heldBack?: 'template' | 'translation'
  /** How `fused` was computed, where words and vectors were joined. */
  readonly fusion?: {
    /** Weight of the vectors; 0 for a chunk without a vector in the space. */
    readonly vectorWeight: number
    /** Score by words alone, on the scale of `SearchHit.score`. */
    readonly words: number
    /** Similarity after the marks of the chunk; 0 where it is not among the nearest. */
    readonly vectors: number
    /** The joined score that orders the candidates; compared with `minScore` where no word matches. Scaled by the best of the keyword list. */
    readonly listScore: number
  }
  /**
   * Score before decay: `words`, moved by `vectorWeight` towards `vectors` where those are greater, and no less than
   * the hit ranked below.
   */
  readonly fused: number
  readonly decay?: { readonly day: string; readonly reason: string; readonly ageDays: number; readonly factor: number }
  /**
   * Set where the reranker judged it. `score` is the reranker's, comparable within this answer only; `rank` (from 1) and
   * `before` are its place and its score without the reranker. The score of a hit belongs to its place after it.
   */
  readonly rerank?: { readonly score: number; readonly rank: number; readonly before: number }
  readonly mmr?: { readonly similarity: number; readonly value: number }
  /**
   * The hit is the newest version of an entry and takes the place and score of `of`; `score` and all other numbers here
   * are its own.
   */
  readonly version?: { readonly of: string; readonly score: number }
}
/** A text with the wording of a hit and other values, or a near copy of it. */
export interface HitVersion {
  /** `path#L12-L12`. */
  readonly citation: string
  /** Calendar day, YYYY-MM-DD; absent where the text has none. */
  readonly day?: string
  /** Its differing values, in order: at most five pieces of 80 characters; cut ones end in `…`. */
  readonly differs: readonly string[]
}
/**
 * Versions and near copies that a hit represents: newest first, undated ones last, including the hit's own entry. At
 * most ten `items` of `total`. `isComplete`: all that the search may see were counted; false for near copies, which are
 * compared among candidates only.
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
   * Relevance, 0..1, on one scale for words and vectors: the share of the question's maximum. Around .9 for a short
   * text with all of it; .1 to .2 for one word of five.
   */
  readonly score: number
  /** Share of the question's content words in it, 0..1, rare words counting more. Providers do not change it. */
  readonly share: number
  readonly snippet: string
  /** Line in the file for each line of `snippet`; a last line `Source: …` has none. */
  readonly snippetLines: readonly number[]
  readonly highlights: readonly (readonly [start: number, end: number])[]
  readonly citation: string
  readonly quoteHash?: string
  /** Texts that differ only in white space, bullets, letter case and the date or clock time at the beginning of lines. */
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
  | 'rerank-skipped'
  | 'untrusted-settings'
  | 'phrase-relaxed'
  | 'filter-unmatched'
  | 'all-excluded'
  | 'nothing-indexed'
/** A way in which the answer is less than requested; `message` names the cause and the next step. */
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
 * Lists notes without a question. Blanks count as left out, and days and folders in `filter` are read as in a search. A
 * note passes where one of its texts does; only texts that pass the caller's scope and the filter are listed or
 * counted.
 */
export interface ListQuery extends CallOptions {
  readonly caller: CallerContext
  readonly filter?: ChunkFilter
  /**
   * `newest` (default): by the last day of the note's passing texts, the later first, undated notes last; on one day by
   * clock time, the later first and without one last; then as `path`. `path`: by path in UTF-8 bytes.
   */
  readonly order?: 'newest' | 'path'
  /** Notes per page, from 1 to 1,000; default 100. */
  readonly limit?: number
  /**
   * `next` of the previous page, with the same filter and order. A note that comes or goes in between moves no other to
   * a second page.
   */
  readonly after?: string
  /** Whether to count tags as well. */
  readonly tags?: boolean
}
/** A note in a list. A member that a backend does not know is absent. */
export interface ListedNote {
  readonly source: string
  readonly path: string
  readonly title?: string
  /** First and last day of its passing texts, YYYY-MM-DD; both absent where nothing is dated. */
  readonly from?: string
  readonly day?: string
  readonly dateReason?: NonNullable<StoredDocument['dateReason']>
  readonly isEvergreen?: boolean
  /** Original spellings of the tags of its passing texts, each once. */
  readonly tags: readonly string[]
  readonly marks: readonly Mark[]
  /** Number of its chunks that pass. */
  readonly chunks?: number
  /** Last line of its passing texts, from 1. */
  readonly lines?: number
  /** Size in bytes. */
  readonly size?: number
  /** ISO 8601 time of the file's last change. */
  readonly modifiedAt?: string
}
export interface TagCount {
  /** The most common spelling. `project/alpha` counts for `project` too, as in a filter. */
  readonly tag: string
  readonly notes: number
  /** The last day of texts with the tag. */
  readonly newest?: string
}
export interface ListReply {
  readonly notes: readonly ListedNote[]
  /** Number of passing notes, on all pages. */
  readonly total: number
  /** The last day of all passing texts. */
  readonly newest?: string
  /** With `tags`: the tags of all passing notes, the most common first, then by name. */
  readonly tags?: readonly TagCount[]
  /** Set where there are more: the `after` of the next page. */
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
/**
 * not-found: empty text, both lines 0. `moved` is the present place of a quoted text; `note` tells why an existing file
 * gave no text (past its end, say).
 */
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
  /** True = texts go to the next provider of the chain at once when one fails; else after `fallbackAfterMinutes`. */
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
  /** Price of `tokens`, where every provider that was used has a price. In a dry run `tokens` and `usd` are estimates. */
  readonly usd?: number
  /** Dry runs only: price of `tokens` in batch jobs, where the provider runs them and states it. */
  readonly usdByBatch?: number
  /** Problems on the way that were dealt with. */
  readonly notes?: readonly string[]
  /** Why vectors are missing, or a source could not be listed. */
  readonly degraded: readonly Degradation[]
  readonly isComplete: boolean
  /** Set where vectors are missing: when a resting provider may be called again, or another one instead, in ms since 1970. */
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
  /** Throws ConfigError `invalid-value` for an invalid limit, cursor, day or glob. */
  list(query: ListQuery): Promise<ListReply>
  read(request: ReadRequest): Promise<ReadReply>
  sync(options?: SyncOptions): Promise<SyncReport>
  status(options?: CallOptions & { readonly isDeep?: boolean }): Promise<BackendStatus>
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): PromiseLike<void>
}
