import { leadingDate } from './leading-date.ts'

/** White space before a line, and the sign of a list item. A number before an item is content: a rank, a step. */
const BULLET = /^\s*(?:[-*+•·◦▪‣–—](?=\s)\s*)?/u

/** Where the text of a line begins, after white space and a bullet. */
export function afterBullet(line: string): number {
  return BULLET.exec(line)?.[0].length ?? 0
}

/** One line without its bullet and the date or clock time at its beginning. */
function plainLine(line: string): string {
  const from = afterBullet(line)
  const lead = leadingDate(line, from)
  return lead === undefined ? line.slice(from) : `${line.slice(from, lead.start)}${line.slice(lead.end)}`
}

/**
 * A text without parts that repetitions may differ in: bullets, dates and clock times at the beginning of lines,
 * amounts of white space.
 */
export function plainLines(text: string): string {
  return text.normalize('NFC').split('\n').map(plainLine).join(' ').replace(/\s+/gu, ' ').trim()
}
