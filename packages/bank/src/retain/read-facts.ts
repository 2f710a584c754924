import { datedBy, type ParsedDocument, parseDocument } from '@mnemark/core/document'
import type { DateOrder } from '@mnemark/core/dates'
import { readChild, readChildValue } from './line/child-keys.ts'
import type { FactChild, FactDays, FactEntity, PlacedFact } from './fact.ts'
import type { FactProblem, Finding } from './problems.ts'
import { warningAt } from './problems.ts'
import { type LineRange, managedLines } from './managed-lines.ts'
import { readFact } from './line/read-fact.ts'
import { type Head, readHead } from './line/read-head.ts'
import { OPINIONS_PAGE, pageKindOf } from './fact-places.ts'
import { isFormatHeading, type RetainScope, scopesOf } from './retain-scopes.ts'

export interface ReadFactsOptions {
  /** Path of the note in its workspace, with forward slashes: it dates the facts and says which pages belong to the bank. */
  readonly path: string
  /** Names of Retain sections instead of the known ones. */
  readonly headings?: readonly string[] | undefined
  /** Order of `03/04/2026` in headings. */
  readonly dateOrder?: DateOrder | undefined
  /** Days of the note where its source knows them better than its text. */
  readonly days?: FactDays | undefined
}

/** The facts of a note, in its order, and what could not be read. */
export interface NoteFacts {
  readonly facts: readonly PlacedFact[]
  readonly problems: readonly FactProblem[]
  /** Lines that describe the form of facts, such as `O(c=0.x) @Entity: …`. */
  readonly formatLines: number
  /** Lines, from 1, of bullets in a Retain section without a letter. */
  readonly candidates: readonly number[]
  /** Lines, from 1, of blocks that a program keeps up to date: text derived from facts, never facts. */
  readonly managed: readonly LineRange[]
  /** The entity that a page below `bank/entities/` is about. */
  readonly subject?: FactEntity
}

/** Reads the facts of a note from its Markdown. Time and memory grow with the text; nothing in a text makes it throw. */
export function readFacts(text: string, options: ReadFactsOptions): NoteFacts {
  const parsed = parseDocument({ source: 'memory', path: options.path }, { text }, { dateOrder: options.dateOrder })
  return readFactsOf(text, parsed, options)
}

/** The same, where the note is parsed already. */
export function readFactsOf(text: string, parsed: ParsedDocument, options: ReadFactsOptions): NoteFacts {
  const scopes = scopesOf(options.path, parsed, options.headings)
  const reader = new FactsReader(text, parsed, options)
  for (const scope of scopes) reader.read(scope)
  return reader.result()
}

interface OpenFact {
  readonly line: number
  readonly head: Head
  readonly body: string[]
  readonly children: FactChild[]
  readonly noteDays: FactDays | undefined
  readonly indent: number
  end: number
  /** The last line of the head and the lines that continue it; nothing continues a fact after a blank line or a child. */
  bodyEnd: number
}

/** A bullet that later lines may be nested under. */
interface Parent {
  readonly indent: number
  readonly fact: OpenFact | undefined
}

const FORMULA = /\bformula=(\d{1,4})\b/
const CONFLICT = /^(?:<{7}|>{7})(?:[ \t]|$)/
const CODE_INDENT = 4

class FactsReader {
  readonly #text: string
  readonly #parsed: ParsedDocument
  readonly #options: ReadFactsOptions
  readonly #facts: PlacedFact[] = []
  readonly #problems: FactProblem[] = []
  readonly #candidates: number[] = []
  readonly #managed: readonly LineRange[]
  #formatLines = 0
  #scope: RetainScope = { first: 0, end: 0 }
  #parents: Parent[] = []
  #open: OpenFact | undefined
  #heading = -1
  #trail: number[] = []
  #hidden = 0
  /** Inside the block of the page of opinions: the version of its formula. */
  #formula: number | undefined
  readonly #headingDays = new Map<number, FactDays | undefined>()

  constructor(text: string, parsed: ParsedDocument, options: ReadFactsOptions) {
    this.#text = text
    this.#parsed = parsed
    this.#options = options
    this.#managed = managedLines(text, parsed.outline)
  }

  result(): NoteFacts {
    const { entity: subject } = this.#scope
    return {
      facts: this.#facts,
      problems: this.#problems,
      formatLines: this.#formatLines,
      candidates: this.#candidates,
      managed: this.#managed,
      ...(subject !== undefined && { subject }),
    }
  }

  /** Scopes come in the order of the note. */
  read(scope: RetainScope): void {
    this.#scope = scope
    let next = 0
    for (let line = scope.first; line < scope.end; line += 1) {
      const raw = this.#lineAt(line)
      if (CONFLICT.test(raw)) this.#report(line, warningAt('conflict-marker', 0))
      this.#enterHeadings(line)
      while ((this.#managed[next]?.endLine ?? Infinity) <= line) next += 1
      const block = this.#managed[next]
      if (block !== undefined && block.startLine <= line + 1) this.#readManaged(line, raw, block)
      else this.#readLine(line, raw)
    }
    this.#end()
  }

  /** Text derived from facts, but for the lines of opinions, which carry their anchors. */
  #readManaged(line: number, raw: string, { startLine, endLine }: LineRange): void {
    const isMarker = line + 1 === startLine || (line + 1 === endLine && raw.trimStart().startsWith('<!--'))
    if (isMarker || !this.#isOpinionsPage()) this.#end()
    else this.#readLine(line, raw)
    if (isMarker)
      this.#formula = line + 1 === startLine && this.#isOpinionsPage() ? Number(FORMULA.exec(raw)?.[1] ?? 0) : undefined
  }

  #isOpinionsPage(): boolean {
    return this.#options.path.replaceAll('\\', '/').toLowerCase() === OPINIONS_PAGE
  }

  #lineAt(line: number): string {
    const { starts, ends } = this.#parsed.outline
    return this.#text.slice(starts[line], ends[line])
  }

  #enterHeadings(line: number): void {
    const { headings } = this.#parsed.outline
    while ((headings[this.#heading + 1]?.line ?? Infinity) <= line) {
      this.#heading += 1
      const level = headings[this.#heading]?.level ?? 1
      while (this.#trail.length > 0 && (headings[this.#trail.at(-1) ?? 0]?.level ?? 0) >= level) this.#trail.pop()
      this.#trail.push(this.#heading)
    }
  }

  #readLine(line: number, raw: string): void {
    const kind = this.#parsed.outline.kinds[line]
    if (kind === 'blank') return
    if (kind !== 'list' && kind !== 'text') {
      this.#end()
      return
    }
    const shown = this.#withoutHidden(line, raw)
    const indent = this.#parsed.outline.indents[line] ?? 0
    const isBullet = kind === 'list'
    if (!isBullet && this.#continues(line, indent)) this.#continue(line, shown)
    else {
      while ((this.#parents.at(-1)?.indent ?? -1) >= indent) this.#parents.pop()
      const parent = this.#parents.at(-1)
      if (parent?.fact !== undefined) this.#nest(parent.fact, { line, shown, indent, isBullet })
      else if (parent !== undefined || indent < CODE_INDENT) this.#begin({ line, shown, indent, isBullet }, parent === undefined)
    }
  }

  #continues(line: number, indent: number): boolean {
    const open = this.#open
    return open !== undefined && open.bodyEnd === line - 1 && open.end === open.bodyEnd && indent > open.indent
  }

  #continue(line: number, shown: string): void {
    if (this.#open === undefined) return
    this.#open.body.push(shown)
    this.#open.bodyEnd = line
    this.#open.end = line
  }

  /** A line below a fact belongs to it: a key with its value, one more value, or plain text. */
  #nest(fact: OpenFact, { line, shown, indent, isBullet }: BulletLine): void {
    const child = isBullet ? readChild(shown) : undefined
    const value = isBullet ? readChildValue(shown) : undefined
    const last = fact.children.at(-1)
    if (child !== undefined) {
      if (child.value !== '' || child.key === 'evidence') fact.children.push(child)
    } else if (value !== undefined && last !== undefined && indent > fact.indent + 2) {
      if (last.value === '') fact.children.pop()
      fact.children.push({ key: last.key, value })
    }
    fact.end = line
    if (isBullet) this.#parents.push({ indent, fact })
  }

  #begin({ line, shown, indent, isBullet }: BulletLine, isTop: boolean): void {
    this.#finish()
    if (!isBullet && isTop) this.#parents.length = 0
    const isPage = this.#scope.kind !== undefined
    const reading = readHead(shown, isPage && isTop)
    if (typeof reading === 'object' && !('code' in reading) && this.#isFormat()) this.#formatLines += 1
    else if (reading === 'format') this.#formatLines += 1
    else if (reading === 'plain') {
      if (isBullet && !isPage && !this.#isFormat() && /[\p{L}\p{N}]/u.test(shown)) this.#candidates.push(line + 1)
    } else if ('code' in reading) this.#report(line, reading)
    else {
      this.#open = {
        line,
        head: reading,
        body: [shown.slice(reading.end)],
        children: [],
        noteDays: this.#daysHere(),
        indent,
        end: line,
        bodyEnd: line,
      }
      this.#parents.push({ indent, fact: this.#open })
      return
    }
    if (isBullet) this.#parents.push({ indent, fact: undefined })
  }

  #isFormat(): boolean {
    const { headings } = this.#parsed.outline
    return (
      this.#parsed.marks.includes('template') || this.#trail.some((heading) => isFormatHeading(headings[heading]?.text ?? ''))
    )
  }

  #end(): void {
    this.#finish()
    this.#parents = []
  }

  #finish(): void {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    const { head, body, line, end, noteDays } = open
    // An empty value was a key that announced a list and got none.
    const children = open.children.filter(({ value }) => value !== '')
    const { kind: pageKind, entity: pageEntity } = this.#scope
    const reading = readFact({ head, body, children, pageKind, pageEntity, noteDays })
    if (reading === 'format') this.#formatLines += 1
    else if ('code' in reading) this.#report(line, reading)
    else {
      for (const warning of reading.warnings) this.#report(line, warning)
      const formula = this.#formula
      this.#facts.push({ ...reading.fact, startLine: line + 1, endLine: end + 1, ...(formula !== undefined && { formula }) })
    }
  }

  #report(line: number, finding: Finding): void {
    this.#problems.push({ line: line + 1, ...finding })
  }

  /** Days of the nearest dated heading above, where it dates the facts better than the note does. */
  #daysHere(): FactDays | undefined {
    const note = this.#noteDays()
    for (const heading of this.#trail.toReversed()) {
      const days = this.#daysOf(heading)
      if (days === undefined) continue
      const isWithin = note === undefined || (note.from <= days.from && (days.to ?? days.from) <= (note.to ?? note.from))
      return isWithin ? days : note
    }
    return note
  }

  /** A page of the bank was made on some day; its facts were not. */
  #noteDays(): FactDays | undefined {
    if (this.#options.days !== undefined) return this.#options.days
    const { from, to } = this.#parsed
    if (from === undefined || pageKindOf(this.#options.path) !== undefined) return undefined
    return { from, to: to ?? from }
  }

  #daysOf(heading: number): FactDays | undefined {
    if (!this.#headingDays.has(heading)) {
      const text = this.#parsed.outline.headings[heading]?.text ?? ''
      const date = datedBy('', { dates: [], headings: [text], order: this.#options.dateOrder })
      this.#headingDays.set(heading, date && { from: date.from, to: date.to })
    }
    return this.#headingDays.get(heading)
  }

  /** The line with comments and other hidden text blank, so that every place in it stays. */
  #withoutHidden(line: number, raw: string): string {
    const { outline } = this.#parsed
    const start = outline.starts[line] ?? 0
    const end = outline.ends[line] ?? 0
    while ((outline.unindexed[this.#hidden]?.end ?? Infinity) <= start) this.#hidden += 1
    let shown = raw
    for (let at = this.#hidden; (outline.unindexed[at]?.start ?? Infinity) < end; at += 1) {
      const range = outline.unindexed[at]
      if (range === undefined) break
      const [from, to] = [Math.max(range.start, start) - start, Math.min(range.end, end) - start]
      shown = shown.slice(0, from) + ' '.repeat(to - from) + shown.slice(to)
    }
    return shown
  }
}

interface BulletLine {
  readonly line: number
  readonly shown: string
  readonly indent: number
  readonly isBullet: boolean
}
