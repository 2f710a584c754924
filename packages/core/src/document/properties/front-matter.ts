import { isAlias, isMap, isScalar, isSeq, type ParsedNode, parseDocument, type YAMLMap } from 'yaml'
import { plainTag } from './labels.ts'
import { cutText, squeeze } from '../markdown/plain-text.ts'

export interface FrontMatter {
  readonly title?: string
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
  readonly status?: string
  readonly summary?: string
  /** Values of `date`, `created`, `created-at`, `timestamp`, in this order. */
  readonly dates: readonly string[]
  /**
   * Every key as written with its value as text, both cut to a limit; lists are joined by `, `, and the keys of a mapping stand by themselves
   * too, as `key.name`. Stored, not scored.
   */
  readonly properties: Readonly<Record<string, string>>
}

export interface FrontMatterReading {
  readonly frontMatter?: FrontMatter
  /** Offsets of the opening fence and of the body; both 0 without front matter. */
  readonly start: number
  readonly bodyStart: number
  /** End of a block that looks like front matter but is text, so that its fences make no headings; else 0. */
  readonly rejectedEnd: number
  readonly problem?: string
}

const LIMITS = { block: 262_144, keys: 64, key: 64, value: 500, title: 200, items: 64, item: 100, summary: 1_000, depth: 4 }
const OPENING = /^(?:\uFEFF)?(?:[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)/
const FIRST_KEY =
  /^(?:[ \t]*(?:#[^\n]*|\r)?\n)*(?:\{|"[^"\n]*"\s*:|'[^'\n]*'\s*:|[^\s#:[\]{}>|*&!%@`"'-][^:\n]{0,200}:(?:[ \t\r\n]|$))/

/**
 * Reads front matter between `---` and `---` or `...` at the top of `text`; a byte order mark and blank lines may come
 * before it. A block that is not a YAML mapping, is longer than 256 KB, or is never closed, is text: nothing is hidden,
 * and where its author meant front matter, `problem` says why.
 */
export function readFrontMatter(text: string): FrontMatterReading {
  const opening = OPENING.exec(text.slice(0, 1_024))
  if (opening === null) return { start: 0, bodyStart: 0, rejectedEnd: 0 }
  const blockStart = opening[0].length
  const looksMeant = FIRST_KEY.test(text.slice(blockStart, blockStart + 1_024))
  const close = /^(?:---|\.\.\.)[ \t]*\r?$/m.exec(text.slice(blockStart, blockStart + LIMITS.block))
  if (close === null) return rejected(blockStart, looksMeant ? 'front matter is not closed within 256 KB' : undefined)
  const block = text.slice(blockStart, blockStart + close.index)
  const newline = text.indexOf('\n', blockStart + close.index)
  const bodyStart = newline === -1 ? text.length : newline + 1
  const isEmpty = !/^[ \t]*[^#\s]/m.test(block)
  if (!isEmpty && !looksMeant) return rejected(bodyStart, undefined)
  const parsed = isEmpty ? new Map<string, ParsedNode | null>() : parseMapping(block)
  if (typeof parsed === 'string') return rejected(bodyStart, parsed)
  const start = blockStart - opening[0].trimStart().length
  return { frontMatter: fieldsOf(parsed), start, bodyStart, rejectedEnd: 0 }
}

function rejected(rejectedEnd: number, reason: string | undefined): FrontMatterReading {
  const reading = { start: 0, bodyStart: 0, rejectedEnd }
  return reason === undefined ? reading : { ...reading, problem: `${reason}; it is indexed as text` }
}

/** First value of each key, or an error message that quotes nothing from the note. */
function parseMapping(block: string): ReadonlyMap<string, ParsedNode | null> | string {
  try {
    // Every scalar stays its source text: dates, versions and booleans are never typed. Aliases are not expanded.
    const document = parseDocument(block, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent', prettyErrors: false })
    const error = document.errors[0]
    if (error !== undefined) {
      const line = block.slice(0, error.pos[0]).split('\n').length + 1
      return `front matter is not valid YAML (line ${line} of the block, ${error.code.toLowerCase().replaceAll('_', ' ')})`
    }
    if (!isMap(document.contents)) return 'front matter is not a list of keys and values'
    return entriesOf(document.contents)
  } catch {
    // The nesting is deeper than the parser's stack.
    return 'front matter is nested too deeply'
  }
}

function entriesOf(mapping: YAMLMap.Parsed): ReadonlyMap<string, ParsedNode | null> {
  const entries = new Map<string, ParsedNode | null>()
  for (const { key, value } of mapping.items) {
    if (entries.size >= LIMITS.keys) break
    const name = scalarText(key)
    if (name !== undefined && !entries.has(name)) entries.set(name, value)
  }
  return entries
}

/** Text of a scalar; null, empty and anything else is undefined. */
function scalarText(node: unknown): string | undefined {
  if (!isScalar(node) || typeof node.value !== 'string') return undefined
  const text = node.value.trim()
  if (text === '' || (node.type === 'PLAIN' && /^(?:~|null)$/i.test(text))) return undefined
  return text
}

/** All scalars in a value, in order, within the limits of depth and number. */
function scalarsIn(node: ParsedNode | null, depth = 0, found: string[] = []): readonly string[] {
  if (node === null || isAlias(node) || depth > LIMITS.depth || found.length >= LIMITS.items) return found
  const text = scalarText(node)
  if (text !== undefined) found.push(text)
  else if (isSeq<ParsedNode>(node)) for (const item of node.items) scalarsIn(item, depth + 1, found)
  else if (isMap<ParsedNode, ParsedNode | null>(node)) for (const pair of node.items) scalarsIn(pair.value, depth + 1, found)
  return found
}

function fieldsOf(entries: ReadonlyMap<string, ParsedNode | null>): FrontMatter {
  const named = new Map<string, ParsedNode | null>()
  for (const [key, value] of entries) {
    const name = key
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .replaceAll(/[_ ]/g, '-')
      .toLowerCase()
    if (!named.has(name)) named.set(name, value)
  }
  const one = (name: string, limit: number) => {
    const text = scalarText(named.get(name))
    return text === undefined ? undefined : cutText(squeeze(text), limit)
  }
  const title = one('title', LIMITS.title)
  const status = one('status', LIMITS.item)
  const summary = one('summary', LIMITS.summary)
  const dates = ['date', 'created', 'created-at', 'timestamp'].map((name) => one(name, LIMITS.item))
  return {
    ...(title !== undefined && { title }),
    aliases: listOf([named.get('aliases'), named.get('alias')], /[,\n]/),
    tags: listOf([named.get('tags'), named.get('tag')], /[,，、\s]+/)
      .map(plainTag)
      .filter((tag) => tag !== ''),
    ...(status !== undefined && { status }),
    ...(summary !== undefined && { summary }),
    dates: dates.filter((date) => date !== undefined),
    properties: propertiesOf(entries),
  }
}

/** Items of a list, or of a string that holds one. */
function listOf(nodes: readonly (ParsedNode | null | undefined)[], separator: RegExp): readonly string[] {
  const items = new Set<string>()
  for (const node of nodes) {
    const parts = isSeq<ParsedNode>(node) ? scalarsIn(node) : ((scalarText(node) ?? tagsInComment(node))?.split(separator) ?? [])
    for (const part of parts) {
      const item = cutText(squeeze(part), LIMITS.item)
      if (item !== '' && items.size < LIMITS.items) items.add(item)
    }
  }
  return [...items]
}

/** YAML reads `tags: #a, #b` without quotes as a comment; its author meant a list of tags. */
function tagsInComment(node: ParsedNode | null | undefined): string | undefined {
  const comment = isScalar(node) ? node.comment : undefined
  if (typeof comment !== 'string' || !/^[^\s#]/.test(comment)) return undefined
  return comment.split(/[,\s]+/).every((word, at) => at === 0 || word.startsWith('#')) ? comment : undefined
}

function propertiesOf(entries: ReadonlyMap<string, ParsedNode | null>): Readonly<Record<string, string>> {
  const properties: [string, string][] = []
  const add = (key: string, node: ParsedNode | null): void => {
    const value = cutText(squeeze(scalarsIn(node).join(', ')), LIMITS.value)
    if (value !== '' && properties.length < LIMITS.keys) properties.push([cutText(key, LIMITS.key), value])
  }
  for (const [key, node] of entries) {
    add(key, node)
    if (isMap<ParsedNode, ParsedNode | null>(node))
      for (const [name, value] of entriesOf(node as YAMLMap.Parsed)) add(`${key}.${name}`, value)
  }
  return Object.fromEntries(properties)
}
