import type { ReadRequest } from '@mnemark/spec'

/** A place to read: a path without decoration, and lines if they were named. */
export type NotePlace = Pick<ReadRequest, 'path' | 'from' | 'lines'>

const NOTE_ADDRESS = /^mnemark:\/\/notes\//iu
const LINES = /(?:#L(?<hash>\d{1,9})(?:-L?(?<hashEnd>\d{1,9}))?|:(?:L?(?<colon>\d{1,9})(?:-L?(?<colonEnd>\d{1,9}))?))$/u

/**
 * Reads the place of a note as a model, or a person before it, copied it: `Source: memory/a.md#L9-L16`, `memory/a.md:9`,
 * `mnemark://notes/memory/a.md`, in quotes or brackets. `from` and `lines` override the lines of the citation.
 */
export function readPlace(text: string, asked: { readonly from?: number; readonly lines?: number } = {}): NotePlace {
  const cited = undressed(text)
  const groups = LINES.exec(cited)?.groups
  const first = Number(groups?.['hash'] ?? groups?.['colon'] ?? 0)
  const last = Number(groups?.['hashEnd'] ?? groups?.['colonEnd'] ?? first)
  if (first < 1 || last < first) return { path: cited, ...asked }
  const path = cited.replace(LINES, '')
  if (asked.from !== undefined) return { path, ...asked }
  return { path, from: first, lines: asked.lines ?? last - first + 1 }
}

function undressed(text: string): string {
  const bare = text
    .trim()
    .replace(/^(?:> )?source:\s{0,10}/iu, '')
    .replace(/^(?:\[\[([\s\S]+)\]\]|[`"'<([]([\s\S]+)[`"'>)\]])$/u, '$1$2')
    .trim()
  if (!NOTE_ADDRESS.test(bare)) return bare
  const path = bare.replace(NOTE_ADDRESS, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
