import { WorkspaceError } from '@mnemark/spec'

/** The one change of an edit. Line breaks may be given in any form; what is written has those of the file. */
export type EditChange =
  | { readonly replace: { readonly old: string; readonly new: string } }
  | { readonly insert: { readonly afterLine: number; readonly text: string } }

export interface EditedText {
  readonly text: string
  /** Where the new text stands, in lines from 1; where text was only taken away, the line it stood in. */
  readonly startLine: number
  readonly endLine: number
}

const LINE_END = /\r\n|\r|\n/gu

/**
 * @param text a whole file, line ends as they are
 * @param lineEnds `cr` for a file whose lines end in carriage returns alone
 * @throws WorkspaceError `conflict` where the file is not as the change expects it
 */
export function editText(text: string, change: EditChange, lineEnds: 'lf' | 'cr'): EditedText {
  return 'replace' in change ? replaceOnce(text, change.replace, lineEnds) : insertLines(text, change.insert, lineEnds)
}

function replaceOnce(text: string, change: { readonly old: string; readonly new: string }, lineEnds: 'lf' | 'cr'): EditedText {
  const pattern = new RegExp(patternOf(change.old, lineEnds), 'gu')
  const found = pattern.exec(text)
  if (found === null) throw conflict('the text to replace does not stand in it (any more)')
  // Overlapping places count as two as well.
  pattern.lastIndex = found.index + 1
  if (pattern.test(text)) throw conflict('the text to replace stands in it more than once; add the words around it')
  const end = found.index + found[0].length
  return splice(text, { start: found.index, end, insert: withLineEnds(change.new, lineEndNear(text, found.index)), lineEnds })
}

/** `\n` in the pattern matches any line end of the file. */
function patternOf(old: string, lineEnds: 'lf' | 'cr'): string {
  const lines = old.split(lineEnds === 'cr' ? LINE_END : /\r?\n/u)
  return lines.map((line) => line.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')).join(lineEnds === 'cr' ? '\\r' : '\\r?\\n')
}

function insertLines(
  text: string,
  insert: { readonly afterLine: number; readonly text: string },
  lineEnds: 'lf' | 'cr',
): EditedText {
  const ends = [...text.matchAll(lineEnds === 'cr' ? /\r/gu : /\n/gu)].map(({ index }) => index + 1)
  const hasOpenLine = (ends.at(-1) ?? 0) < text.length
  const count = ends.length + (hasOpenLine ? 1 : 0)
  if (insert.afterLine > count) throw conflict(`it has ${count === 1 ? '1 line' : `${count} lines`}, not ${insert.afterLine}`)
  const start = insert.afterLine === 0 ? 0 : (ends[insert.afterLine - 1] ?? text.length)
  // From before both signs of a line end that has two.
  const lineEnd = lineEndNear(text, Math.max(0, start - (text.slice(0, start).endsWith('\r\n') ? 2 : 1)))
  const isAfterOpenLine = insert.afterLine === count && hasOpenLine
  const block = withLineEnds(insert.text, lineEnd)
  const whole = block.endsWith(lineEnd) ? block : block + lineEnd
  const edited = splice(text, { start, end: start, insert: isAfterOpenLine ? lineEnd + whole : whole, lineEnds })
  const lines = whole.split(lineEnd).length - 1
  return { ...edited, startLine: insert.afterLine + 1, endLine: insert.afterLine + lines }
}

function splice(
  text: string,
  change: { readonly start: number; readonly end: number; readonly insert: string; readonly lineEnds: 'lf' | 'cr' },
): EditedText {
  const lineOf = (part: string): number => part.split(change.lineEnds === 'cr' ? '\r' : '\n').length
  const before = text.slice(0, change.start)
  return {
    text: before + change.insert + text.slice(change.end),
    startLine: lineOf(before),
    endLine: lineOf(before + change.insert.replace(/(?:\r\n|\r|\n)$/u, '')),
  }
}

function withLineEnds(text: string, lineEnd: string): string {
  return text.replace(LINE_END, lineEnd)
}

/** The next line end, else the previous one: files with mixed line ends keep theirs. */
function lineEndNear(text: string, index: number): string {
  const next = /\r\n|\r|\n/u.exec(text.slice(index))?.[0]
  return next ?? [...text.slice(0, index).matchAll(LINE_END)].at(-1)?.[0] ?? '\n'
}

function conflict(reason: string): WorkspaceError {
  return new WorkspaceError('conflict', `The note was not changed: ${reason}. Read it again.`)
}
