import type { Stats } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { DocumentId } from '@mnemark/spec'
import { isMarkdownName, judgeFile, judgeFolder } from '../paths/indexable.ts'
import type { Root } from '../paths/root.ts'
import { folderVerdict, type ScanSettings, SOURCE_ID } from '../listing/scan.ts'
import type { RootsSnapshot } from '../listing/roots-snapshot.ts'
import type { WatchTarget } from './system-watcher.ts'

/**
 * The paths to watch for a snapshot: folders the scan would not enter are not watched, files it would not read are not reported.
 */
export function watchTarget(snapshot: RootsSnapshot, settings: ScanSettings): WatchTarget {
  const paths = new Set(snapshot.roots.flatMap(watchedPaths))
  return {
    paths: [...paths],
    isIgnored: (path, stats) => !paths.has(path) && !snapshot.roots.some((root) => isWanted(root, path, { settings, stats })),
  }
}

/** The real and the configured path of a root: a link is watched as well, because its target may change. */
function watchedPaths(root: Root): readonly string[] {
  return root.file === null ? [root.realBase, root.base] : [root.file.realPath, join(root.base, root.file.name)]
}

/** The notes that a path on disk may be, one for each root that contains it. */
export function notesAt(absolute: string, snapshot: RootsSnapshot, settings: ScanSettings): readonly DocumentId[] {
  return snapshot.roots.flatMap((root) => {
    const path = noteBelow(root, absolute, settings)
    return path === null ? [] : [{ source: SOURCE_ID, path: root.prefix + path }]
  })
}

function noteBelow(root: Root, absolute: string, settings: ScanSettings): string | null {
  if (root.file !== null) return absolute === root.file.realPath ? root.file.name : null
  const path = pathBelow(root.realBase, absolute)
  return path !== null && path !== '' && root.selects(path) && isNote(path, settings) ? path : null
}

/** True if a change at this path may change which folders and files are notes. */
export function touchesRoots(absolute: string, snapshot: RootsSnapshot): boolean {
  const inWorkspace = pathBelow(snapshot.workspace.realBase, absolute)
  if (inWorkspace !== null && !inWorkspace.includes('/')) return true
  return snapshot.roots.some((root) => watchedPaths(root).includes(absolute))
}

/** The relative path with `/` between names, '' for the folder itself, null outside it. */
function pathBelow(folder: string, absolute: string): string | null {
  const path = relative(folder, absolute)
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return null
  return sep === '/' ? path : path.split(sep).join('/')
}

interface Asked {
  readonly settings: ScanSettings
  readonly stats: Stats | undefined
}

function isWanted(root: Root, absolute: string, { settings, stats }: Asked): boolean {
  if (root.file !== null) return false
  const path = pathBelow(root.realBase, absolute)
  if (path === null || path === '') return path === ''
  const mayBeNote = root.selects(path) && isNote(path, settings)
  const mayBeEntered = (root.mayEnter(path) || isLayoutName(root, path)) && judgeFolder(path, settings.rules) === null
  if (stats === undefined) return mayBeNote || mayBeEntered
  return stats.isDirectory() ? mayBeEntered && folderVerdict(root, path, settings) === null : mayBeNote
}

function isNote(path: string, { rules }: ScanSettings): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return isMarkdownName(name) && judgeFile(name, rules) === 'note'
}

/** Folders that join the layout as soon as they exist, in whatever case. */
function isLayoutName(root: Root, path: string): boolean {
  return root.prefix === '' && /^(?:memory|bank)$/iu.test(path)
}
