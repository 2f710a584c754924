import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import picomatch from 'picomatch'
import type { QmdCollection } from './qmd-collection.ts'

/** The files QMD would index, by collection and path, each with its size and time of last change. */
export interface Listing {
  readonly files: ReadonlyMap<string, string>
  /** Collections whose folder cannot be listed. */
  readonly missing: readonly string[]
}
export interface ListingDifference {
  /** Number of new or changed files. */
  readonly changed: number
  readonly removed: number
}

/** Folders QMD never enters. */
const IGNORED: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache', 'vendor', 'dist', 'build'])

/** Lists by QMD's own rules: no hidden names, no links, no dependencies or build results. */
export async function listFiles(collections: readonly QmdCollection[], signal?: AbortSignal): Promise<Listing> {
  const files = new Map<string, string>()
  const missing: string[] = []
  for (const { name, folder, pattern, isOptional } of collections) {
    const matches = picomatch(pattern)
    try {
      for await (const path of walk(folder, signal)) {
        if (!matches(path)) continue
        const stats = await lstat(join(folder, path)).catch(() => null)
        if (stats !== null) files.set(`${name}/${path}`, `${stats.size}:${stats.mtimeMs}`)
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code !== 'ENOENT' || isOptional !== true) missing.push(name)
    }
  }
  return { files, missing }
}

async function* walk(root: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    signal?.throwIfAborted()
    for (const entry of await entriesOf(root, folder)) {
      if (entry.name.startsWith('.')) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) yield path
      else if (entry.isDirectory() && !IGNORED.has(entry.name)) pending.push(path)
    }
  }
}

/** A folder that disappears during the listing is gone; for the root this is not certain. */
async function entriesOf(root: string, folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true })
  } catch (error) {
    if (folder === '') throw error
    return []
  }
}

export function compareListings(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): ListingDifference {
  const changed = [...now].filter(([path, stamp]) => before.get(path) !== stamp).length
  const removed = [...before.keys()].filter((path) => !now.has(path)).length
  return { changed, removed }
}
