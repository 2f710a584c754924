import { lineEndAt, lineStartAt } from './markdown-line.ts'

/** Markers around every recalled text that we hand out, so that it never becomes new memory. */
export const RECALLED_START = '<!-- mnemark:recalled -->'
export const RECALLED_END = '<!-- /mnemark:recalled -->'

export interface TextRange {
  readonly start: number
  readonly end: number
}

/** Finds the next block at or after `from`; an unclosed block does not count, so that it cannot hide the rest of a file. */
export type BlockFinder = (from: number) => TextRange | undefined

const RECEIPT = /<!--\s{0,20}mnemark:recalled\b[^>]{0,200}-->/y
const RECEIPT_END = /<!--\s{0,20}\/mnemark:recalled\b[^>]{0,200}-->/g
// Names under which memory plugins and tools inject recalled or foreign text.
const RECALL_TAG =
  /<((?:relevant|recalled|retrieved|injected)[-_](?:memory|memories|context)|(?:memory|supermemory|hindsight)[-_](?:context|recall|memories)|untrusted[-_](?:data|content|context|memory|memories))(?:\s[^<>\n]*)?>/iy
/** Recalled text may hold recalled text; blocks deeper than this end with the first closing tag. */
const MAX_NESTED = 8
const UNTRUSTED_END = /\bEND[ _-](?:[A-Z]{1,30}[ _-]){0,8}UNTRUSTED|\bUNTRUSTED[ _-](?:[A-Z]{1,30}[ _-]){0,8}END\b/g
const UNTRUSTED_START =
  /^[^\p{L}\p{N}\n]{0,60}(?:[\p{L}\p{N}_-]{1,60}:\s{0,10})?(?:[[<⟦{(=#*-]{1,30}\s{0,10})?(?:(?:BEGIN|START|EXTERNAL)[ _-](?:[A-Z]{1,30}[ _-]){0,8})?UNTRUSTED[ _-]/u
/** Most characters before the word in a start marker. */
const LONGEST_START = 500
const DRAWER_END = /^[ \t]*:END:[ \t]*\r?$/gm

/** Comments of HTML and Obsidian, recalled blocks, untrusted-data fences and `:LOGBOOK:` drawers, in order of their start. */
export function createBlockFinder(text: string): BlockFinder {
  const finders = [taggedFinder(text), percentFinder(text), untrustedFinder(text), drawerFinder(text)].map(remembering)
  return (from) => {
    let first: TextRange | undefined
    for (const find of finders) {
      const block = find(from)
      if (block !== undefined && (first === undefined || block.start < first.start)) first = block
    }
    return first
  }
}

/** Keeps the last result: callers only move forward. */
function remembering(find: BlockFinder): BlockFinder {
  let asked = -1
  let last: TextRange | undefined
  return (from) => {
    if (asked !== -1 && from >= asked && (last === undefined || last.start >= from)) return last
    asked = from
    last = find(from)
    return last
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match === null ? -1 : match.index + match[0].length
}

function taggedFinder(text: string): BlockFinder {
  // Names whose closing tag was missing once are not searched again: one pass over the text each, at most.
  const unclosed = new Set<string>()
  const close = (name: string, pattern: RegExp, from: number) => {
    const end = unclosed.has(name) ? -1 : endOf(pattern, text, from)
    if (end === -1) unclosed.add(name)
    return end
  }
  const blockEnd = (at: number) => {
    if (text.startsWith('<!--', at)) {
      RECEIPT.lastIndex = at
      const receipt = RECEIPT.test(text) ? close('receipt', RECEIPT_END, at) : -1
      return receipt === -1 ? close('comment', /-->/g, at + 2) : receipt
    }
    RECALL_TAG.lastIndex = at
    const name = RECALL_TAG.exec(text)?.[1]?.toLowerCase()
    if (name === undefined) return -1
    const end = close(name, new RegExp(`</${name}\\s*>`, 'gi'), at)
    return end === -1 ? -1 : (outerEnd(text, name, at) ?? end)
  }
  return (from) => {
    for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
      const end = blockEnd(at)
      if (end !== -1) return { start: at, end }
    }
    return undefined
  }
}

/** Where the element ends that begins at `at` and nests others of its name; undefined where they are not all closed. */
function outerEnd(text: string, name: string, at: number): number | undefined {
  const tags = new RegExp(`<(/?)${name}(?:\\s[^<>\\n]*)?>`, 'gi')
  tags.lastIndex = at
  let depth = 0
  while (depth <= MAX_NESTED) {
    const tag = tags.exec(text)
    if (tag === null) return undefined
    depth += tag[1] === '' ? 1 : -1
    if (depth === 0) return tags.lastIndex
  }
  return undefined
}

function untrustedFinder(text: string): BlockFinder {
  return (from) => {
    let lineEnd = -1
    let start = 0
    for (let at = text.indexOf('UNTRUSTED', from); at !== -1; at = text.indexOf('UNTRUSTED', at + 1)) {
      if (at >= lineEnd) {
        start = lineStartAt(text, at)
        lineEnd = lineEndAt(text, at)
      }
      if (start < from || at - start > LONGEST_START || !UNTRUSTED_START.test(text.slice(start, Math.min(lineEnd, at + 16))))
        continue
      const closed = endOf(UNTRUSTED_END, text, lineEnd)
      return closed === -1 ? undefined : { start, end: lineEndAt(text, closed) }
    }
    return undefined
  }
}

function drawerFinder(text: string): BlockFinder {
  return (from) => {
    for (let at = text.indexOf(':LOGBOOK:', from); at !== -1; at = text.indexOf(':LOGBOOK:', at + 1)) {
      const start = lineStartAt(text, at)
      if (start < from || text.slice(start, lineEndAt(text, at)).trim() !== ':LOGBOOK:') continue
      const end = endOf(DRAWER_END, text, at)
      return end === -1 ? undefined : { start, end }
    }
    return undefined
  }
}

/** A number or name (`100%%`), a quote or another sign of code before `%%`: no comment begins there. */
const BEFORE_SIGN = /[\p{Script=Latin}\p{Nd}%'"`\\=<{&$]/u
const MAX_PREFIX = 200
const WORD = /[\p{L}\p{N}_]/u
/** Text allowed before a comment that spans several lines: blanks, quotes, list markers. */
const BLOCK_START = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/

/** Finds Obsidian's comments: `%% in a line %%`, or from a line that begins with the sign to the next sign. */
function percentFinder(text: string): BlockFinder {
  return (from) => {
    for (let at = nextSign(text, from); at !== -1; ) {
      const next = nextSign(text, at + 2)
      if (next === -1) return undefined
      if (beginsComment(text, at) && endsComment(text, at, next)) return { start: at, end: next + 2 }
      at = next
    }
    return undefined
  }
}

/** Finds exactly two signs: a longer row of them is a rule. */
function nextSign(text: string, from: number): number {
  let at = text.indexOf('%%', from)
  while (at !== -1) {
    let end = at + 2
    while (text.charAt(end) === '%') end += 1
    if (end === at + 2 && text.charAt(at - 1) !== '%') return at
    at = text.indexOf('%%', end)
  }
  return -1
}

function beginsComment(text: string, at: number): boolean {
  return at === 0 || !BEFORE_SIGN.test(text.charAt(at - 1))
}

/**
 * Whether the next sign ends the comment: not where it opens another pair (`%%i in … do %%i`), and on a later line only
 * for a comment that began its own line.
 */
function endsComment(text: string, start: number, end: number): boolean {
  if (!text.slice(start, end).includes('\n')) return !(/[ \t]/.test(text.charAt(end - 1)) && WORD.test(text.charAt(end + 2)))
  const before = text.slice(Math.max(0, start - MAX_PREFIX), start)
  return BLOCK_START.test(before.slice(before.lastIndexOf('\n') + 1))
}
