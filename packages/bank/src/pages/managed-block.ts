import { parseDocument } from '@mnemark/core/document'
import { sha256 } from '@mnemark/spec'
import { markerLines } from '../retain/managed-lines.ts'

/**
 * Why a page is left alone. `unclosed`, `unopened`: one of the two markers is missing. `nested`, `several`: more than one block. `conflict`:
 * version control left its marks in the page. `newer-version`: a later version of the bank wrote the block. `no-place`: something above the
 * end of the page, such as a fence or a comment, is not closed, so that a block there would not be read as one.
 */
export type BlockDamage = 'unclosed' | 'unopened' | 'nested' | 'several' | 'conflict' | 'newer-version' | 'no-place'

export interface ManagedBlock {
  readonly state: 'whole'
  /** Offsets in the page of the first marker and behind the last one. */
  readonly start: number
  readonly end: number
  /** Lines of the two markers, from 1. */
  readonly startLine: number
  readonly endLine: number
  /** The lines between the markers, joined by `\n`, without a line end behind the last. */
  readonly body: string
  /** `name=value` of both markers. */
  readonly attributes: Readonly<Record<string, string>>
  /** True where the body is not the one that was written: a person's text stands in it. */
  readonly isEdited: boolean
}

export interface DamagedBlock {
  readonly state: 'damaged'
  readonly why: BlockDamage
  /** Lines, from 1, where it can be seen. */
  readonly lines: readonly number[]
}

export type BlockReading = ManagedBlock | DamagedBlock | { readonly state: 'none' }

export interface BlockOptions {
  /** True on the page of opinions: another number in `O(c=0.91)` is a person's answer and no edit of the block. */
  readonly ignoresNumbers?: boolean | undefined
}

const VERSION = 1
const ATTRIBUTE = /([a-z]{1,20})=([^\s>]{1,200000})/g
const CONFLICT = /^(?:<{7}|>{7})(?:[ \t]|$)/
const NUMBER = /^([ \t]*[-*+][ \t]+O)[ \t]*\([^()\n]{0,40}\)/gmu

/** Finds the managed block of a page. Nothing is guessed: whatever is not exactly one block is named. */
export function readBlock(page: string, options: BlockOptions = {}): BlockReading {
  const shift = page.startsWith('\uFEFF') ? 1 : 0
  const text = page.slice(shift)
  const { outline } = parseDocument({ source: 'memory', path: 'page.md' }, { text })
  const { starts, ends, kinds } = outline
  const lineAt = (line: number): string => text.slice(starts[line], ends[line])
  const conflicts = starts.flatMap((_, line) => (kinds[line] !== 'fence' && CONFLICT.test(lineAt(line)) ? [line + 1] : []))
  if (conflicts.length > 0) return { state: 'damaged', why: 'conflict', lines: conflicts }
  const markers = markerLines(text, outline)
  const [first, last] = markers
  if (first === undefined) return { state: 'none' }
  const isOne = markers.length === 2 && first.isStart && last?.isStart === false
  if (!isOne || last === undefined) {
    return { state: 'damaged', why: damageOf(markers), lines: markers.map(({ line }) => line + 1) }
  }
  const attributes = { ...attributesOf(lineAt(last.line)), ...attributesOf(lineAt(first.line)) }
  if (Number(attributes['v'] ?? VERSION) > VERSION) return { state: 'damaged', why: 'newer-version', lines: [first.line + 1] }
  const lines = starts.slice(first.line + 1, last.line).map((_, at) => lineAt(first.line + 1 + at))
  const body = lines.join('\n')
  return {
    state: 'whole',
    start: (starts[first.line] ?? 0) + shift,
    end: (ends[last.line] ?? 0) + shift,
    startLine: first.line + 1,
    endLine: last.line + 1,
    body,
    attributes,
    isEdited: attributes['hash'] !== hashOf(body, attributes, options),
  }
}

function attributesOf(marker: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...marker.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]))
}

function damageOf(markers: ReturnType<typeof markerLines>): BlockDamage {
  let depth = 0
  let isNested = false
  for (const { isStart } of markers) {
    depth += isStart ? 1 : -1
    if (depth < 0) return 'unopened'
    if (depth > 1) isNested = true
  }
  if (depth > 0) return isNested ? 'nested' : 'unclosed'
  return isNested ? 'nested' : 'several'
}

/** A text with an empty number in every `O(c=0.91)`. */
export function withoutNumbers(text: string): string {
  return text.replace(NUMBER, '$1()')
}

/** Line ends do not count, since version control changes them; the other attributes do. */
function hashOf(body: string, attributes: Readonly<Record<string, string>>, { ignoresNumbers }: BlockOptions): string {
  const counted = ignoresNumbers === true ? withoutNumbers(body) : body
  const { hash: _hash, v: _version, ...others } = attributes
  return sha256(JSON.stringify([counted, Object.entries(others).toSorted()])).slice(0, 12)
}

export interface BlockToWrite extends BlockOptions {
  /** Lines joined by `\n`; none may be a marker. */
  readonly body: string
  /** For the first marker, beside version and hash: names of small letters, values without blanks and `>`. */
  readonly attributes?: Readonly<Record<string, string>> | undefined
  /** The same for the last marker, where long ones disturb nobody. */
  readonly closing?: Readonly<Record<string, string>> | undefined
}

/**
 * The page with this block in place of its own, or at its end behind one blank line. Every byte outside stays; an edited or damaged block is
 * not replaced, unless `overEdits` says that its edits are kept elsewhere.
 */
export function writeBlock(
  page: string,
  block: BlockToWrite,
  overEdits = false,
): { readonly page: string } | DamagedBlock | (ManagedBlock & { readonly isEdited: true }) {
  const found = readBlock(page, block)
  if (found.state === 'damaged') return found
  if (found.state === 'whole' && found.isEdited && !overEdits) return { ...found, isEdited: true }
  const place = found.state === 'whole' ? placeOf(page, found) : endOf(page)
  const written =
    page.slice(0, place.start) + place.before + blockText(block, place.lineEnd) + place.after + page.slice(place.end)
  return isWritten(written, block) ? { page: written } : { state: 'damaged', why: 'no-place', lines: [linesOf(page)] }
}

interface Place {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
  readonly lineEnd: string
}

function placeOf(page: string, { start, end }: ManagedBlock): Place {
  const next = page.indexOf('\n', start)
  return { start, end, before: '', after: '', lineEnd: page[next - 1] === '\r' ? '\r\n' : '\n' }
}

function endOf(page: string): Place {
  const lineEnd = page.slice(0, page.lastIndexOf('\n') + 1).endsWith('\r\n') ? '\r\n' : '\n'
  const isEmpty = page === '' || page === '\uFEFF'
  const open = isEmpty || page.endsWith('\n') ? '' : lineEnd
  const blank = isEmpty || /\n[ \t]*\r?\n$/.test(page) || /^\uFEFF?[ \t]*\r?\n$/.test(page) ? '' : lineEnd
  return { start: page.length, end: page.length, before: open + blank, after: lineEnd, lineEnd }
}

function blockText({ body, attributes = {}, closing = {}, ...options }: BlockToWrite, lineEnd: string): string {
  const listed = (pairs: Readonly<Record<string, string>>): string =>
    Object.entries(pairs)
      .map(([name, value]) => ` ${name}=${value}`)
      .join('')
  const hash = hashOf(body, { ...attributes, ...closing }, options)
  const first = `<!-- mnemark:bank:start v=${VERSION} hash=${hash}${listed(attributes)} -->`
  return [first, ...(body === '' ? [] : body.split('\n')), `<!-- mnemark:bank:end${listed(closing)} -->`].join(lineEnd)
}

function isWritten(page: string, block: BlockToWrite): boolean {
  const read = readBlock(page, block)
  return read.state === 'whole' && !read.isEdited && read.body === block.body
}

function linesOf(page: string): number {
  return page.split('\n').length
}
