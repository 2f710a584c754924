import { entityKey } from '@mnemark/core/document'
import {
  type Item,
  nextLine,
  readBlock,
  splice,
  UnreadableFrontMatter,
  type Value,
  withEntry,
  withoutEntry,
  yamlText,
} from './page-keys.ts'

const ALIASES = ['aliases', 'alias']

/**
 * Ways to add names to the aliases of a page, the best first; no other byte changes. A list gains items; where there is none, a list of
 * its own is made, in front matter of its own where the page has none.
 */
export function withAliases(text: string, names: readonly string[]): UnreadableFrontMatter | readonly string[] {
  const block = readBlock(text)
  if (block instanceof UnreadableFrontMatter) return block
  const entries = ALIASES.map((name) => ({ name, entry: block?.entries.find((one) => one.name === name) }))
  const grown = entries.flatMap(({ entry }) => {
    const added = entry === undefined ? undefined : grownList(text, entry.value, { names, indent: entry.indent })
    return added === undefined ? [] : [added]
  })
  const made = entries.flatMap(({ name, entry }) => {
    const lines = names.map((alias) => `  - ${yamlText(alias)}`)
    return entry === undefined ? [withEntry(text, block, [name, '', ...lines])] : []
  })
  return [...grown, ...made]
}

interface Growing {
  readonly names: readonly string[]
  readonly indent: string
}

function grownList(text: string, value: Value, { names, indent }: Growing): string | undefined {
  if (value.form === 'flow') {
    const last = value.items.at(-1)
    const items = names.map(yamlText).join(', ')
    return last === undefined
      ? splice(text, [value.start + 1, value.start + 1], items)
      : splice(text, [last.end, last.end], `, ${items}`)
  }
  const last = value.form === 'lines' ? value.items.at(-1) : undefined
  if (value.form !== 'empty' && last === undefined) return undefined
  // Items of a list that the merge begins stand right below their key: so `withoutAliases` knows that the key was there before.
  const dash = last === undefined ? indent : indentOf(text, last)
  const at = nextLine(text, last?.end ?? value.end)
  const lineEnd = text.slice(0, at).endsWith('\r\n') ? '\r\n' : '\n'
  return splice(text, [at, at], names.map((name) => `${dash}- ${yamlText(name)}${lineEnd}`).join(''))
}

/** The blanks before the dash of an item. */
function indentOf(text: string, item: Item): string {
  const dash = dashOf(text, item)
  return text.slice(text.lastIndexOf('\n', dash) + 1, dash)
}

function dashOf(text: string, item: Item): number {
  return text.lastIndexOf('-', item.start - 1)
}

/** The page without the aliases of these keys; the same text where it has none of them. Undoes `withAliases` to the byte. */
export function withoutAliases(text: string, keys: ReadonlySet<string>): UnreadableFrontMatter | string {
  let left = text
  // Each round takes one alias away, and there are no more than 64.
  for (let round = 0; round < 200; round += 1) {
    const next = withoutOne(left, keys)
    if (typeof next !== 'string' || next === left) return next
    left = next
  }
  return left
}

function withoutOne(text: string, keys: ReadonlySet<string>): UnreadableFrontMatter | string {
  const block = readBlock(text)
  if (block instanceof UnreadableFrontMatter) return block
  for (const entry of block?.entries ?? []) {
    const { value } = entry
    if (!ALIASES.includes(entry.name)) continue
    if (value.form === 'text') {
      const left = withoutPart(text, value, keys)
      if (left !== undefined) return left
    }
    if (value.form !== 'flow' && value.form !== 'lines') continue
    const at = value.items.findIndex((item) => keys.has(entityKey(item.text)))
    const item = value.items[at]
    if (item === undefined) continue
    if (value.form === 'flow') return splice(text, flowRange(text, value.items, at))
    const lines = [text.lastIndexOf('\n', dashOf(text, item)) + 1, nextLine(text, item.end)] as const
    const isLast = value.items.length === 1
    const isOwnList = isLast && dashOf(text, item) - lines[0] > entry.indent.length && nextLine(text, entry.line + 1) === lines[0]
    return isOwnList ? withoutEntry(text, entry, lines[1]) : splice(text, lines)
  }
  return text
}

/** An item of a list in brackets with the comma that parts it from the one before, of the first with the one behind. */
function flowRange(text: string, items: readonly Item[], at: number): readonly [number, number] {
  const [before, item, after] = [items[at - 1], items[at], items[at + 1]]
  if (item === undefined) return [0, 0]
  if (before !== undefined) return [before.end, item.end]
  if (after !== undefined) return [item.start, after.start]
  return [item.start, item.end + (/^\s*,/.exec(text.slice(item.end))?.[0].length ?? 0)]
}

/** `aliases: Mara, M.` without one of its names. */
function withoutPart(text: string, value: Extract<Value, { form: 'text' }>, keys: ReadonlySet<string>): string | undefined {
  const quote = value.isQuoted ? 1 : 0
  const [start, end] = [value.start + quote, value.end - quote]
  const parts = text.slice(start, end).split(',')
  const at = parts.findIndex((part) => keys.has(entityKey(part)))
  if (at === -1) return undefined
  if (parts.length === 1) return splice(text, [value.start, value.end])
  const left = parts.filter((_, index) => index !== at).join(',')
  return splice(text, [start, end], left.trimStart())
}

/** The page as a stub that leads to the entity of this name; its text stays. */
export function withRedirect(text: string, name: string): UnreadableFrontMatter | string {
  const block = readBlock(text)
  return block instanceof UnreadableFrontMatter ? block : withEntry(text, block, ['redirect', ` ${yamlText(name)}`])
}

/** Undoes `withRedirect` to the byte. */
export function withoutRedirect(text: string): UnreadableFrontMatter | string {
  const block = readBlock(text)
  if (block instanceof UnreadableFrontMatter) return block
  const entry = block?.entries.find(({ name }) => name === 'redirect')
  return entry === undefined ? text : withoutEntry(text, entry, nextLine(text, entry.value.end))
}
