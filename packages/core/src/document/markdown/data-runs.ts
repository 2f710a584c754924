import type { TextRange } from './hidden-blocks.ts'

/** A longer unbroken run of base64, hex or minified code is data. */
const LEAST_RUN = 200
/** A `data:` address names its own type, so a shorter run is data. */
const LEAST_ADDRESS = 100
const DATA_ADDRESS = /data:[a-z]+\/[a-z0-9.+-]+(?:;[a-z0-9_.=+-]+)*,/iy
/** Base64 in lines, as in mail and keys: at least `lines` lines of one width. */
const WRAPPED = { least: 60, most: 80, lines: 4 }
const BLOCK = 64
const MAX_ADDRESS = 2_048
/**
 * Least share of neighbours in a block that differ in kind (capital, small letter, digit): .47 in hex, .65 in base64,
 * under .2 in words and paths.
 */
const MIXED_NEIGHBOURS = 0.25
/** Names in code have capitals as often; a sixth of base64 is digits. */
const LEAST_DIGITS = 1 / 20
const MIXED_BLOCKS = 0.4
const CODE_MARKS = 1 / 80
/** Running text has a space every six characters. */
const LEAST_BUNDLE = 1_000
const MOST_SPACES = 1 / 25

const SEPARATOR = 1
const DIGIT = 2
const CAPITAL = 3
const SMALL = 4
/** Kind of each character of base64, base64url or hex, by code; 0 for any other. */
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[0-9]/.test(character)) return DIGIT
  if (/[A-Z]/.test(character)) return CAPITAL
  if (/[a-z]/.test(character)) return SMALL
  return /[+/=_-]/.test(character) ? SEPARATOR : 0
})

/** Takes each line in order; returns runs of data without meaning for a reader: embedded images, keys, bundled scripts. */
export interface DataFinder {
  readonly line: (start: number, end: number) => void
  /** In order, not overlapping. */
  readonly finish: () => readonly TextRange[]
}

export function createDataFinder(text: string): DataFinder {
  const runs: TextRange[] = []
  let wrapped: { start: number; end: number; width: number; lines: number } | undefined
  const endWrapped = () => {
    if (wrapped !== undefined && wrapped.lines >= WRAPPED.lines) runs.push({ start: wrapped.start, end: wrapped.end })
    wrapped = undefined
  }
  return {
    line: (start, end) => {
      const width = wrappedWidth(text, start, end)
      if (wrapped !== undefined && width > 0 && width <= wrapped.width && end > wrapped.end) {
        // The last line of a block is the short one.
        wrapped = { ...wrapped, end, lines: wrapped.lines + 1 }
        if (width < wrapped.width) endWrapped()
        return
      }
      endWrapped()
      // A list of checksums is wrapped hex too, and people search for them.
      if (
        width >= WRAPPED.least &&
        /[A-Z]/.test(text.slice(start, end)) &&
        /[a-z]/.test(text.slice(start, end)) &&
        isData(text, start, end)
      )
        wrapped = { start, end, width, lines: 1 }
      else if (end - start > LEAST_ADDRESS) runs.push(...runsInLine(text, start, end))
    },
    finish: () => {
      endWrapped()
      return runs
    },
  }
}

/**
 * Length of an indented or plain line that is nothing but base64; 0 for another, or for a width that base64 is not
 * wrapped at.
 */
function wrappedWidth(text: string, start: number, end: number): number {
  let first = start
  while (first < end && text.charCodeAt(first) <= 0x20) first += 1
  const width = end - first
  if (width === 0 || width > WRAPPED.most) return 0
  return runEnd(text, first, end) === end ? width : 0
}

function kindAt(text: string, index: number): number {
  return KINDS[text.charCodeAt(index)] ?? 0
}

function runEnd(text: string, start: number, end: number): number {
  let index = start
  while (index < end && kindAt(text, index) !== 0) index += 1
  return index
}

function runsInLine(text: string, start: number, end: number): TextRange[] {
  if (isBundle(text, start, end)) return [{ start, end }]
  const runs: TextRange[] = []
  // Searched in the line alone: a search of the text would pass over all of it for every line.
  const line = text.slice(start, end)
  let from = start
  for (let at = line.indexOf('data:'); at !== -1; at = line.indexOf('data:', Math.max(from - start, at + 5))) {
    const address = { start: start + at, end: wholeEnd(text, addressEnd(text, start + at, end)) }
    if (address.end - address.start <= LEAST_ADDRESS) continue
    runs.push(...runsBetween(text, from, address.start), address)
    from = address.end
  }
  runs.push(...runsBetween(text, from, end))
  return runs
}

/** A long line of code with almost no spaces: a bundled script has a few where its language needs them. */
function isBundle(text: string, start: number, end: number): boolean {
  if (end - start < LEAST_BUNDLE) return false
  let others = 0
  for (let index = start; index < end; index += 1) if (!isPrintable(text.charCodeAt(index))) others += 1
  return others < (end - start) * MOST_SPACES && isMinified(text.slice(start, end))
}

/** Reads word by word. Other scripts write whole unbroken sentences that are no data: a word is printable ASCII. */
function runsBetween(text: string, start: number, end: number): TextRange[] {
  const runs: TextRange[] = []
  for (let at = start; at < end; ) {
    let wordEnd = at
    while (wordEnd < end && isPrintable(text.charCodeAt(wordEnd))) wordEnd += 1
    if (wordEnd - at > LEAST_RUN) runs.push(...runsInWord(text, at, wordEnd))
    at = wordEnd + 1
  }
  return runs
}

function isPrintable(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

/** A quoted address ends at its closing quote: it may hold an SVG image, spaces included. */
function addressEnd(text: string, start: number, lineEnd: number): number {
  DATA_ADDRESS.lastIndex = start
  if (!DATA_ADDRESS.test(text)) return start
  const quote = text.charAt(start - 1)
  const closing = quote === '"' || quote === "'" ? text.indexOf(quote, start) : -1
  if (closing !== -1 && closing < lineEnd) return closing
  let end = DATA_ADDRESS.lastIndex
  while (end < lineEnd && !/[\s"'<>()[\]]/.test(text.charAt(end))) end += 1
  return end
}

function runsInWord(text: string, start: number, end: number): TextRange[] {
  if (isMinified(text.slice(start, end))) return [{ start, end: wholeEnd(text, end) }]
  const runs: TextRange[] = []
  for (let at = start; at < end; ) {
    const to = runEnd(text, at, end)
    if (to - at > LEAST_RUN && isData(text, at, to) && !isInAddress(text, start, at))
      runs.push({ start: at, end: wholeEnd(text, to) })
    at = to + 1
  }
  return runs
}

/** Most blocks hold digits, and change between capitals, small letters and digits more than a word, path or name in code does. */
function isData(text: string, start: number, end: number): boolean {
  let blocks = 0
  let mixed = 0
  for (let block = start; block < end; block += BLOCK) {
    const blockEnd = Math.min(end, block + BLOCK)
    const length = blockEnd - block
    let [changes, digits, before] = [0, 0, SEPARATOR]
    for (let index = block; index < blockEnd; index += 1) {
      const here = kindAt(text, index)
      if (here !== before && here !== SEPARATOR && before !== SEPARATOR) changes += 1
      if (here === DIGIT) digits += 1
      before = here
    }
    blocks += 1
    if (changes >= length * MIXED_NEIGHBOURS && digits >= length * LEAST_DIGITS) mixed += 1
  }
  return mixed >= blocks * MIXED_BLOCKS
}

/** A combining mark after the run forms one letter with its last character. */
function wholeEnd(text: string, end: number): number {
  return /^[\p{M}\u200d]/u.test(text.slice(end, end + 2)) ? end - 1 : end
}

/** Whether the run at `at` is part of an address such as `https://…`: addresses are found by their parts. */
function isInAddress(text: string, wordStart: number, at: number): boolean {
  const before = text.slice(Math.max(wordStart, at - MAX_ADDRESS), at)
  const host = before.lastIndexOf('://')
  return host !== -1 && !/["'()<>[\]{}|`]/.test(before.slice(host))
}

/**
 * Code or JSON without white space: brackets throughout, and separators between statements or members. Formulas have
 * commands instead.
 */
function isMinified(word: string): boolean {
  if (/^[("'<[]*[a-z][a-z0-9+.-]*:\/\//i.test(word)) return false
  const brackets = count(word, /[{}()]/g)
  const members = count(word, /;|":|",|:\{|\),/g)
  const commands = count(word, /\\[a-z]{2}/gi)
  return brackets >= word.length * CODE_MARKS && members >= word.length * CODE_MARKS && commands < word.length * CODE_MARKS
}

function count(text: string, pattern: RegExp): number {
  let found = 0
  pattern.lastIndex = 0
  while (pattern.test(text)) found += 1
  return found
}

/** A text without its runs of data, for names cut from it. */
export function withoutData(text: string): string {
  if (text.length <= LEAST_ADDRESS) return text
  let kept = ''
  let from = 0
  for (const { start, end } of runsInLine(text, 0, text.length)) {
    kept += text.slice(from, start)
    from = end
  }
  return kept + text.slice(from)
}
