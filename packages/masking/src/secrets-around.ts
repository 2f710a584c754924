import { findSecrets } from './mask-text.ts'

/** How many lines are read above a text that begins inside a table, inside a private key or below a label. */
const LINES_ABOVE = 200
const TABLE_OR_KEY = /^\s{0,100}(?:\||[A-Za-z\d+/=]{40,400}\s{0,10}(?:\n|$))/u
/** A value whose label may be in a line above. */
const BELOW_LABEL = /^\s{0,20}(?:[>*+-] |\d{1,3}[.)] |["'`*]{0,4}\S{4,400}[ \t]{0,4}(?:\n|$))/u

/** Reads lines of a note; null where they cannot be read now. */
export type ReadLines = (lines: {
  readonly path: string
  readonly from: number
  readonly lines: number
}) => Promise<string | null>

/** Lines of a note, with the number of the first one. */
export interface PlacedText {
  readonly path: string
  readonly startLine: number
  readonly text: string
}

/** Finds the secrets in some lines of a note, including those that only the lines above reveal. */
export async function secretsAround(place: PlacedText, readLines: ReadLines): Promise<readonly string[]> {
  const { path, startLine, text } = place
  if (startLine <= 1 || !beginsInside(text)) return findSecrets(text)
  const from = Math.max(1, startLine - LINES_ABOVE)
  const above = await readLines({ path, from, lines: startLine - from })
  return findSecrets(`${above ?? ''}\n${text}`)
}

function beginsInside(text: string): boolean {
  const begin = text.indexOf('-----BEGIN ')
  const end = text.indexOf('-----END ')
  return TABLE_OR_KEY.test(text) || BELOW_LABEL.test(text) || (end >= 0 && (begin < 0 || end < begin))
}
