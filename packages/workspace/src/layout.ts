import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemReason } from './problems.ts'

/** How a workspace folder is read; see the package's README for the rules. */
export interface Layout {
  readonly kind: 'memory' | 'plain'
  /** The long-term file that counts, null when there is none yet. */
  readonly curated: 'MEMORY.md' | 'memory.md' | null
  /** Name of the folder of daily logs as it is on disk; `memory` when there is none yet. */
  readonly memoryFolder: string
  readonly bankFolder: string
  readonly warnings: readonly string[]
  /** Parts that could not be looked at: a listing that meets one must not prune. */
  readonly failures: readonly string[]
}

/**
 * Reads the names in the workspace folder, nothing below it. A folder that cannot be listed is an empty plain one with a
 * failure.
 */
export function readLayout(folder: string): Layout {
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const failures = [`the workspace folder cannot be listed: ${systemReason(error)}`]
    return { kind: 'plain', curated: null, memoryFolder: 'memory', bankFolder: 'bank', warnings: [], failures }
  }
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  const isFolder = (name: string): boolean => byName.get(name)?.isDirectory() ?? false
  const isFile = (name: string): boolean => byName.get(name)?.isFile() ?? false
  const isMemory = isFile('MEMORY.md') || isFolder('memory')
  const memoryFolder = chooseFolder('memory', entries)
  const bankFolder = chooseFolder('bank', entries)
  const hasBoth = isFile('MEMORY.md') && isFile('memory.md')
  return {
    kind: isMemory ? 'memory' : 'plain',
    curated: isFile('MEMORY.md') ? 'MEMORY.md' : isFile('memory.md') ? 'memory.md' : null,
    memoryFolder: memoryFolder.name,
    bankFolder: bankFolder.name,
    warnings: [
      ...(hasBoth && !isSameFile(join(folder, 'MEMORY.md'), join(folder, 'memory.md'))
        ? ['MEMORY.md and memory.md are two files: MEMORY.md is used, memory.md is not read. Merge them.']
        : []),
      ...(isMemory ? [...memoryFolder.warnings, ...bankFolder.warnings] : []),
      ...['MEMORY.md', 'SOUL.md', 'USER.md', 'memory', 'bank']
        .filter((name) => byName.get(name)?.isSymbolicLink())
        .map((name) => `${name} is a link and is not followed. To search what it points to, add it to extraPaths.`),
    ],
    // A file in the place of a folder says nothing about the notes that were in the folder.
    failures: ['memory', ...(isMemory ? ['bank'] : [])].filter(isFile).map((name) => `${name} is a file, not a folder`),
  }
}

/** The exact name where it exists, else the first folder that differs from it in case only. */
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

function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [lstatSync(one, { bigint: true }), lstatSync(other, { bigint: true })]
    return a.ino !== 0n && a.ino === b.ino && a.dev === b.dev
  } catch {
    return false
  }
}

/** Whether the layout reads a path. The long-term file may be absent; asking for it is not an error. */
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
