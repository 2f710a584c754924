import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import type { Edit } from './edited-text.ts'

/** Matches ASCII signs and blanks, which are no letters, marks or digits. */
const SIGN = /[\s!-/:-@[-`{-~]/
const [ALONE, TWICE, TAG_START, ENTITY_START] = [1, 2, 3, 4]
const MARKS = new Uint8Array(0x80)
for (const mark of '*~^') MARKS[mark.charCodeAt(0)] = ALONE
MARKS[0x3d] = TWICE
MARKS[0x3c] = TAG_START
MARKS[0x26] = ENTITY_START
const OF_WORD = Uint8Array.from({ length: 0x80 }, (_, code) => (SIGN.test(String.fromCharCode(code)) ? 0 : 1))

const TAG = String.raw`<\/?(?:a|abbr|b|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)(?:\s[^<>]{0,200})?\/?>`
const ENTITY = String.raw`&(?:#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`
const TOKEN = new RegExp(String.raw`\n|\\[!-/:-@[-\x60{-~]|\x60+|${ENTITY}|(?:${TAG})+|\*{1,3}|~{1,2}|\^|==`, 'gi')
/** A line that opens or closes a block of code, even after a bullet. */
const FENCE = /^[ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}|~{3,})/

function isOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 0x80 ? OF_WORD[code] === 1 : code >= 0x80
}

/**
 * Whether the text may hold marks inside words, or entities: else there is nothing to edit. A loop, since it runs on
 * every text.
 */
export function mayHoldMarksInWords(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const mark = code < 0x80 ? MARKS[code] : 0
    if (mark !== 0 && mayBeMark(text, at, mark)) return true
  }
  return false
}

function mayBeMark(text: string, at: number, mark: number | undefined): boolean {
  const next = text.charCodeAt(at + 1)
  if (mark === ENTITY_START) return next === 0x23 || isOfWord(text, at + 1)
  if (!isOfWord(text, at - 1)) return false
  if (mark === TAG_START) return next === 0x2f || isOfWord(text, at + 1)
  let end = at + 1
  while (end < at + 3 && text.charCodeAt(end) === text.charCodeAt(at)) end += 1
  return isOfWord(text, end) && (mark === ALONE || end === at + 2)
}

/**
 * Decodes as in CommonMark: a number names a code point, and an invalid one becomes U+FFFD. Undefined for a name that
 * HTML does not have.
 */
function decoded(entity: string): string | undefined {
  const name = entity.slice(1, -1)
  if (!name.startsWith('#')) return decodeNamedCharacterReference(name) || undefined
  const isHex = /^#x/i.test(name)
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\ufffd'
}

interface Delimiter {
  readonly start: number
  readonly end: number
  readonly isInWord: boolean
}

/** Whether a mark is between letters, or a letter and a digit: `2*3*4` is a sum. */
function isInsideWord(text: string, start: number, end: number): boolean {
  if (!isOfWord(text, start - 1) || !isOfWord(text, end)) return false
  return !isDigit(text.charCodeAt(start - 1)) || !isDigit(text.charCodeAt(end))
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/**
 * Removes emphasis and HTML tags inside words, so that `**bo**ld` and `be<b>auti</b>ful` are one word each, and decodes
 * entities. Code is unchanged. Linear in the length of the text.
 */
export function inlineEdits(text: string): readonly Edit[] {
  const edits: Edit[] = []
  let open = new Map<string, Delimiter>()
  /** The mark of the open block of code. */
  let fence = ''
  /** Ticks that no further code span of this line ends with. */
  let unclosed = new Set<string>()
  let lineEnd = 0
  const startLine = (start: number): void => {
    open = new Map()
    unclosed = new Set()
    const newline = text.indexOf('\n', start)
    lineEnd = newline === -1 ? text.length : newline
    const mark = FENCE.exec(text.slice(start, start + 120))?.[1]
    if (mark === undefined) return
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
  }
  /** End of the code span that begins with these ticks; -1 where it does not end in its line. */
  const codeEnd = (ticks: string, from: number): number => {
    if (unclosed.has(ticks)) return -1
    const found = text.slice(from, lineEnd).indexOf(ticks)
    if (found === -1) unclosed.add(ticks)
    return found === -1 ? -1 : from + found + ticks.length
  }
  const placeDelimiter = (mark: string, start: number, end: number): void => {
    const opener = open.get(mark)
    const delimiter = { start, end, isInWord: isInsideWord(text, start, end) }
    const canClose = start > 0 && !/\s/.test(text.charAt(start - 1))
    const canOpen = end < text.length && !/\s/.test(text.charAt(end))
    if (opener !== undefined && canClose) {
      open.delete(mark)
      for (const each of [opener, delimiter]) if (each.isInWord) edits.push({ start: each.start, end: each.end, text: '' })
    } else if (canOpen) open.set(mark, delimiter)
  }
  startLine(0)
  const pattern = new RegExp(TOKEN)
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const token = match[0]
    const [start, end] = [match.index, pattern.lastIndex]
    if (token === '\n') startLine(end)
    else if (fence !== '' || token.startsWith('\\')) continue
    else if (token.startsWith('`')) pattern.lastIndex = Math.max(end, codeEnd(token, end))
    else if (token.startsWith('&')) {
      const character = decoded(token)
      if (character !== undefined) edits.push({ start, end, text: character })
    } else if (token.startsWith('<')) {
      if (isInsideWord(text, start, end)) edits.push({ start, end, text: '' })
    } else placeDelimiter(token, start, end)
  }
  return edits.sort((left, right) => left.start - right.start)
}
