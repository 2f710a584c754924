/** Tests of one line `text[start, end)` of Markdown; they read code units because they run on every line. */

const SPACE = 0x20
const TAB = 0x09
const HASH = 0x23
const DASH = 0x2d
const EQUALS = 0x3d
const PIPE = 0x7c
const COLON = 0x3a
const BACKTICK = 0x60
const TILDE = 0x7e
const NEWLINE = 0x0a

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** Index of the first character that is no space or tab; `end` in a blank line. */
export function firstNonBlank(text: string, start: number, end: number): number {
  let index = start
  while (index < end && isBlank(text.charCodeAt(index))) index++
  return index
}

/** Column of `index`, where `start` is in column `from`; tab stops at every fourth. */
export function columnsTo(text: string, start: number, index: number, from = 0): number {
  let columns = from
  for (let at = start; at < index; at++) columns += text.charCodeAt(at) === TAB ? 4 - (columns % 4) : 1
  return columns
}

function runLength(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at)
  let index = at + 1
  while (index < end && text.charCodeAt(index) === code) index++
  return index - at
}

/** 1 to 6 for an ATX heading that begins at `at`, else 0: `#tag` is not one. */
export function headingLevel(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== HASH) return 0
  const level = runLength(text, at, end)
  return level <= 6 && (at + level === end || isBlank(text.charCodeAt(at + level))) ? level : 0
}

/** 1 or 2 for a line of `===` or `---` alone, else 0. */
export function underlineLevel(text: string, at: number, end: number): 0 | 1 | 2 {
  const code = text.charCodeAt(at)
  if (code !== DASH && code !== EQUALS) return 0
  if (firstNonBlank(text, at + runLength(text, at, end), end) !== end) return 0
  return code === EQUALS ? 1 : 2
}

/** Three or more of `-`, `*` or `_`, spaces between them allowed. */
export function isRule(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at)
  if (code !== DASH && code !== 0x2a && code !== 0x5f) return false
  let count = 0
  for (let index = at; index < end; index++) {
    const other = text.charCodeAt(index)
    if (other === code) count++
    else if (!isBlank(other)) return false
  }
  return count >= 3
}

/** Length of the bullet or number of a list item that begins at `at`, 0 where none does. */
export function listMarkerLength(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at)
  let index = at + 1
  if (code >= 0x30 && code <= 0x39) {
    while (index < end && index - at < 9 && text.charCodeAt(index) >= 0x30 && text.charCodeAt(index) <= 0x39) index++
    const mark = text.charCodeAt(index)
    if (index >= end || (mark !== 0x2e && mark !== 0x29)) return 0
    index++
  } else if (code !== DASH && code !== 0x2a && code !== 0x2b) return 0
  return index < end && !isBlank(text.charCodeAt(index)) ? 0 : index - at
}

/** Where the item's content begins after the bullet or number at `at`; -1 where there is no list marker. */
export function afterListMarker(text: string, at: number, end: number): number {
  const length = listMarkerLength(text, at, end)
  return length === 0 ? -1 : firstNonBlank(text, at + length, end)
}

/** Length of the fence that opens at `at`, 0 where none does. A backtick fence has no backtick in its info string. */
export function openingFence(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at)
  if (code !== BACKTICK && code !== TILDE) return 0
  const length = runLength(text, at, end)
  if (length < 3) return 0
  if (code === BACKTICK && text.slice(at + length, end).includes('`')) return 0
  return length
}

export function isClosingFence(
  text: string,
  range: { readonly at: number; readonly end: number },
  code: number,
  length: number,
): boolean {
  const { at, end } = range
  if (text.charCodeAt(at) !== code) return false
  const run = runLength(text, at, end)
  return run >= length && firstNonBlank(text, at + run, end) === end
}

/** The line under a table's head: dashes, colons and at least one pipe. */
export function isTableRule(text: string, at: number, end: number): boolean {
  let pipes = 0
  let dashes = 0
  for (let index = at; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code === PIPE) pipes++
    else if (code === DASH) dashes++
    else if (code !== COLON && !isBlank(code)) return false
  }
  return pipes > 0 && dashes > 0
}

export function hasPipe(text: string, at: number, end: number): boolean {
  for (let index = at; index < end; index++) if (text.charCodeAt(index) === PIPE) return true
  return false
}

/** The code spans of one line. Positions must be asked in ascending order, so that each character is read once. */
export class CodeSpans {
  readonly #text: string
  readonly #end: number
  #at: number

  constructor(text: string, line: { readonly start: number; readonly end: number }) {
    this.#text = text
    this.#end = line.end
    this.#at = line.start
  }

  hold(index: number): boolean {
    while (this.#at < index) {
      if (this.#text.charCodeAt(this.#at) !== BACKTICK) {
        this.#at++
        continue
      }
      const length = runLength(this.#text, this.#at, this.#end)
      const close = closingSpan(this.#text, this.#at + length, { end: this.#end, length })
      if (close > index) return true
      this.#at = close === -1 ? this.#at + length : close + length
    }
    return false
  }
}

function closingSpan(text: string, from: number, span: { readonly end: number; readonly length: number }): number {
  let at = text.indexOf('`', from)
  while (at !== -1 && at < span.end) {
    const length = runLength(text, at, span.end)
    if (length === span.length) return at
    at = text.indexOf('`', at + length)
  }
  return -1
}

/** End of the line that holds `index`, without its line break. */
export function lineEndAt(text: string, index: number): number {
  const newline = text.indexOf('\n', index)
  return newline === -1 ? text.length : newline
}

export function lineStartAt(text: string, index: number): number {
  if (index > 0 && text.charCodeAt(index - 1) === NEWLINE) return index
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1
}
