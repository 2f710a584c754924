import { type TextFormat, withoutTraps } from './decode.ts'

/** The lines to keep of a text. */
export interface LineWindow {
  /** First line, from 1. */
  readonly from: number
  readonly maxLines: number
  /** In UTF-16 units. */
  readonly maxCharacters: number
  /** Exactly these lines were asked for: the last one comes without its line end, also at the end of the file. */
  readonly isExact: boolean
}

/** Whole lines as they are in the file, except for NUL. */
export interface LineExcerpt {
  readonly text: string
  /** How many lines; 1 for a line that was cut. */
  readonly lines: number
  /** The line after the excerpt; null at the end of the file. */
  readonly nextFrom: number | null
  /** The first line is longer than the window; only its beginning is here. */
  readonly isCut: boolean
  /** Lines in the whole file, if it was read to its end; else null. */
  readonly totalLines: number | null
}

const GRAPHEME_LOOK_AROUND = 256

/** Reads a text piece by piece and keeps the lines of one window, never more than the window allows. */
export class LineCollector {
  readonly #window: LineWindow
  readonly #lineEnds: TextFormat['lineEnds']
  readonly #kept: string[] = []
  #characters = 0
  #line = 1
  /** The current line so far, if it is in the window. */
  #partial = ''
  #isInLine = false
  #isCut = false
  #held = ''
  #nextFrom: number | null = null

  constructor(window: LineWindow, lineEnds: TextFormat['lineEnds']) {
    this.#window = window
    this.#lineEnds = lineEnds
  }

  /** Returns true when the window is full and the next line is known; `isLast` marks the last piece. */
  take(text: string, isLast: boolean): boolean {
    const ready = this.#hold(text, isLast)
    for (let start = 0; start < ready.length && this.#nextFrom === null; ) {
      const end = this.#lineEndAfter(ready, start)
      const part = end === -1 ? ready.slice(start) : ready.slice(start, end)
      if (this.#isFull() || !this.#keep(part, end !== -1)) {
        this.#nextFrom = this.#line
        break
      }
      this.#isInLine = true
      if (end !== -1) this.#endLine()
      start += part.length
    }
    if (isLast && this.#nextFrom === null && this.#isInLine) this.#endLine()
    return this.#nextFrom !== null
  }

  finish(): LineExcerpt {
    const text = withoutTraps(this.#kept.join(''))
    const isComplete = this.#nextFrom === null && !this.#isCut && !(this.#window.isExact && this.#isFull())
    return {
      text: isComplete ? text : text.slice(0, text.length - lineEndLength(text)),
      lines: this.#kept.length,
      nextFrom: this.#nextFrom,
      isCut: this.#isCut,
      totalLines: this.#nextFrom === null ? this.#line - 1 : null,
    }
  }

  /** A carriage return at the border of two pieces may be one half of a line end: it waits for the next piece. */
  #hold(text: string, isLast: boolean): string {
    const all = this.#held + text
    this.#held = !isLast && all.endsWith('\r') ? '\r' : ''
    return this.#held === '' ? all : all.slice(0, -1)
  }

  #lineEndAfter(text: string, start: number): number {
    if (this.#lineEnds === 'lf') return text.indexOf('\n', start) + 1 || -1
    const lineEnd = /\r\n?|\n/gu
    lineEnd.lastIndex = start
    return lineEnd.test(text) ? lineEnd.lastIndex : -1
  }

  #isFull(): boolean {
    return this.#kept.length === this.#window.maxLines || (this.#isCut && this.#kept.length === 1)
  }

  /** Adds a part of the current line; false when the line does not fit and belongs to the next reading. */
  #keep(part: string, endsLine: boolean): boolean {
    if (this.#line < this.#window.from || this.#isCut) return true
    const line = this.#partial + part
    const content = line.length - (endsLine ? lineEndLength(line) : 0)
    if (content > this.#window.maxCharacters - this.#characters && this.#kept.length > 0) return false
    this.#partial = line
    // Waits for enough of the line to see where its graphemes end.
    if (content >= this.#window.maxCharacters + GRAPHEME_LOOK_AROUND) this.#cutWhereTooLong()
    return true
  }

  #cutWhereTooLong(): void {
    const limit = this.#window.maxCharacters
    if (this.#isCut || this.#partial.length - lineEndLength(this.#partial) <= limit || this.#kept.length > 0) return
    this.#partial = cutAtGrapheme(this.#partial, limit)
    this.#isCut = true
  }

  #endLine(): void {
    if (this.#line >= this.#window.from) {
      this.#cutWhereTooLong()
      this.#kept.push(this.#partial)
      this.#characters += this.#partial.length
    }
    this.#partial = ''
    this.#isInLine = false
    this.#line += 1
  }
}

function lineEndLength(text: string): number {
  if (text.endsWith('\r\n')) return 2
  return text.endsWith('\n') || text.endsWith('\r') ? 1 : 0
}

/**
 * At most `limit` characters, ending between two graphemes. Looks at the end only: segmenting long text is slow in old
 * runtimes.
 */
export function cutAtGrapheme(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = Math.max(0, limit - GRAPHEME_LOOK_AROUND)
  const tail = text.slice(start, limit + GRAPHEME_LOOK_AROUND)
  let border = 0
  for (const { index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(tail)) {
    if (start + index > limit) break
    border = start + index
  }
  if (border > start) return text.slice(0, border)
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/u, '')
}
