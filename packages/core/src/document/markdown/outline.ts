import { BlockReader, type Line } from './block-reader.ts'
import { createDataFinder, withoutData } from './data-runs.ts'
import { createBlockFinder, type TextRange } from './hidden-blocks.ts'
import { columnsTo, firstNonBlank, CodeSpans, hasPipe, isTableRule } from './markdown-line.ts'
import { unscoredLinks } from './unscored-links.ts'

/** `hidden` lines are wholly inside front matter, a comment, a recalled block or a drawer. */
export type LineKind = 'blank' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'fence' | 'rule' | 'hidden'

export interface HeadingLine {
  readonly line: number
  readonly level: number
  /** Source text without the marks of the heading; at most 1,000 characters. */
  readonly text: string
}

/** The lines of a text, counted from 0, and their Markdown structure. */
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
  /** Ranges of the text that are cited but not indexed, in order, not overlapping. */
  readonly unindexed: readonly TextRange[]
  /** Runs of data, in order: unindexed too, and almost without length when chunks are measured. */
  readonly data: readonly TextRange[]
}

export interface OutlineOptions {
  /** Front matter, hidden; empty by default. */
  readonly frontMatter?: TextRange
  /** Lines before this offset are plain text: a block that failed to be front matter. */
  readonly plainUntil?: number
}

interface Fence {
  readonly startOffset: number
  readonly group: number
  readonly isUntrusted: boolean
}
interface Scan {
  readonly text: string
  readonly blocks: BlockReader
  readonly starts: number[]
  readonly ends: number[]
  readonly kinds: LineKind[]
  readonly indents: number[]
  readonly groups: number[]
  readonly headings: HeadingLine[]
  readonly unindexed: TextRange[]
  /** Lines before this offset are plain text: a block that failed to be front matter. */
  readonly plainUntil: number
  lastGroup: number
  fence: Fence | undefined
}

const MAX_HEADING = 1_000
const HASH = 0x23
const UNTRUSTED = /\buntrusted\b/i

/** One pass over the text, linear in its length. */
export function outlineOf(text: string, options: OutlineOptions = {}): Outline {
  const { frontMatter, plainUntil = 0 } = options
  const scan: Scan = {
    text,
    blocks: new BlockReader(text, {
      heading: (heading) => addHeading(scan, heading),
      underlined: ({ first, level, underline }) => addUnderlined(scan, { first, level, underline: underline.index }),
      fenceOpened: (line, label) => openFence(scan, line, label),
      fenceEnded: (closing) => endFence(scan, closing),
    }),
    starts: [],
    ends: [],
    kinds: [],
    indents: [],
    groups: [],
    headings: [],
    unindexed: frontMatter === undefined ? [] : [{ start: frontMatter.start, end: frontMatter.end }],
    plainUntil,
    lastGroup: 0,
    fence: undefined,
  }
  const nextBlock = createBlockFinder(text)
  const findData = createDataFinder(text)
  let hiddenUntil = frontMatter?.end ?? 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const lineEnd = newline === -1 ? text.length : newline
    const end = lineEnd > start && text.charCodeAt(lineEnd - 1) === 0x0d ? lineEnd - 1 : lineEnd
    const line = pushLine(scan, start, end)
    findData.line(start, end)
    if (line.first < end) hiddenUntil = placeLine(scan, line, { nextBlock, hiddenUntil })
    else scan.blocks.blank()
    start = lineEnd + 1
  }
  const data = findData.finish()
  return { ...scan, unindexed: united([...scan.unindexed, ...data, ...unscoredLinks(text, scan)]), data }
}

/** In order, with overlapping ranges merged. */
function united(ranges: readonly TextRange[]): TextRange[] {
  const whole: { readonly start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
    const last = whole.at(-1)
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
    else whole.push({ start, end })
  }
  return whole
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

/** Classifies a line that is not blank and opens the blocks that begin in it; returns the offset up to which text is hidden. */
function placeLine(scan: Scan, line: Line, hiding: Hiding): number {
  let { hiddenUntil } = hiding
  if (line.end <= hiddenUntil) {
    setKind(scan, line, 'hidden')
    scan.blocks.skip()
    return hiddenUntil
  }
  const block = hiding.nextBlock(Math.max(line.start, hiddenUntil))
  const isIndentedCode = scan.blocks.isIndentedCode(line)
  const beginsBlock = !scan.blocks.isInFence && block?.start === line.first && !(isIndentedCode && isPercentComment(scan, block))
  const beginsHidden = line.first < hiddenUntil || beginsBlock
  const kind = beginsHidden ? plainLine(scan) : classify(scan, line)
  setKind(scan, line, kind)
  if (kind === 'fence' || block === undefined || block.start >= line.end) return hiddenUntil
  hiddenUntil = hideBlocks(scan, line, { ...hiding, isIndentedCode })
  if (beginsHidden && line.end <= hiddenUntil) setKind(scan, line, 'hidden')
  return hiddenUntil
}

/** Recalled text is hidden even in code; a percent sign in code is code. */
function isPercentComment(scan: Scan, { start }: TextRange): boolean {
  return scan.text.startsWith('%%', start)
}

function hideBlocks(scan: Scan, line: Line, hiding: Hiding & { readonly isIndentedCode: boolean }): number {
  let { hiddenUntil } = hiding
  const codeSpans = new CodeSpans(scan.text, line)
  let block = hiding.nextBlock(Math.max(line.start, hiddenUntil))
  while (block !== undefined && block.start < line.end) {
    const isCode = codeSpans.hold(block.start) || (hiding.isIndentedCode && isPercentComment(scan, block))
    if (isCode) block = hiding.nextBlock(block.start + 1)
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

function plainLine(scan: Scan): LineKind {
  scan.blocks.skip()
  return 'text'
}

function classify(scan: Scan, line: Line): LineKind {
  if (line.start < scan.plainUntil) return plainLine(scan)
  const kind = scan.blocks.read(line)
  if (kind === 'text' && isTableLine(scan, line)) {
    scan.blocks.skip()
    return 'table'
  }
  return kind === 'text' && scan.kinds[line.index - 1] === 'quote' ? 'quote' : kind
}

function addHeading(
  scan: Scan,
  heading: { readonly line: number; readonly level: number; readonly start: number; readonly end: number },
): void {
  const { line, level, start, end } = heading
  const text = withoutData(scan.text.slice(start, end)).slice(0, MAX_HEADING).trimEnd()
  let hashes = text.length
  while (hashes > 0 && text.charCodeAt(hashes - 1) === HASH) hashes--
  // Closing hashes need a space before them: `# C#` keeps its hash.
  const isClosed = hashes < text.length && (hashes === 0 || text.charCodeAt(hashes - 1) <= 0x20)
  scan.headings.push({ line, level, text: (isClosed ? text.slice(0, hashes) : text).trim() })
}

function addUnderlined(
  scan: Scan,
  { first, level, underline }: { readonly first: number; readonly level: number; readonly underline: number },
): void {
  for (let index = first; index < underline; index++) scan.kinds[index] = 'heading'
  addHeading(scan, { line: first, level, start: scan.starts[first] ?? 0, end: scan.ends[underline - 1] ?? 0 })
}

function openFence(scan: Scan, line: Line, { start, end }: TextRange): void {
  const before =
    scan.kinds[line.index - 1] === 'text'
      ? scan.text.slice(Math.max(scan.starts[line.index - 1] ?? 0, line.start - 200), line.start)
      : ''
  const label = scan.text.slice(start, Math.min(end, start + 200))
  scan.lastGroup += 1
  scan.fence = {
    startOffset: line.start,
    group: scan.lastGroup,
    isUntrusted: UNTRUSTED.test(label) || /\(untrusted\b[^)]{0,200}\)\s{0,20}:?\s{0,20}$/i.test(before),
  }
  scan.groups[line.index] = scan.lastGroup
}

/** A fence that ended with its container has no closing line, and the current line does not belong to its group. */
function endFence(scan: Scan, closing: Line | undefined): void {
  if (closing === undefined) scan.groups[scan.groups.length - 1] = 0
  else if (scan.fence?.isUntrusted) scan.unindexed.push({ start: scan.fence.startOffset, end: closing.end })
  scan.fence = undefined
}

/** The rule under a head makes the table; then the head is marked, and later rows follow as long as they have a pipe. */
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
