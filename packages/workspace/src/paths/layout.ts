import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasOtherNotes } from './agent-files.ts'
import { noteOfPlaceholder } from './icloud.ts'
import type { IgnoreRule } from './indexable.ts'

/** How a workspace folder is read; the package's README has the rules. */
export interface Layout {
  readonly kind: 'memory' | 'plain'
  /** The long-term file in use; null if there is none yet. */
  readonly curated: 'MEMORY.md' | 'memory.md' | null
  /** Name of the folder of daily logs as it is on disk; `memory` when there is none yet. */
  readonly memoryFolder: string
  readonly hasMemoryFolder: boolean
  readonly bankFolder: string
  readonly warnings: readonly string[]
  /** Parts that could not be read: a listing that meets one must not prune. */
  readonly failures: readonly string[]
}

/** The layout assumed for a workspace folder that cannot be read. */
export const UNKNOWN_LAYOUT: Layout = {
  kind: 'plain',
  curated: null,
  memoryFolder: 'memory',
  hasMemoryFolder: false,
  bankFolder: 'bank',
  warnings: [],
  failures: [],
}

/**
 * Reads the names in the workspace folder. Below it, it looks only where `memory/` stands without a long-term file: whether any other note
 * makes it a plain folder. Throws the system's error where the folder cannot be listed.
 */
export function readLayout(folder: string, rules: ReadonlySet<IgnoreRule>): Layout {
  const entries = readdirSync(folder, { withFileTypes: true })
  const files = new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name))
  // A note in iCloud that is not downloaded exists as well.
  const curatedNames = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => noteOfPlaceholder(name) ?? name)
  const hasMemory = entries.some(({ name }) => name === 'memory')
  // A note about memory may be called memory.md: alone it makes no layout.
  const isMemory =
    curatedNames.includes('MEMORY.md') || (hasMemory && (curatedNames.includes('memory.md') || !hasOtherNotes(folder, rules)))
  const memoryFolder = chooseFolder('memory', entries)
  const bankFolder = chooseFolder('bank', entries)
  const hasBoth = files.has('MEMORY.md') && files.has('memory.md')
  const hasTwo = hasBoth && !isSameFile(join(folder, 'MEMORY.md'), join(folder, 'memory.md'))
  return {
    kind: isMemory ? 'memory' : 'plain',
    curated: files.has('MEMORY.md') ? 'MEMORY.md' : files.has('memory.md') ? 'memory.md' : null,
    memoryFolder: memoryFolder.name,
    hasMemoryFolder: entries.some((entry) => entry.isDirectory() && entry.name === memoryFolder.name),
    bankFolder: bankFolder.name,
    warnings: [
      ...(hasTwo ? ['MEMORY.md and memory.md are two files: MEMORY.md is used, memory.md is not read. Merge them.'] : []),
      ...(isMemory ? [...memoryFolder.warnings, ...bankFolder.warnings, ...spellingWarnings(folder, [...files])] : []),
      ...linkWarnings(entries),
    ],
    // A file in the place of a folder says nothing about the notes in that folder.
    failures: [
      ...['memory', ...(isMemory ? ['bank'] : [])]
        .filter((name) => files.has(name))
        .map((name) => `${name} is a file, not a folder`),
      ...entries.filter((entry) => isDangling(folder, entry)).map(({ name }) => `${name} is a link to nothing`),
    ],
  }
}

const LAYOUT_FILES: readonly string[] = ['MEMORY.md', 'SOUL.md', 'USER.md']
const LAYOUT_NAMES: ReadonlySet<string> = new Set([...LAYOUT_FILES, 'memory', 'bank'])

/** True for a part of the layout that links to a place that is missing now, such as a disk that is not mounted. */
function isDangling(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink() || !LAYOUT_NAMES.has(entry.name)) return false
  try {
    statSync(join(folder, entry.name))
    return false
  } catch {
    return true
  }
}

function linkWarnings(entries: readonly Dirent[]): readonly string[] {
  return entries
    .filter((entry) => entry.isSymbolicLink() && LAYOUT_NAMES.has(entry.name))
    .map(({ name }) => `${name} is a link and is not followed. To search what it points to, add it to extraPaths.`)
}

/** The exact name if it exists, else the first folder that differs from it only in case. */
function chooseFolder(name: string, entries: readonly Dirent[]): { readonly name: string; readonly warnings: readonly string[] } {
  const spellings = entries
    .filter((entry) => entry.isDirectory() && entry.name.toLowerCase() === name)
    .map((entry) => entry.name)
    .sort()
  const chosen = spellings.includes(name) ? name : (spellings[0] ?? name)
  const others = spellings.filter((spelling) => spelling !== chosen)
  return {
    name: chosen,
    warnings: [
      ...(chosen === name ? [] : [`${chosen}/ is used as ${name}/.`]),
      ...others.map((other) => `${other}/ is not read because ${chosen}/ exists. Merge them.`),
    ],
  }
}

/** Files that would belong to the layout but for their case. They are not read, so a warning names them. */
function spellingWarnings(folder: string, files: readonly string[]): readonly string[] {
  return LAYOUT_FILES.flatMap((name) =>
    files
      .filter((file) => file !== name && file !== 'memory.md' && file.toLowerCase() === name.toLowerCase())
      .filter((file) => !isSameFile(join(folder, file), join(folder, name)))
      .map((file) => `${file} is not read: the name is ${name}. Rename it, or merge the two.`),
  )
}

function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [lstatSync(one, { bigint: true }), lstatSync(other, { bigint: true })]
    return a.ino !== 0n && a.ino === b.ino && a.dev === b.dev
  } catch {
    return false
  }
}

/** True if the layout includes a path. The long-term file may be absent; asking for it is no error. */
export function layoutSelects(layout: Layout, path: string): boolean {
  if (layout.kind === 'plain') return true
  if (path === 'MEMORY.md' || path === 'SOUL.md' || path === 'USER.md') return true
  if (path === 'memory.md') return layout.curated !== 'MEMORY.md'
  return path.startsWith(`${layout.memoryFolder}/`) || path.startsWith(`${layout.bankFolder}/`)
}

export function layoutMayEnter(layout: Layout, folder: string): boolean {
  if (layout.kind === 'plain') return true
  const top = folder.split('/', 1)[0]
  return top === layout.memoryFolder || top === layout.bankFolder
}
