import { readableName } from './names/file-title.ts'
import { withoutDate } from './names/note-dates.ts'
import type { ParsedDocument } from './parse-document.ts'

/** Names under which a note is asked for. */
export interface NoteNames {
  readonly titles: readonly string[]
  readonly aliases: readonly string[]
}

/** The names a note may be searched by: its file's, with and without date, in its namespace and alone; its title; its aliases. */
export function noteNames(path: string, parsed: ParsedDocument): NoteNames {
  const readable = readableName(path)
  const forms = [readable, readable.slice(readable.lastIndexOf('/') + 1)].flatMap((name) => [name, withoutDate(name)])
  const title = parsed.isTitled ? (parsed.title ?? '') : ''
  return { titles: [...new Set([title, ...forms])].filter((name) => name !== ''), aliases: parsed.aliases }
}
