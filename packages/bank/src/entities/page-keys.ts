import { parseDocument as parseNote } from '@mnemark/core/document'
import { isMap, isScalar, isSeq, parseDocument, type ParsedNode, type YAMLSeq } from 'yaml'

/** The lines between the fences at the top of a page; offsets are those of the page. */
interface Block {
  readonly start: number
  readonly end: number
  readonly lineEnd: string
  readonly entries: readonly Entry[]
}

/** One key of it. Offsets are those of the page. */
interface Entry {
  /** As core compares keys: `createdAt`, `created_at` and `Created at` are `created-at`. */
  readonly name: string
  /** Begin of the line, with its blanks. */
  readonly line: number
  readonly indent: string
  readonly isQuoted: boolean
  readonly value: Value
}

/** The value behind a key, as far as it can be edited. `empty`: nothing. `other`: a mapping, an alias, a text of several lines. */
export type Value =
  | { readonly form: 'empty' | 'other'; readonly end: number }
  | { readonly form: 'text'; readonly start: number; readonly end: number; readonly isQuoted: boolean; readonly text: string }
  | { readonly form: 'flow' | 'lines'; readonly start: number; readonly end: number; readonly items: readonly Item[] }

export interface Item {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Why the front matter of a page cannot be edited; quotes nothing of it. */
export class UnreadableFrontMatter {
  readonly problem: string

  constructor(problem: string) {
    this.problem = problem
  }
}

const OPENING = /^(?:\uFEFF)?(?:[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)/
const CLOSING = /^(?:---|\.\.\.)[ \t]*\r?$/m

/** The front matter of a page; null where it has none. */
export function readBlock(text: string): Block | UnreadableFrontMatter | null {
  const { bodyStart, problem } = parseNote({ source: 'memory', path: 'bank/entities/page.md' }, { text })
  if (problem !== undefined) return new UnreadableFrontMatter(problem.replace(/;.*$/s, ''))
  const start = OPENING.exec(text)?.[0].length
  if (bodyStart === 0 || start === undefined) return null
  const end = start + (CLOSING.exec(text.slice(start, bodyStart))?.index ?? 0)
  const document = parseDocument(text.slice(start, end), {
    schema: 'failsafe',
    uniqueKeys: false,
    logLevel: 'silent',
    prettyErrors: false,
  })
  const { contents } = document
  if (contents === null) return { start, end, lineEnd: lineEndOf(text), entries: [] }
  if (!isMap<ParsedNode, ParsedNode | null>(contents) || contents.flow === true)
    return new UnreadableFrontMatter('front matter in braces has no lines of its own to add to')
  const entries = contents.items.map(({ key, value }): Entry => {
    const at = start + key.range[0]
    const line = text.lastIndexOf('\n', at - 1) + 1
    return {
      name: nameOf(key),
      line,
      indent: text.slice(line, at),
      isQuoted: text[at] === '"',
      value: valueOf(text, start, { key, value }),
    }
  })
  return { start, end, lineEnd: lineEndOf(text), entries }
}

function nameOf(key: ParsedNode): string {
  const text = isScalar(key) && typeof key.value === 'string' ? key.value.trim() : ''
  return text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/[_ ]/g, '-')
    .toLowerCase()
}

function valueOf(
  text: string,
  base: number,
  { key, value }: { readonly key: ParsedNode; readonly value: ParsedNode | null },
): Value {
  const colon = text.indexOf(':', base + key.range[1]) + 1
  if (value === null) return { form: 'empty', end: colon }
  const [start, end] = [base + value.range[0], base + value.range[1]]
  if (isSeq<ParsedNode>(value)) {
    const items = value.items.map((item) => itemOf(item, base))
    return { form: (value as YAMLSeq).flow === true ? 'flow' : 'lines', start, end, items }
  }
  if (!isScalar(value) || typeof value.value !== 'string') return { form: 'other', end }
  if (value.value === '' && start === end) return { form: 'empty', end: colon }
  if (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED') return { form: 'other', end }
  return { form: 'text', start, end, isQuoted: value.type !== 'PLAIN', text: value.value }
}

function itemOf(item: ParsedNode, base: number): Item {
  const text = isScalar(item) && typeof item.value === 'string' ? item.value : ''
  return { start: base + item.range[0], end: base + item.range[1], text }
}

/** The line end of the first line, a line feed where there is none. */
export function lineEndOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n'
}

/** Begin of the line behind the one that holds what ends here. */
export function nextLine(text: string, end: number): number {
  if (end > 0 && text[end - 1] === '\n') return end
  const at = text.indexOf('\n', end)
  return at === -1 ? text.length : at + 1
}

/** Puts a text in the place of a part. */
export function splice(text: string, [start, end]: readonly [number, number], put = ''): string {
  return text.slice(0, start) + put + text.slice(end)
}

/**
 * Adds a key with its value at the end of the front matter, which is made where there is none. In an empty one the key is quoted, by which
 * `withoutEntry` knows that the fences were there before.
 */
export function withEntry(text: string, block: Block | null, [key, ...value]: readonly [string, ...string[]]): string {
  const [first = '', ...lines] = value
  if (block === null) {
    const start = text.startsWith('\uFEFF') ? 1 : 0
    return splice(text, [start, start], ['---', `${key}:${first}`, ...lines, '---', ''].join(lineEndOf(text)))
  }
  const { entries, lineEnd } = block
  const isQuoted = block.start === block.end || (entries.length > 0 && entries.every((entry) => entry.isQuoted))
  const indent = entries[0]?.indent ?? ''
  const added = [`${isQuoted ? JSON.stringify(key) : key}:${first}`, ...lines]
  return splice(text, [block.end, block.end], added.map((line) => indent + line + lineEnd).join(''))
}

/** Takes the lines of a key away up to `end`, and with the last key the fences, unless they were there before. */
export function withoutEntry(text: string, { line, isQuoted }: Entry, end: number): string {
  const left = splice(text, [line, end])
  if (isQuoted) return left
  const emptied = /^(\uFEFF?)---(\r?\n)---\2/.exec(left)
  return emptied === null ? left : (emptied[1] ?? '') + left.slice(emptied[0].length)
}

/** A name as a plain or quoted scalar that every reader of YAML takes for that text. */
export function yamlText(name: string): string {
  const isPlain =
    /^[\p{L}][\p{L}\p{M}\p{N}\u200c .'’_-]*$/u.test(name) && !/ $|^(?:y|n|yes|no|on|off|true|false|null|nan)$/iu.test(name)
  return isPlain ? name : JSON.stringify(name.toWellFormed()).replaceAll(UNSEEN, escaped)
}

/** Marks of direction and the like, which nobody would see in the file; joiners belong to their letters. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu

function escaped(sign: string): string {
  const code = (sign.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}
