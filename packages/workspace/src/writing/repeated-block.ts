/** Where a block already stands in a file. */
export interface BlockPlace {
  /** How many times. */
  readonly count: number
  /** The last time, in lines from 1. */
  readonly startLine: number
  readonly endLine: number
}

const ZONES = 'UTC|GMT|CES?T|EES?T|ES?T|[ECMP]DT|CST|MST|PST|BST|JST|KST|IST|MSK'
const ZONE = String.raw`(?:\s*(?:Z|(?:UTC|GMT)?\s?[+-]\p{Nd}{1,2}(?::?\p{Nd}{2})?|${ZONES})(?![\p{L}\p{Nd}]))?`
const HOURS = String.raw`\p{Nd}{1,2}[:：]\p{Nd}{2}(?:[:：]\p{Nd}{2}(?:[.,]\p{Nd}+)?)?(?![\p{Nd}:])(?:\s*[ap]\.?m\b\.?)?${ZONE}`
const CLOCK = String.raw`(?<!\p{Nd})${HOURS}`
const DATE = String.raw`\p{Nd}{4}[-/.]\p{Nd}{1,2}[-/.]\p{Nd}{1,2}`
const MAYBE_DATE = String.raw`(?:${DATE}[,\s]*)?`
const MARKERS = String.raw`[^\p{L}\p{Nd}]*`
const LABEL = String.raw`(?:last\s)?(?:time|timestamp|check|checked|run|updated|seen)\b`

const IN_HEADING = new RegExp(CLOCK, 'giu')
/** A machine's time stamp. */
const AFTER_DATE_T = new RegExp(String.raw`(?<=${DATE})T${HOURS}`, 'giu')
const IN_BRACKETS = new RegExp(String.raw`([[(（【]\s*${MAYBE_DATE})${CLOCK}(?=\s*[\])）】])`, 'giu')
const AT_START = new RegExp(String.raw`^(${MARKERS}${MAYBE_DATE})${CLOCK}(?:\s*[-–—]\s*${CLOCK})?`, 'iu')
const AFTER_LABEL = new RegExp(String.raw`^(${MARKERS}${LABEL}${MARKERS}${MAYBE_DATE})${CLOCK}(?=${MARKERS}$)`, 'iu')

/**
 * A line without the stamp that says when it was written: a time of day at its start, in brackets, in a heading, after a label
 * such as *Time:*, or as part of a machine's time stamp. A time in the middle of a sentence is what the line says ("moved to
 * 16:00") and stays, and so does every date.
 */
export function withoutTimeStamp(line: string): string {
  const text = line.normalize('NFC').trim()
  if (!/[:：]/u.test(text)) return text.replace(/\s+/gu, ' ')
  const bare = /^#{1,6}\s/u.test(text)
    ? text.replace(AFTER_DATE_T, '').replace(IN_HEADING, '')
    : text.replace(AFTER_DATE_T, '').replace(IN_BRACKETS, '$1').replace(AT_START, '$1').replace(AFTER_LABEL, '$1')
  return bare.replace(/\s+/gu, ' ').trim()
}

interface KeyedLine {
  readonly key: string
  readonly number: number
}

/** Finds a block of lines in a text, both with line feeds only; blank lines, white space and time stamps do not matter. */
export function findRepeatedBlock(text: string, block: string): BlockPlace | null {
  // A block of nothing but times would equal any other such block.
  const keyOf = /[\p{L}\p{N}\p{S}]/u.test(block.split('\n').map(withoutTimeStamp).join('')) ? withoutTimeStamp : trimmed
  const wanted = keyedLines(block, keyOf)
  const lines = keyedLines(text, keyOf)
  let count = 0
  let last = 0
  for (let index = 0; index + wanted.length <= lines.length && wanted.length > 0; ) {
    const isHere = wanted.every((line, offset) => lines[index + offset]?.key === line.key)
    if (isHere) {
      count += 1
      last = index
    }
    index += isHere ? wanted.length : 1
  }
  if (count === 0) return null
  return { count, startLine: lines[last]?.number ?? 0, endLine: lines[last + wanted.length - 1]?.number ?? 0 }
}

function trimmed(line: string): string {
  return line.trim()
}

function keyedLines(text: string, keyOf: (line: string) => string): readonly KeyedLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ line, key: keyOf(line), number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
}
