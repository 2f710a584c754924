import { slashed } from './marks.ts'
import { withoutDate } from './note-dates.ts'
import { decodePercent } from './path-terms.ts'

const EXTENSION = /\.[a-z][a-z0-9]*$/i

/** The base name as a person reads it: `%3A` decoded, `A___B` as `A/B`, the extension left out. */
export function readableName(path: string): string {
  const base = slashed(path).split('/').at(-1) ?? ''
  return decodePercent(base.replace(EXTENSION, '')).replaceAll('___', '/').normalize('NFC')
}

/** Subject of a note by its file name, without the date; '' for a note named by a day alone. */
export function fileTitle(path: string): string {
  return withoutDate(readableName(path))
}
