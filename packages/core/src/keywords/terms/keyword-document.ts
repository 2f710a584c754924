import type { NoteNames } from '../../document/note-names.ts'

/** What the keyword engine indexes of one chunk. */
export interface KeywordDocument {
  /** The chunk's text without what is not indexed. */
  readonly text: string
  /** Title, heading trail, front-matter fields: scored in their own field. */
  readonly context: readonly string[]
  /** Place of the chunk in its document, from 0. */
  readonly ordinal: number
  /** See `tieHash`. */
  readonly hash: number
  /** The chunk's own day, else its document's, YYYY-MM-DD. */
  readonly day?: string | undefined
  /** Path with `/`, as shown. */
  readonly path: string
  /** Calendar days of the note: every day YYYY-MM-DD it speaks of, first and last for a range. */
  readonly days: readonly string[]
  /** What front matter says, as `key:value` terms (see `propertyTerms`). */
  readonly properties?: readonly string[]
  /** What its entries say but for their values, a term for each time it is said (see `entryTerms`). */
  readonly entries?: readonly string[]
  /** What the file's name says in place of a title: found like a heading, but a note is no longer for it. */
  readonly fileTitle?: string
  /** Of the first chunk of a note: what the note is called. */
  readonly names?: NoteNames
  /** Headings of the sections that begin in this chunk. */
  readonly headings?: readonly string[]
}
