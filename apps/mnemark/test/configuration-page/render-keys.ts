import { knownKeys } from '../../src/config/schema/schema.ts'
import type { KeyTree } from '../../src/config/schema/key-tree.ts'
import type { KeyTrust } from '../../src/config/schema/schema-values.ts'

interface Row {
  readonly key: string
  readonly allowed: string
  readonly tree: KeyTree
  readonly trust: KeyTrust | undefined
}

/** When a key of a workspace's own file needs trust. */
const CLASSES: Readonly<Record<KeyTrust['class'], string>> = { finding: '', trusted: 'yes', inside: 'outside the folder' }

/** Each with the place its keys stand at, and what it says first. */
const SECTIONS: readonly (readonly [title: string, path: readonly string[], words: string])[] = [
  ['The file', [], 'Where a key has `*`, any name may stand.'],
  [
    'Keys of `memorySearch`',
    ['agents', 'defaults', 'memorySearch'],
    'In `agents.defaults.memorySearch`, in `memorySearch` of one agent, or in `memory.search`.',
  ],
]

/** Where all keys of `memorySearch` may stand; they have a section of their own. */
const isMemorySearch = (path: readonly string[]): boolean => path.at(-1) === 'memorySearch' || path.join('.') === 'memory.search'

/** The reference of every key, in Markdown, from what the schema says about it. */
export function renderKeys(): string {
  return SECTIONS.map(([title, path, words]) =>
    [`### ${title}`, '', words, '', ...table(rowsOf(at(knownKeys(), path), []))].join('\n'),
  ).join('\n\n')
}

function at(tree: KeyTree, path: readonly string[]): KeyTree {
  const [name, ...rest] = path
  if (name === undefined) return tree
  const child = tree.kind === 'object' ? tree.keys.get(name) : undefined
  if (child === undefined) throw new Error(`the schema has no ${path.join('.')}`)
  return at(child, rest)
}

/** A row for each key with something said about it; what has no effect says it for all that stands below. */
function rowsOf(tree: KeyTree, path: readonly string[], above?: KeyTrust): readonly Row[] {
  if (tree.info?.isForeign === true) return []
  const trust = tree.trust ?? above
  const row = { key: path.join('.'), allowed: tree.allowed, tree, trust }
  if (isMemorySearch(path)) return [{ ...row, tree: { ...tree, info: tree.info ?? { means: 'the keys below' } } }]
  const own = tree.info === undefined ? [] : [row]
  return tree.info?.isUnused === true ? own : [...own, ...rowsBelow(tree, path, trust)]
}

function rowsBelow(tree: KeyTree, path: readonly string[], trust: KeyTrust | undefined): readonly Row[] {
  const listed = [...path.slice(0, -1), `${path.at(-1)}[]`]
  switch (tree.kind) {
    case 'value':
      return []
    case 'either':
      return tree.forms.flatMap((form) => (form.kind === 'list' ? rowsBelow(form, path, trust) : []))
    case 'list':
      return tree.item.kind === 'either'
        ? tree.item.forms.flatMap((form) => rowsBelow(form, listed, trust))
        : rowsBelow(tree.item, listed, trust)
    case 'record':
      return rowsOf(tree.value, [...path, '*'], trust)
    case 'object':
      return [...tree.keys].flatMap(([name, child]) => rowsOf(child, [...path, name], trust))
  }
}

function table(rows: readonly Row[]): readonly string[] {
  const line = ({ key, allowed, tree, trust }: Row): string => {
    const { means, default: usual = '', isUnused } = tree.info ?? { means: '' }
    const said = isUnused === true ? `${means} (no effect yet)` : means
    return `| ${[`\`${key}\``, cell(allowed), usual, needsTrust(trust), said].join(' | ')} |`
  }
  return ['| key | allowed | default | trust | means |', '| --- | --- | --- | --- | --- |', ...rows.map(line)]
}

function needsTrust(trust: KeyTrust | undefined): string {
  if (trust === undefined) return ''
  const harmless = trust.harmless?.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  return harmless === undefined ? CLASSES[trust.class] : `${CLASSES[trust.class]}, but ${harmless}`
}

/** Names and values of a message as code, and no column border within a cell. */
function cell(words: string): string {
  return words.replaceAll('|', '\\|').replace(/"[^"]*"/g, (value) => `\`${value}\``)
}
