import { hearReply } from '../lifecycle/silence.ts'

/** More than this of one flush is no list of lasting things. */
const MAX_CHARACTERS = 8_000

/** Lines worth adding to a note: no headings, fences or scaffolds of the model; '' for silence. Null for an empty answer. */
export function flushText(reply: string): string | null {
  const heard = hearReply(reply)
  if (heard.kind === 'empty') return null
  // Words before the silent token tell about the flush, and are no notes.
  if (heard.kind === 'silent' || heard.text !== reply) return ''
  const lines = heard.text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !isScaffold(line))
  return withinLimit(withoutRepeats(lines, new Set()))
}

function isScaffold(line: string): boolean {
  return line.trim() === '' || /^\s*(?:#{1,6}\s|```|~~~|---\s*$|<\/?[\w-]{1,60}>\s*$)/u.test(line)
}

function withoutRepeats(lines: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const seen = new Set(known)
  return lines.filter((line) => {
    const isNew = !seen.has(line.trim())
    seen.add(line.trim())
    return isNew
  })
}

function withinLimit(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length + 1 > MAX_CHARACTERS) break
    text += text === '' ? line : `\n${line}`
  }
  return text
}

/**
 * The note with the lines that it does not have yet at its end; null where it has them all. Written twice, a text is there once.
 * @param heading of a note that is made
 */
export function addLines(note: string, text: string, heading: string): string | null {
  const known = new Set(note.split('\n').map((line) => line.trim()))
  const lines = withoutRepeats(text.split('\n'), known)
  if (lines.length === 0) return null
  if (note.trim() === '') return `# ${heading}\n\n${lines.join('\n')}\n`
  const last = note.trimEnd().split('\n').at(-1) ?? ''
  const isList = /^\s*[-*+]\s/u.test(last) && /^\s*[-*+]\s/u.test(lines[0]!)
  return `${note}${note.endsWith('\n') ? '' : '\n'}${isList ? '' : '\n'}${lines.join('\n')}\n`
}
