import { createBlockFinder, type TextRange } from './hidden-blocks.ts'
import {
  afterListMarker,
  columnsTo,
  firstNonBlank,
  hasPipe,
  headingLevel,
  isClosingFence,
  isInCodeSpan,
  isRule,
  isTableRule,
  openingFence,
  underlineLevel,
} from './markdown-line.ts'
import { unscoredLinks } from './unscored-links.ts'

/** `hidden` lines are wholly inside front matter, a comment, a recalled block or a drawer. */
export type LineKind = 'blank' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'fence' | 'rule' | 'hidden'

export interface HeadingLine {
  readonly line: number
  readonly level: number
  /** As written, without the marks of the heading; at most 1,000 characters. */
  readonly text: string
}

/** The lines of a text, counted from 0, and what Markdown makes of them. */
export interface Outline {
  /** Where each line begins, and where it ends before its line break. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly kinds: readonly LineKind[]
  /** Columns before the first character. */
  readonly indents: readonly number[]
  /** Lines of one fenced block or table share a number from 1; 0 elsewhere. */
  readonly groups: readonly number[]
  readonly headings: readonly HeadingLine[]
  /** Ranges of the text that are cited but not indexed, in order, not touching each other's insides. */
  readonly unindexed: readonly TextRange[]
}

export interface OutlineOptions {
  /** Front matter, hidden; empty by default. */
  readonly frontMatter?: TextRange
  /** Lines before this offset are plain text: a block that failed to be front matter. */
  readonly plainUntil?: number
}

interface Line {
  readonly index: number
  readonly start: number
  readonly end: number
  readonly first: number
  readonly columns: number
}
interface Fence {
  readonly code: number
  readonly length: number
  readonly startOffset: number
  readonly group: number
  /** Column of the bullet on the same line; a later line no deeper than it ends the block. -1 without one. */
  readonly bulletColumn: number
  readonly isUntrusted: boolean
}
interface Scan {
  readonly text: string
  readonly starts: number[]
  readonly ends: number[]
  readonly kinds: LineKind[]
  readonly indents: number[]
  readonly groups: number[]
  readonly headings: HeadingLine[]
  readonly unindexed: TextRange[]
  /** Lines before this offset are plain text: a block that failed to be front matter, then each block of raw HTML. */
  plainUntil: number
  /** False once a block of raw HTML was not closed: then no later one is either. */
  isRawHtmlClosed: boolean
  lastGroup: number
  fence: Fence | undefined
  /** First line of the paragraph that the line before belongs to, -1 without one. */
  paragraph: number
  isInList: boolean
}

const MAX_HEADING = 1_000
const MAX_UNDERLINED_LINES = 3
const HASH = 0x23
const QUOTE = 0x3e
const UNTRUSTED = /\buntrusted\b/i
/** HTML in which nothing is Markdown. */
const RAW_HTML = /<(?:pre|script|style|textarea)(?=[\s>]|$)/imy
const RAW_HTML_END = /<\/(?:pre|script|style|textarea)>/gi

/** One pass over the text, linear in its length. */
export function outlineOf(text: string, options: OutlineOptions = {}): Outline {
  const { frontMatter, plainUntil = 0 } = options
  const scan: Scan = {
    text,
    starts: [],
    ends: [],
    kinds: [],
    indents: [],
    groups: [],
    headings: [],
    unindexed: frontMatter === undefined ? [] : [{ start: frontMatter.start, end: frontMatter.end }],
    plainUntil,
    isRawHtmlClosed: true,
    lastGroup: 0,
    fence: undefined,
    paragraph: -1,
    isInList: false,
  }
  const nextBlock = createBlockFinder(text)
  let hiddenUntil = frontMatter?.end ?? 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const lineEnd = newline === -1 ? text.length : newline
    const end = lineEnd > start && text.charCodeAt(lineEnd - 1) === 0x0d ? lineEnd - 1 : lineEnd
    const line = pushLine(scan, start, end)
    if (line.first < end) {
      hiddenUntil = placeLine(scan, line, { nextBlock, hiddenUntil })
    } else scan.paragraph = -1
    start = lineEnd + 1
  }
  const hidden = [...scan.unindexed]
  const isFree = ({ start, end }: TextRange) => !hidden.some((range) => range.start < end && range.end > start)
  scan.unindexed.push(...unscoredLinks(text, scan).filter(isFree))
  scan.unindexed.sort((left, right) => left.start - right.start)
  return scan
}

function pushLine(scan: Scan, start: number, end: number): Line {
  const first = firstNonBlank(scan.text, start, end)
  const columns = first === start ? 0 : columnsTo(scan.text, start, first)
  scan.starts.push(start)
  scan.ends.push(end)
  scan.kinds.push('blank')
  scan.indents.push(columns)
  scan.groups.push(scan.fence?.group ?? 0)
  return { index: scan.starts.length - 1, start, end, first, columns }
}

interface Hiding {
  readonly nextBlock: (from: number) => TextRange | undefined
  readonly hiddenUntil: number
}

/** Classifies a line that is not blank and takes up the blocks that begin in it; answers up to where text is hidden. */
function placeLine(scan: Scan, line: Line, hiding: Hiding): number {
  let { hiddenUntil } = hiding
  if (line.end <= hiddenUntil) {
    setKind(scan, line, 'hidden')
    scan.paragraph = -1
    return hiddenUntil
  }
  const block = hiding.nextBlock(Math.max(line.start, hiddenUntil))
  const beginsHidden = line.first < hiddenUntil || (scan.fence === undefined && block?.start === line.first)
  const kind = beginsHidden ? 'text' : classify(scan, line)
  setKind(scan, line, kind)
  scan.paragraph = kind === 'text' && !beginsHidden && !scan.isInList ? keptParagraph(scan, line) : -1
  if (kind === 'fence' || block === undefined || block.start >= line.end) return hiddenUntil
  hiddenUntil = hideBlocks(scan, line, hiding)
  if (beginsHidden && line.end <= hiddenUntil) setKind(scan, line, 'hidden')
  return hiddenUntil
}

function hideBlocks(scan: Scan, line: Line, hiding: Hiding): number {
  let { hiddenUntil } = hiding
  let block = hiding.nextBlock(Math.max(line.start, hiddenUntil))
  while (block !== undefined && block.start < line.end) {
    if (isInCodeSpan(scan.text, line, block.start)) block = hiding.nextBlock(block.start + 1)
    else {
      scan.unindexed.push({ start: block.start, end: block.end })
      hiddenUntil = block.end
      block = hiding.nextBlock(hiddenUntil)
    }
  }
  return hiddenUntil
}

function setKind(scan: Scan, line: Line, kind: LineKind): void {
  scan.kinds[line.index] = kind
}

function keptParagraph(scan: Scan, line: Line): number {
  return scan.paragraph === -1 ? line.index : scan.paragraph
}

function classify(scan: Scan, line: Line): LineKind {
  if (scan.fence !== undefined) {
    const kind = insideFence(scan, line, scan.fence)
    if (kind !== undefined) return kind
  }
  if (line.start >= scan.plainUntil) passRawHtml(scan, line)
  if (line.start < scan.plainUntil) return 'text'
  return headingKind(scan, line) ?? blockKind(scan, line)
}

/** A block that is never closed is none, so that it cannot take the headings of the rest of a file. */
function passRawHtml(scan: Scan, line: Line): void {
  RAW_HTML.lastIndex = line.first
  if (line.columns > 3 || !scan.isRawHtmlClosed || !RAW_HTML.test(scan.text)) return
  RAW_HTML_END.lastIndex = line.first
  scan.isRawHtmlClosed = RAW_HTML_END.test(scan.text)
  if (scan.isRawHtmlClosed) scan.plainUntil = RAW_HTML_END.lastIndex
}

/** Undefined where the fence had ended before this line. */
function insideFence(scan: Scan, line: Line, fence: Fence): LineKind | undefined {
  if (isClosingFence(scan.text, { at: line.first, end: line.end }, fence.code, fence.length)) {
    if (fence.isUntrusted) scan.unindexed.push({ start: fence.startOffset, end: line.end })
    scan.fence = undefined
    return 'fence'
  }
  if (line.columns > fence.bulletColumn) return 'fence'
  scan.fence = undefined
  scan.groups[line.index] = 0
  return undefined
}

function headingKind(scan: Scan, line: Line): LineKind | undefined {
  if (line.columns > 3) return undefined
  const { text } = scan
  const level = headingLevel(text, line.first, line.end)
  if (level > 0) {
    addHeading(scan, { line: line.index, level, start: line.first + level, end: line.end })
    return 'heading'
  }
  const underline = scan.paragraph === -1 ? 0 : underlineLevel(text, line.first, line.end)
  if (underline === 0 || line.index - scan.paragraph > MAX_UNDERLINED_LINES) return undefined
  for (let index = scan.paragraph; index < line.index; index++) scan.kinds[index] = 'heading'
  addHeading(scan, {
    line: scan.paragraph,
    level: underline,
    start: scan.starts[scan.paragraph] ?? 0,
    end: scan.ends[line.index - 1] ?? 0,
  })
  return 'heading'
}

function addHeading(
  scan: Scan,
  heading: { readonly line: number; readonly level: number; readonly start: number; readonly end: number },
): void {
  const { line, level, start, end } = heading
  let last = Math.min(end, start + MAX_HEADING)
  while (last > start && scan.text.charCodeAt(last - 1) <= 0x20) last--
  let hashes = last
  while (hashes > start && scan.text.charCodeAt(hashes - 1) === HASH) hashes--
  // Closing hashes stand apart: `# C#` keeps its own.
  if (hashes < last && (hashes === start || scan.text.charCodeAt(hashes - 1) <= 0x20)) last = hashes
  scan.headings.push({ line, level, text: scan.text.slice(start, last).trim() })
  scan.isInList = false
}

function blockKind(scan: Scan, line: Line): LineKind {
  const { text } = scan
  const { first, end } = line
  if (isRule(text, first, end)) {
    scan.isInList = scan.isInList && line.columns > 0
    return 'rule'
  }
  const content = contentOf(text, line)
  const isItem = content > first
  const before = scan.kinds[line.index - 1]
  if (!isItem && scan.isInList && before === 'blank' && line.columns === 0) scan.isInList = false
  const canOpen = isItem || scan.isInList || line.columns <= 3
  const fenceLength = content < end && canOpen ? openingFence(text, content, end) : 0
  if (fenceLength > 0) {
    openFence(scan, line, { at: content, length: fenceLength, isItem })
    return 'fence'
  }
  if (isItem) {
    scan.isInList = true
    return 'list'
  }
  if (text.charCodeAt(first) === QUOTE) return 'quote'
  if (isTableLine(scan, line)) return 'table'
  return before === 'quote' ? 'quote' : 'text'
}

/** Where the content of a line begins, behind any list markers. */
function contentOf(text: string, line: Line): number {
  let at = line.first
  while (at < line.end) {
    const content = afterListMarker(text, at, line.end)
    if (content === -1) break
    at = content
  }
  return at
}

function openFence(
  scan: Scan,
  line: Line,
  opening: { readonly at: number; readonly length: number; readonly isItem: boolean },
): void {
  const { at, length, isItem } = opening
  const before =
    scan.kinds[line.index - 1] === 'text'
      ? scan.text.slice(Math.max(scan.starts[line.index - 1] ?? 0, line.start - 200), line.start)
      : ''
  const label = scan.text.slice(at + length, Math.min(line.end, at + 200))
  scan.lastGroup += 1
  scan.fence = {
    code: scan.text.charCodeAt(at),
    length,
    startOffset: line.start,
    group: scan.lastGroup,
    bulletColumn: isItem ? line.columns : -1,
    isUntrusted: UNTRUSTED.test(label) || /\(untrusted\b[^)]*\)\s*:?\s*$/i.test(before),
  }
  scan.groups[line.index] = scan.lastGroup
  if (isItem) scan.isInList = true
}

/** The rule under a head makes the table; the head is marked then, later rows follow as long as they have a pipe. */
function isTableLine(scan: Scan, line: Line): boolean {
  const { text } = scan
  const previous = line.index - 1
  if (scan.kinds[previous] === 'table') {
    if (!hasPipe(text, line.first, line.end)) return false
    scan.groups[line.index] = scan.groups[previous] ?? 0
    return true
  }
  if (scan.kinds[previous] !== 'text' || !isTableRule(text, line.first, line.end)) return false
  if (!hasPipe(text, scan.starts[previous] ?? 0, scan.ends[previous] ?? 0)) return false
  scan.lastGroup += 1
  scan.kinds[previous] = 'table'
  scan.groups[previous] = scan.lastGroup
  scan.groups[line.index] = scan.lastGroup
  return true
}
