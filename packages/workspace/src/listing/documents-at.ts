import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { DocumentId, DocumentStat, SkippedDocument } from '@mnemark/spec'
import { isNotDownloaded, NOT_DOWNLOADED } from '../paths/icloud.ts'
import { isMarkdownName } from '../paths/indexable.ts'
import { isMissing, systemCode, systemReason } from '../problems.ts'
import { type FolderHandle, openFolder } from '../paths/real-place.ts'
import type { Root } from '../paths/root.ts'
import {
  createTally,
  examine,
  examineRootFile,
  folderVerdict,
  type ScanContext,
  type ScanItem,
  type ScanSettings,
  SOURCE_ID,
  skip,
  skipLink,
} from './scan.ts'
import type { RootsSnapshot } from './roots-snapshot.ts'

/** The items a listing would yield for some notes. */
export interface DocumentsAt {
  readonly items: readonly (DocumentStat | SkippedDocument)[]
  /** If not empty, an absent note may still exist. */
  readonly failures: readonly string[]
  /** False if only a listing can tell. */
  readonly isCertain: boolean
}

/** Looks at these paths by the rules of the scan, and at nothing else. */
export function documentsAt(ids: readonly DocumentId[], snapshot: RootsSnapshot, settings: ScanSettings): DocumentsAt {
  const failures = [...snapshot.layout.failures]
  const items: (DocumentStat | SkippedDocument)[] = []
  for (const { source, path } of ids) {
    const found = source === SOURCE_ID ? documentAt(path, snapshot, { settings, failures }) : null
    if (found === 'unknown') return { items: [], failures: [], isCertain: false }
    if (found !== null) items.push(found)
  }
  return { items, failures, isCertain: true }
}

interface LookContext {
  readonly settings: ScanSettings
  readonly failures: string[]
}

function documentAt(path: string, snapshot: RootsSnapshot, { settings, failures }: LookContext): ScanItem | 'unknown' {
  const inExtras = snapshot.roots.filter(({ prefix }) => prefix !== '' && path.startsWith(prefix))
  for (const root of [snapshot.workspace, ...inExtras]) {
    const tally = createTally([])
    const item = statBelow(root, path.slice(root.prefix.length), { settings, tally })
    failures.push(...tally.failures)
    if (item === null) continue
    if ('skipped' in item) return item
    const absolute = root.file?.realPath ?? join(root.realBase, path.slice(root.prefix.length))
    if (hasOtherNames(absolute)) return 'unknown'
    return isListedBefore(root, absolute, { snapshot, settings }) ? null : item
  }
  return null
}

/** A listing shows a file with several names only under the first name it meets. */
function hasOtherNames(absolute: string): boolean {
  const stats = lstatSync(absolute, { throwIfNoEntry: false })
  return stats !== undefined && stats.nlink > 1
}

/** A file that two roots reach belongs to the first. */
function isListedBefore(
  root: Root,
  absolute: string,
  { snapshot, settings }: { readonly snapshot: RootsSnapshot; readonly settings: ScanSettings },
): boolean {
  const earlier = snapshot.roots.slice(0, snapshot.roots.indexOf(root))
  return earlier.some((other) => {
    const path = relative(other.realBase, absolute).split(sep).join('/')
    if (path === '..' || path.startsWith('../')) return false
    const item = statBelow(other, other.file?.realPath === absolute ? other.file.name : path, {
      settings,
      tally: createTally([]),
    })
    return item !== null && !('skipped' in item)
  })
}

function statBelow(root: Root, path: string, context: ScanContext): ScanItem {
  if (root.problem !== null) {
    context.tally.failures.push(`${root.label}: ${root.problem}`)
    return null
  }
  if (root.file !== null) return statRootFile(root, path, context)
  if (!root.selects(path) || !isEntered(root, path, context)) return null
  using folder = attempt(root, path, context, () => openFolder(join(root.realBase, dirname(path))))
  if (folder === null) return null
  const stats = look(root, path, { ...context, folder })
  if (stats === null && isNotDownloaded(folder.at(basename(path)))) {
    return skip(root, path, { reason: NOT_DOWNLOADED, tally: context.tally })
  }
  if (stats === null || stats.isDirectory()) return null
  if (stats.isSymbolicLink()) {
    const isNote = isMarkdownName(path) && folderVerdict(root, path, context.settings) === null
    return isNote ? skipLink(root, path, context.tally) : null
  }
  return examine(root, path, { ...context, folder, entry: { name: basename(path), isFile: () => stats.isFile() } })
}

function statRootFile(root: Root, path: string, context: ScanContext): ScanItem {
  return root.file === null || path !== root.file.name ? null : examineRootFile(root, root.file, context)
}

/** True if the scan would come here: it enters every folder on the way, none is a link, and each is spelt exactly so. */
function isEntered(root: Root, path: string, context: ScanContext): boolean {
  const names = path.split('/')
  const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'))
  if (names.some((name) => name === '' || name === '.' || name === '..')) return false
  if (!folders.every((folder) => root.mayEnter(folder) && folderVerdict(root, folder, context.settings) === null)) return false
  const folder = join(root.realBase, dirname(path))
  // Notes behind a dangling link may still exist.
  const dangling = folders.find((each) => isDanglingLink(join(root.realBase, each)))
  if (dangling !== undefined) context.tally.failures.push(`${root.prefix}${dangling} is a link to nothing`)
  return attempt(root, path, context, () => realpathSync.native(folder) === folder) ?? false
}

function isDanglingLink(absolute: string): boolean {
  const stats = lstatSync(absolute, { throwIfNoEntry: false })
  return stats?.isSymbolicLink() === true && !existsSync(absolute)
}

/** Null if there is no such name, or, on disks that ignore case, if it is spelt differently. */
function look(root: Root, path: string, context: ScanContext & { readonly folder: FolderHandle }): Stats | null {
  const absolute = context.folder.at(basename(path))
  return attempt(root, path, context, () => {
    const stats = lstatSync(absolute)
    const isOtherwise = stats.isFile() && basename(realpathSync.native(absolute)) !== basename(absolute)
    return isOtherwise ? null : stats
  })
}

function attempt<Result>(root: Root, path: string, { tally }: ScanContext, action: () => Result): Result | null {
  try {
    return action()
  } catch (error) {
    if (!isMissing(error) && systemCode(error) !== 'ENAMETOOLONG')
      tally.failures.push(`${root.prefix}${path}: ${systemReason(error)}`)
    return null
  }
}
