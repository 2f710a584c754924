import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'

/** Colour codes, blanks, and the text between: a no-break space is not a place to break. */
const TOKEN = /[ \t]+|\p{Cc}\[[\d;]*m|[^ \t\p{Cc}]+|\p{Cc}/gu
const COLOUR = /^\p{Cc}/u
const SPACE = /^[ \t]/
/** Scripts that write words without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Po}\p{M}\p{Cf}]/u
const NEVER_LAST = /[\p{Ps}\p{Pi}\p{Cf}]$/u
/** The number or dash of an item, or the line number of a snippet. */
const ITEM = /^\s*(?:\d+[.:-] |[-*] )?/
/** The gap between two columns. */
const BETWEEN_COLUMNS = /(?<=\S) {2,40}(?=\S)/
const MOST_HANGING = 44

const ISOLATE_MARKS = /[\u2066-\u2069]/g
const POP_ISOLATE = '\u2069'

/**
 * Wraps every line to at most `columns` cells, between words; a continuation is indented to the text of its line. A longer word,
 * such as a path or URL, stays whole. Colour codes take no room, East Asian letters two cells, and text isolated for its
 * direction stays isolated on each line.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (line.length * 2 <= columns ? line : wrapLine(line, columns)))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  if (stringWidth(line) <= columns) return line
  const indent = ' '.repeat(hangingOf(line, columns))
  const lines: string[] = []
  let current = ''
  let width = 0
  for (const { space, text } of pieces(line)) {
    const own = stringWidth(text)
    if (width > 0 && width + space.length + own > columns) {
      const open = openIsolates(current)
      lines.push(current + POP_ISOLATE.repeat(open.length))
      current = indent + open + text
      width = indent.length + own
    } else {
      current += space + text
      width += space.length + own
    }
  }
  return [...lines, current].join('\n')
}

/** The column of a line's text, where its continuation begins. */
function hangingOf(line: string, columns: number): number {
  const plain = stripVTControlCharacters(line).replace(/\t/g, ' ')
  const item = ITEM.exec(plain)?.[0].length ?? 0
  const isItem = plain.slice(0, item).trim() !== ''
  const between = isItem ? null : BETWEEN_COLUMNS.exec(plain)
  const column = between === null ? item : between.index + between[0].length
  const hanging = column > MOST_HANGING ? item : column
  return hanging > columns / 2 ? 0 : hanging
}

interface Piece {
  /** The blanks before it, dropped at the start of a line. */
  readonly space: string
  readonly text: string
}

/** Splits a line into pieces that are never broken: words, also of scripts without spaces. */
function pieces(line: string): readonly Piece[] {
  const found: { space: string; text: string }[] = []
  let space = ''
  let isGlued = false
  for (const token of line.match(TOKEN) ?? []) {
    if (SPACE.test(token)) {
      space += token
      isGlued = false
      continue
    }
    for (const text of COLOUR.test(token) ? [token] : words(token)) {
      const last = found.at(-1)
      if (last !== undefined && space === '' && (isGlued || COLOUR.test(text) || isOneWord(last.text, text))) last.text += text
      else found.push({ space, text })
      space = ''
      isGlued = COLOUR.test(text)
    }
  }
  return found
}

function isOneWord(left: string, right: string): boolean {
  return NEVER_FIRST.test(right) || NEVER_LAST.test(left) || !(UNSPACED.test(left) || UNSPACED.test(right))
}

let segmenter: Intl.Segmenter | undefined

function words(text: string): readonly string[] {
  if (!UNSPACED.test(text)) return [text]
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The marks of isolates that are begun and not ended. */
function openIsolates(text: string): string {
  const open: string[] = []
  for (const [mark] of text.matchAll(ISOLATE_MARKS)) {
    if (mark === POP_ISOLATE) open.pop()
    else open.push(mark)
  }
  return open.join('')
}
