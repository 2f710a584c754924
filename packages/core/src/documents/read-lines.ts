import { type ReadReply, type ReadRequest, WorkspaceError } from '@mnemark/spec'

const DEFAULT_LINES = 120
const DEFAULT_CHARACTERS = 12_000
const MOST_CHARACTERS = 1_000_000

/**
 * Whole lines of a text, by the rules of @mnemark/workspace: 120 lines or 12,000 characters where no number is given; a
 * citation (`path#L12-L20`) may replace the path. Throws WorkspaceError `refused` for bad line numbers.
 */
export function readLines(request: ReadRequest, textOf: (path: string) => string | undefined): ReadReply {
  checkWhole('from', request.from)
  checkWhole('lines', request.lines)
  const cited = textOf(request.path) === undefined ? citationOf(request.path) : undefined
  const path = cited?.path ?? request.path
  const text = textOf(path)
  if (text === undefined) return { ...nothing(path, 'not-found') }
  const isOwnRange = request.from === undefined && request.lines === undefined
  const { from = 1, lines } = isOwnRange && cited !== undefined ? cited : request
  return { ...linesFrom(path, text, { from, lines }), ...(request.quoteHash !== undefined && { note: NO_QUOTES }) }
}

const NO_QUOTES = 'Documents in memory are not searched for quoted text: these are the lines that were named.'

function linesFrom(
  path: string,
  text: string,
  { from, lines }: { readonly from: number; readonly lines: number | undefined },
): ReadReply {
  const all = text.split(/\r\n?|\n/)
  if (all.at(-1) === '') all.pop()
  if (all.length === 0) return nothing(path, 'empty')
  if (from > all.length)
    return { ...nothing(path, 'ok'), note: `The document has ${all.length} lines; line ${from} is past its end.` }
  const wanted = all.slice(from - 1, from - 1 + (lines ?? DEFAULT_LINES))
  const bound = lines === undefined ? DEFAULT_CHARACTERS : MOST_CHARACTERS
  let count = 0
  for (let characters = 0; count < wanted.length; count += 1) {
    characters += (wanted[count] ?? '').length + 1
    // The first line is returned whole, however long.
    if (characters > bound && count > 0) break
  }
  const end = from + count - 1
  return {
    path,
    status: 'ok',
    text: wanted.slice(0, count).join('\n'),
    startLine: from,
    endLine: end,
    ...(end < all.length && { nextFrom: end + 1 }),
  }
}

function nothing(path: string, status: ReadReply['status']): ReadReply {
  return { path, status, text: '', startLine: 0, endLine: 0 }
}

function checkWhole(name: 'from' | 'lines', value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return
  throw new WorkspaceError('refused', `\`${name}\`: expected a whole number from 1, got ${String(value)}.`)
}

function citationOf(place: string): { readonly path: string; readonly from: number; readonly lines: number } | undefined {
  const match = /^(?<path>.+?)#L(?<from>\d{1,9})(?:-L?(?<to>\d{1,9}))?$/u.exec(place)
  if (match?.groups === undefined) return undefined
  const { path = '', from = '', to = from } = match.groups
  const lines = Number(to) - Number(from) + 1
  return Number(from) >= 1 && lines >= 1 ? { path, from: Number(from), lines } : undefined
}
