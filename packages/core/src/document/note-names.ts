import type { NoteNames } from '../keywords/terms/keyword-document.ts'
import { decodePercent } from './names/path-terms.ts'
import { slashed } from './names/marks.ts'
import { withoutDate } from './names/read-dates.ts'
import type { ParsedDocument } from './parse-document.ts'

const EXTENSION = /\.[a-z][a-z0-9]*$/i

/** The base name as a person reads it: `%3A` decoded, `A___B` as `A/B`, the extension left out. */
function readableName(path: string): string {
  const base = slashed(path).split('/').at(-1) ?? ''
  return decodePercent(base.replace(EXTENSION, '')).replaceAll('___', '/').normalize('NFC')
}

/** What a file's name says its note is about: without its date; '' for a note named by a day alone. */
export function fileTitle(path: string): string {
  return withoutDate(readableName(path))
}

/** The names a note may be asked for by: its file's, with and without date, in its namespace and alone; its title; its aliases. */
export function noteNames(path: string, parsed: ParsedDocument): NoteNames {
  const readable = readableName(path)
  const forms = [readable, readable.slice(readable.lastIndexOf('/') + 1)].flatMap((name) => [name, withoutDate(name)])
  const title = parsed.isTitled ? (parsed.title ?? '') : ''
  return { titles: [...new Set([title, ...forms])].filter((name) => name !== ''), aliases: parsed.aliases }
}
