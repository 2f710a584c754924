import type { CallOptions } from './call-options.ts'

/** `part`: a big growing file is listed as several documents; only the last one changes. */
export interface DocumentId {
  readonly source: string
  readonly path: string
  readonly part?: number
}
export interface DocumentStat extends DocumentId {
  readonly size: number
  readonly modifiedAtMs: number
  readonly inode?: string
  /** Where size and time are not enough (a part of a file, a database row): equal version = unchanged. */
  readonly version?: string
}
export interface SkippedDocument extends DocumentId {
  readonly skipped: string
}
/** `copy`: a sync program or a file manager made it from the note beside it. */
export type Mark = 'archived' | 'copy' | 'derived' | 'superseded' | 'untrusted' | 'transcript' | 'template'
export interface ChunkAttributes {
  /** world, experience, opinion, observation, transcript, or a kind of another package. */
  readonly kind?: string
  readonly entities?: readonly string[]
  readonly tags?: readonly string[]
  /** Calendar days, YYYY-MM-DD, inclusive; `time` is HH:MM[:SS] of the first. */
  readonly from?: string
  readonly to?: string
  readonly time?: string
  readonly marks?: readonly Mark[]
  readonly session?: string
  readonly speaker?: string
  readonly audience?: string
  readonly confidence?: number
  readonly factId?: string
  readonly extra?: Readonly<Record<string, string | number | boolean>>
}
export interface DocumentContent {
  readonly text: string
  /** Line of the original file for each line of `text`; absent when they are the same. */
  readonly lineMap?: Uint32Array
  readonly attributes?: ChunkAttributes
  /** Borders that chunks must not cross, with attributes of the text between them (speaker turns, facts). */
  readonly sections?: readonly {
    readonly startLine: number
    readonly endLine: number
    readonly context?: string
    readonly attributes?: ChunkAttributes
  }[]
  readonly media?: { readonly mime: string; readonly bytes: Uint8Array }
}
/** Rejecting from `list` means "unknown", never "empty": only a complete listing may prune. */
export interface DocumentSource {
  readonly id: string
  list(options?: CallOptions): AsyncIterable<DocumentStat | SkippedDocument>
  /**
   * Lists only these documents, with the same result as `list`; one that `list` would leave out is left out. Rejecting
   * means "unknown" here too. Without `stat` a caller lists everything.
   */
  stat?(ids: readonly DocumentId[], options?: CallOptions): AsyncIterable<DocumentStat | SkippedDocument>
  read(document: DocumentStat, options?: CallOptions): Promise<DocumentContent>
  /** Reports possible changes. An empty list means that anything may have changed: look at the whole source. */
  watch?(onChange: (changed: readonly DocumentId[]) => void): { close(): Promise<void> }
  /** Listed path of documents at this absolute path on disk, '' for the root folder; undefined for a place outside. */
  shownPath?(place: string): string | undefined
}
/** A document as a store keeps it. */
export interface StoredDocument extends DocumentStat {
  readonly contentHash: string
  readonly recipe: string
  readonly title?: string
  readonly from?: string
  readonly to?: string
  readonly dateReason?: 'front-matter' | 'name' | 'folder' | 'heading'
  readonly isEvergreen: boolean
  readonly properties?: Readonly<Record<string, string>>
}
/**
 * Adds attributes to sections of a document (facts of the bank, say). Its version is part of the recipe of the
 * documents that it concerns: under another version these are read again, and written where the result differs.
 */
export interface Annotator {
  readonly id: string
  readonly version: string
  /** Whether it may change anything about the document at this path. Absent: about every document. */
  concerns?(path: string): boolean
  /** Loads what `annotate` needs; awaited before it is called, so that a look at an index that is up to date loads nothing. */
  load?(): Promise<void>
  annotate(document: StoredDocument, content: DocumentContent): DocumentContent
}
