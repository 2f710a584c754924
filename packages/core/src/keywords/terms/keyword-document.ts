import type { NoteNames } from '../../document/note-names.ts'

/** The words and names of one chunk that the keyword engine indexes. */
export interface KeywordDocument {
  /** The chunk's text without unindexed ranges. */
  readonly text: string
  /** Title, heading trail, front-matter fields: scored in their own field. */
  readonly context: readonly string[]
  /** Position of the chunk in its document, from 0. */
  readonly ordinal: number
  /** See `tieHash`. */
  readonly hash: number
  /** The chunk's own day, else its document's, YYYY-MM-DD. */
  readonly day?: string | undefined
  /** Displayed path, with `/`. */
  readonly path: string
  /** Calendar days of the note, YYYY-MM-DD: every day it mentions, first and last for a range. */
  readonly days: readonly string[]
  /** Front matter as `key:value` terms (see `propertyTerms`). */
  readonly properties?: readonly string[]
  /** Entries without their values, one term for each occurrence (see `entryTerms`). */
  readonly entries?: readonly string[]
  /** Title by the file name, where the note has none: found like a heading, but not counted in the length. */
  readonly fileTitle?: string
  /** Names of the note; set on its first chunk only. */
  readonly names?: NoteNames
  /** Headings of the sections that begin in this chunk. */
  readonly headings?: readonly string[]
}
