/** Lines about to be added to a note, counted from 1 in its new text. */
export interface Addition {
  readonly path: string
  /** The text before, line feeds as in the new one; empty for a new note. */
  readonly before: string
  readonly startLine: number
  readonly endLine: number
}

/**
 * Makes the text that is written from the one that would be; called while the note is locked, and again where it changed
 * meanwhile. What it throws ends the change, and nothing is written.
 */
export type Revise = (text: string, addition: Addition) => string
