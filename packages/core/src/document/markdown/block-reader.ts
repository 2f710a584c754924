import { createHtmlFinder, type HtmlBlock } from './html-block.ts'
import {
  afterListMarker,
  columnsTo,
  firstNonBlank,
  headingLevel,
  isClosingFence,
  isRule,
  listMarkerLength,
  openingFence,
  underlineLevel,
} from './markdown-line.ts'

/** A line that is not blank. */
export interface Line {
  readonly index: number
  readonly start: number
  readonly end: number
  readonly first: number
  /** Columns before the first character. */
  readonly columns: number
}

/** Kind of a line; headings inside items and quotes head no section of a note and count as part of these. */
export type BlockKind = 'text' | 'heading' | 'list' | 'quote' | 'fence' | 'rule'

/** Receives blocks as they begin and end. */
export interface BlockListener {
  /** A heading whose own text is at [start, end). */
  readonly heading: (heading: {
    readonly line: number
    readonly level: number
    readonly start: number
    readonly end: number
  }) => void
  /** The lines from `first` up to the underline are a heading. */
  readonly underlined: (heading: { readonly first: number; readonly level: number; readonly underline: Line }) => void
  readonly fenceOpened: (line: Line, label: { readonly start: number; readonly end: number }) => void
  /** Called with the closing line, or without one where the item or quote around the fence ended. */
  readonly fenceEnded: (closing: Line | undefined) => void
}

interface Fence {
  readonly code: number
  readonly length: number
  /** Column from which its lines count. */
  readonly base: number
  /** Up to here its lines continue though they begin before the item's content; see `#goesOn`. */
  looseUntil: number | undefined
}
/** Position in a line after the marks of the quotes and items around it. */
interface Place {
  at: number
  column: number
  base: number
  /** How many open containers the line continues. */
  matched: number
}

const QUOTE_MARK = 0x3e
const LESS_THAN = 0x3c
const ONE = 0x31
/** A container is a quote, or an item by the extra columns of its content's indent. */
const QUOTE = 0
const MAX_UNDERLINED_LINES = 3

/**
 * Reads the block structure of Markdown line by line, as the CommonMark specification defines it: quotes and list
 * items, in them fences, raw HTML, headings and paragraphs. A comment marks each deliberate difference.
 */
export class BlockReader {
  readonly #text: string
  readonly #listener: BlockListener
  readonly #htmlAt: ReturnType<typeof createHtmlFinder>
  readonly #containers: number[] = []
  /** Place of the outermost quote among the containers, -1 without one. */
  #quote = -1
  #fence: Fence | undefined
  #html: HtmlBlock | undefined
  /** First line of the open paragraph, -1 without one. */
  #paragraph = -1
  /** Number of containers when the line before began an item that is still empty, else -1. */
  #emptyItem = -1

  constructor(text: string, listener: BlockListener) {
    this.#text = text
    this.#listener = listener
    this.#htmlAt = createHtmlFinder(text)
  }

  get isInFence(): boolean {
    return this.#fence !== undefined
  }

  /** A blank line ends paragraphs and quotes, with everything in them. */
  blank(): void {
    this.#paragraph = -1
    if (this.#html?.until === null) this.#html = undefined
    if (this.#quote !== -1) this.#close(this.#quote)
    // An item can begin with one blank line at most.
    else if (this.#emptyItem !== -1 && this.#emptyItem === this.#containers.length) this.#close(this.#containers.length - 1)
    this.#emptyItem = -1
  }

  /** A line that is not Markdown: hidden, or text of a block that failed to be front matter. */
  skip(): void {
    this.#paragraph = -1
  }

  /** Whether a line is a block of code by its indent alone. */
  isIndentedCode(line: Line): boolean {
    if (line.columns < 4 || this.#paragraph !== -1) return false
    const { column, base } = this.#enter(line)
    return column - base > 3
  }

  read(line: Line): BlockKind {
    const place = this.#enter(line)
    const isWhole = place.matched === this.#containers.length
    this.#emptyItem = -1
    if (this.#fence !== undefined) {
      if (isWhole || this.#goesOn(line, this.#fence)) return this.#inFence(line, place, this.#fence)
      this.#close(place.matched)
    }
    if (this.#html !== undefined) {
      const isBlank = place.at === line.end && this.#html.until === null
      if (isWhole && !isBlank) return this.#inHtml(line, this.#html)
      this.#html = undefined
    }
    return this.#open(line, place)
  }

  #enter({ first, columns, end }: Line): Place {
    const place = { at: first, column: columns, base: 0, matched: 0 }
    for (const width of this.#containers) {
      if (width === QUOTE) {
        if (place.column - place.base > 3 || this.#text.charCodeAt(place.at) !== QUOTE_MARK) break
        this.#passQuote(place, end)
      } else {
        if (place.at < end && place.column - place.base < width) break
        place.base += width
      }
      place.matched += 1
    }
    return place
  }

  #passQuote(place: Place, end: number): void {
    const behind = place.at + 1
    const content = firstNonBlank(this.#text, behind, end)
    place.base = place.column + (content > behind ? 2 : 1)
    place.column = columnsTo(this.#text, behind, content, place.column + 1)
    place.at = content
  }

  /** Ends all containers after the first `count`, and everything in them. */
  #close(count: number): void {
    if (count >= this.#containers.length) return
    this.#containers.length = count
    if (count <= this.#quote) this.#quote = -1
    this.#html = undefined
    this.#paragraph = -1
    if (this.#fence === undefined) return
    this.#fence = undefined
    this.#listener.fenceEnded(undefined)
  }

  #inFence(line: Line, { at, column, base }: Place, fence: Fence): BlockKind {
    if (column - base <= 3 && isClosingFence(this.#text, { at, end: line.end }, fence.code, fence.length)) {
      this.#fence = undefined
      this.#listener.fenceEnded(line)
    }
    return 'fence'
  }

  /**
   * A fence ends with its item. But people paste code into an item without indenting it: where the fence's own closing
   * line comes next, indented as the item is, with neither a blank line, nor another item or fence before it, the code
   * goes on until there.
   */
  #goesOn(line: Line, fence: Fence): boolean {
    if (this.#quote !== -1) return false
    fence.looseUntil ??= this.#looseEnd(line, fence)
    return line.start < fence.looseUntil
  }

  #looseEnd(line: Line, { code, length, base }: Fence): number {
    const text = this.#text
    for (let start = line.start; start < text.length; ) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline
      const first = firstNonBlank(text, start, end)
      if (first === end || text.charCodeAt(first) === 0x0d || text.charCodeAt(first) === QUOTE_MARK) return 0
      if (listMarkerLength(text, first, end) > 0) return 0
      const close = text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
      if (openingFence(text, first, close) > 0) {
        const indent = columnsTo(text, start, first) - base
        return indent >= 0 && indent <= 3 && isClosingFence(text, { at: first, end: close }, code, length) ? start : 0
      }
      start = end + 1
    }
    return 0
  }

  #inHtml(line: Line, html: HtmlBlock): BlockKind {
    if (html.until !== null && line.end >= html.until) this.#html = undefined
    return this.#text.charCodeAt(line.first) === QUOTE_MARK ? 'quote' : 'text'
  }

  /** Opens the containers and the block that begin in a line. */
  #open(line: Line, place: Place): BlockKind {
    const { end } = line
    const isWhole = place.matched === this.#containers.length
    let depth = place.matched
    let outer: BlockKind | undefined = this.#text.charCodeAt(line.first) === QUOTE_MARK ? 'quote' : undefined
    // A paragraph continues in a line that opens nothing, even where the marks of its containers are missing.
    let isInParagraph = this.#paragraph !== -1
    while (place.at < end && place.column - place.base <= 3) {
      if (this.#text.charCodeAt(place.at) === QUOTE_MARK) {
        this.#push(depth, QUOTE)
        this.#passQuote(place, end)
        outer ??= 'quote'
      } else {
        const kind = this.#openBlock(line, place, { depth, isInParagraph, isWhole: isWhole && isInParagraph })
        if (kind !== undefined) return kind === 'fence' || (kind === 'heading' && depth === 0) ? kind : (outer ?? kind)
        if (!this.#openItem(place, { end, depth, isInterrupting: isWhole && isInParagraph })) break
        outer ??= 'list'
      }
      depth += 1
      isInParagraph = false
    }
    if (place.at >= end) {
      this.#close(depth)
      this.#paragraph = -1
      if (depth > place.matched && this.#containers.at(-1) !== QUOTE) this.#emptyItem = depth
      return outer ?? 'text'
    }
    return this.#openText(line, place, { depth, isInParagraph, outer })
  }

  #push(depth: number, width: number): void {
    this.#close(depth)
    this.#paragraph = -1
    this.#containers.push(width)
    if (width === QUOTE && this.#quote === -1) this.#quote = depth
  }

  #openItem(place: Place, at: { readonly end: number; readonly depth: number; readonly isInterrupting: boolean }): boolean {
    const { end, depth, isInterrupting } = at
    const length = listMarkerLength(this.#text, place.at, end)
    if (length === 0) return false
    const behind = place.at + length
    const content = firstNonBlank(this.#text, behind, end)
    // Within a paragraph only an item with content begins a list, and of numbered ones only the first.
    if (isInterrupting && (content === end || !isBulletOrOne(this.#text, place.at, length))) return false
    this.#push(depth, this.#itemWidth(place, behind, content, end))
    return true
  }

  /** Enters the item: its content begins one to four columns after the marker; more is code in it. */
  #itemWidth(place: Place, behind: number, content: number, end: number): number {
    const outerBase = place.base
    const marker = place.column + behind - place.at
    const column = columnsTo(this.#text, behind, content, marker)
    const isNear = content < end && column - marker <= 4
    place.base = isNear ? column : marker + 1
    place.column = column
    place.at = content
    return place.base - outerBase
  }

  /** Opens a heading, fence, block of HTML or rule; undefined where none begins here. */
  #openBlock(
    line: Line,
    { at, base }: Place,
    inside: { readonly depth: number; readonly isInParagraph: boolean; readonly isWhole: boolean },
  ): BlockKind | undefined {
    const { depth } = inside
    const { end } = line
    const text = this.#text
    const level = headingLevel(text, at, end)
    if (level > 0) {
      this.#endParagraph(depth)
      if (depth === 0) this.#listener.heading({ line: line.index, level, start: at + level, end })
      return depth === 0 ? 'heading' : 'text'
    }
    const fence = openingFence(text, at, end)
    if (fence > 0) {
      this.#endParagraph(depth)
      this.#startFence(line, { at, length: fence, base })
      return 'fence'
    }
    if (text.charCodeAt(at) === LESS_THAN) {
      const html = this.#htmlAt(at, inside.isInParagraph)
      if (html !== undefined) {
        this.#endParagraph(depth)
        this.#html = html
        return this.#inHtml(line, html)
      }
    }
    const underline = inside.isWhole ? underlineLevel(text, at, end) : 0
    if (underline > 0 && line.index - this.#paragraph <= MAX_UNDERLINED_LINES) return this.#underline(line, underline, depth)
    if (!isRule(text, at, end)) return undefined
    this.#endParagraph(depth)
    return 'rule'
  }

  #underline(line: Line, level: number, depth: number): BlockKind {
    const first = this.#paragraph
    this.#paragraph = -1
    if (depth > 0) return 'rule'
    this.#listener.underlined({ first, level, underline: line })
    return 'heading'
  }

  #endParagraph(depth: number): void {
    this.#close(depth)
    this.#paragraph = -1
  }

  #startFence(line: Line, fence: { readonly at: number; readonly length: number; readonly base: number }): void {
    const { at, length, base } = fence
    this.#fence = { code: this.#text.charCodeAt(at), length, base, looseUntil: undefined }
    this.#listener.fenceOpened(line, { start: at + length, end: line.end })
  }

  #openText(
    line: Line,
    place: Place,
    inside: { readonly depth: number; readonly isInParagraph: boolean; readonly outer: BlockKind | undefined },
  ): BlockKind {
    const { depth, isInParagraph, outer } = inside
    const isCode = place.column - place.base > 3
    // Outliners indent lists that have no parent, and open fences in their items.
    if (isCode && this.#openLooseItem(line, place, depth)) return 'fence'
    if (!isInParagraph) {
      this.#close(depth)
      this.#paragraph = isCode ? -1 : line.index
    }
    return outer ?? (afterListMarker(this.#text, line.first, line.end) === -1 ? 'text' : 'list')
  }

  #openLooseItem(line: Line, place: Place, depth: number): boolean {
    const { end } = line
    const marker = place.at === line.first ? listMarkerLength(this.#text, place.at, end) : 0
    if (marker === 0) return false
    const content = firstNonBlank(this.#text, place.at + marker, end)
    const length = openingFence(this.#text, content, end)
    if (length === 0) return false
    this.#push(depth, this.#itemWidth(place, place.at + marker, content, end))
    this.#startFence(line, { at: content, length, base: place.base })
    return true
  }
}

function isBulletOrOne(text: string, at: number, length: number): boolean {
  const code = text.charCodeAt(at)
  return code < 0x30 || code > 0x39 || (code === ONE && length === 2)
}
