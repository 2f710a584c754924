import { type Dirent, existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentStat, SkippedDocument } from '@mnemark/spec'
import { NOT_DOWNLOADED, noteOfPlaceholder } from '../paths/icloud.ts'
import { type IgnoreRule, isMarkdownName, judgeFile, judgeFolder, type LeftOutReason } from '../paths/indexable.ts'
import { systemCode, systemReason } from '../problems.ts'
import { type FolderHandle, openFolder } from '../paths/real-place.ts'
import type { Root } from '../paths/root.ts'

/** The part of the configuration that the scan and every read need. */
export interface ScanSettings {
  readonly rules: ReadonlySet<IgnoreRule>
  readonly maxFileBytes: number
  /** Real path of the index folder, which is never entered; null if there is none yet. */
  readonly stateFolder: string | null
}

/** Counts of one listing; grows while the scan runs. */
export interface ScanTally {
  documents: number
  readonly documentsOfRoot: Map<string, number>
  readonly skipped: Map<string, number>
  readonly leftOut: Map<LeftOutReason, number>
  /** Parts that could not be listed, in words. If not empty, the listing must not prune. */
  readonly failures: string[]
  /** Files that may be met again: those with several names, and all where roots may overlap. */
  readonly seen: Set<string>
  readonly hasSeveralRoots: boolean
}

export function createTally(failures: readonly string[], hasSeveralRoots = false): ScanTally {
  return {
    documents: 0,
    documentsOfRoot: new Map(),
    skipped: new Map(),
    leftOut: new Map(),
    failures: [...failures],
    seen: new Set(),
    hasSeveralRoots,
  }
}

/** `source` of every document of this package. */
export const SOURCE_ID = 'memory'

/** A document, a file that was skipped, or null after each folder so that the caller can yield to the event loop. */
export type ScanItem = DocumentStat | SkippedDocument | null

/** Walks one root: folders in name order, files before folders. Links are never followed, so it always ends. */
export function* scanRoot(root: Root, settings: ScanSettings, tally: ScanTally): Generator<ScanItem> {
  if (root.problem !== null) {
    tally.failures.push(`${root.label}: ${root.problem}`)
    return
  }
  if (root.file !== null) {
    yield examineRootFile(root, root.file, { settings, tally })
    return
  }
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const folders: string[] = []
    using opened = openListed(root, folder, tally)
    if (opened === null) {
      yield null
      continue
    }
    const entries = listFolder(root, folder, { opened, tally })
    yield* notDownloaded(root, folder, { entries, tally })
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const kind = kindOfEntry(root, path, entry)
      const isNamedUnreadably = entry.isInvalid && (kind === 'folder' || isMarkdownName(entry.name))
      if (isNamedUnreadably && kind !== 'other') yield skip(root, path, { reason: 'name is not valid UTF-8', tally })
      else if (kind === 'folder' && isEntered(root, path, { settings, tally })) folders.push(path)
      else if (kind === 'link' && isEntered(root, path, { settings, tally })) {
        yield skipLink(root, path, tally)
      } else if (kind === 'file') yield examine(root, path, { entry: entry.dirent, settings, tally, folder: opened })
    }
    while (folders.length > 0) pending.push(folders.pop() ?? '')
    yield null
  }
}

/** The prefix keeps the rows of earlier notes: the link may point to a disk that is not mounted. */
const LINK_TO_NOTHING = 'unreadable: link to nothing'

interface Entry {
  readonly name: string
  readonly dirent: Dirent
  /** The bytes of the name are not UTF-8, so no string opens it. */
  readonly isInvalid: boolean
}

/** Null if the folder cannot be listed: it is gone, or the tally says why. */
function openListed(root: Root, folder: string, tally: ScanTally): FolderHandle | null {
  return attemptListing(root, folder, tally, () => {
    const opened = openFolder(join(root.realBase, folder))
    if (opened === null) tally.failures.push(`${folder === '' ? root.label : root.prefix + folder}: it was replaced meanwhile`)
    return opened
  })
}

function listFolder(
  root: Root,
  folder: string,
  { opened, tally }: { readonly opened: FolderHandle; readonly tally: ScanTally },
): readonly Entry[] {
  const list = (): readonly Entry[] => {
    const dirents = readdirSync(opened.path, { withFileTypes: true })
    const valid = dirents.some((dirent) => dirent.name.includes('\ufffd')) ? validNames(opened.path) : null
    return dirents
      .map((dirent) => ({ name: dirent.name, dirent, isInvalid: valid !== null && !valid.has(dirent.name) }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }
  return attemptListing(root, folder, tally, list) ?? []
}

function attemptListing<Result>(root: Root, folder: string, tally: ScanTally, work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    // A missing folder below an existing root was deleted after its parent was listed; a missing root is unknown.
    const isGone = systemCode(error) === 'ENOENT' && folder !== ''
    if (!isGone) tally.failures.push(`${folder === '' ? root.label : root.prefix + folder}: ${systemReason(error)}`)
    return null
  }
}

/** Asked only where a name holds U+FFFD, which is how Node shows bytes that are not UTF-8. */
function validNames(absolute: string): ReadonlySet<string> {
  const names = readdirSync(absolute, { encoding: 'buffer' })
  return new Set(names.filter((bytes) => Buffer.from(bytes.toString()).equals(bytes)).map(String))
}

function* notDownloaded(
  root: Root,
  folder: string,
  { entries, tally }: { readonly entries: readonly Entry[]; readonly tally: ScanTally },
): Generator<SkippedDocument> {
  for (const { name, dirent } of entries) {
    const note = noteOfPlaceholder(name)
    if (note === null || !dirent.isFile() || entries.some((other) => other.name === note)) continue
    const path = folder === '' ? note : `${folder}/${note}`
    if (root.selects(path)) yield skip(root, path, { reason: NOT_DOWNLOADED, tally })
  }
}

/** Links count in the place of a note or a folder of notes; `other` is outside the layout. */
function kindOfEntry(root: Root, path: string, { dirent }: Entry): 'file' | 'folder' | 'link' | 'other' {
  if (dirent.isDirectory()) return root.mayEnter(path) ? 'folder' : 'other'
  if (!dirent.isSymbolicLink()) return root.selects(path) ? 'file' : 'other'
  const isNote = isMarkdownName(dirent.name)
  if (!(isNote ? root.selects(path) : root.mayEnter(path))) return 'other'
  const target = targetOfLink(join(root.realBase, path))
  // A name with an extension did not belong to a folder.
  return isNote || target === 'folder' || (target === 'nothing' && !/\.[a-z][a-z\d]{0,5}$/iu.test(path)) ? 'link' : 'other'
}

function targetOfLink(absolute: string): 'folder' | 'file' | 'nothing' {
  try {
    return statSync(absolute).isDirectory() ? 'folder' : 'file'
  } catch {
    return 'nothing'
  }
}

/** A name in a folder with its file type. */
export type NamedEntry = Pick<Dirent, 'name' | 'isFile'>

export interface ScanContext {
  readonly settings: ScanSettings
  readonly tally: ScanTally
}

function isEntered(root: Root, path: string, { settings, tally }: ScanContext): boolean {
  const reason = folderVerdict(root, path, settings)
  if (reason !== null) count(tally.leftOut, reason)
  return reason === null
}

/** Why a folder on disk is not entered, or null. */
export function folderVerdict(root: Root, path: string, settings: ScanSettings): LeftOutReason | null {
  const absolute = join(root.realBase, path)
  if (absolute === settings.stateFolder) return 'state'
  return judgeFolder(path, settings.rules, (name) => existsSync(join(absolute, name)))
}

export function examineRootFile(
  root: Root,
  file: { readonly name: string; readonly realPath: string },
  context: ScanContext,
): ScanItem {
  if (!isMarkdownName(file.name)) return skip(root, file.name, { reason: 'not Markdown', tally: context.tally })
  return statDocument(root, file.name, { ...context, absolute: file.realPath })
}

interface EntryContext extends ScanContext {
  readonly entry: NamedEntry
  /** The folder that contains it. */
  readonly folder: FolderHandle
}

/** Classifies a file or special file at a place where a note may be. */
export function examine(root: Root, path: string, context: EntryContext): ScanItem {
  const { entry, settings, tally, folder } = context
  const verdict = judgeFile(entry.name, settings.rules)
  if (verdict !== 'note') {
    count(tally.leftOut, verdict)
    return null
  }
  if (!entry.isFile()) return skip(root, path, { reason: 'not a regular file', tally })
  return statDocument(root, path, { settings, tally, absolute: folder.at(entry.name) })
}

function statDocument(root: Root, path: string, context: ScanContext & { readonly absolute: string }): ScanItem {
  const { settings, tally } = context
  const stats = statFile(root, path, context)
  if (stats === null || 'skipped' in stats) return stats
  if (!stats.isFile()) return skip(root, path, { reason: 'not a regular file', tally })
  if (stats.size > settings.maxFileBytes) {
    return skip(root, path, { reason: `larger than ${formatBytes(settings.maxFileBytes)}`, tally })
  }
  const inode = identity(context.absolute, stats)
  if (inode !== null && (tally.hasSeveralRoots || stats.nlink !== 1)) {
    if (tally.seen.has(inode)) {
      count(tally.leftOut, 'same-file')
      return null
    }
    tally.seen.add(inode)
  }
  tally.documents += 1
  count(tally.documentsOfRoot, root.label)
  const document = { source: SOURCE_ID, path: root.prefix + path, size: stats.size, modifiedAtMs: Math.floor(stats.mtimeMs) }
  return inode === null ? document : { ...document, inode }
}

/** Null when the file vanished since its folder was listed. */
function statFile(
  root: Root,
  path: string,
  { absolute, tally }: { absolute: string; tally: ScanTally },
): Stats | SkippedDocument | null {
  try {
    return lstatSync(absolute)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    tally.failures.push(`${root.prefix}${path}: ${systemReason(error)}`)
    return skip(root, path, { reason: `unreadable: ${systemReason(error)}`, tally })
  }
}

/** Device and inode; null on file systems without them, where every file counts as distinct. */
function identity(absolute: string, stats: Stats): string | null {
  if (stats.ino === 0) return null
  if (Number.isSafeInteger(stats.ino)) return `${stats.dev}:${stats.ino}`
  // Numbers this large lose digits, and two files could seem the same.
  const exact = lstatSync(absolute, { bigint: true, throwIfNoEntry: false })
  return exact === undefined ? null : `${exact.dev}:${exact.ino}`
}

/** Skips a link in the place of a note or a folder of notes. */
export function skipLink(root: Root, path: string, tally: ScanTally): SkippedDocument {
  const reason = targetOfLink(join(root.realBase, path)) === 'nothing' ? LINK_TO_NOTHING : 'link, not followed'
  return skip(root, path, { reason, tally })
}

export function skip(root: Root, path: string, { reason, tally }: { reason: string; tally: ScanTally }): SkippedDocument {
  count(tally.skipped, reason)
  return { source: SOURCE_ID, path: root.prefix + path, skipped: reason }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The size as people write it: 10 MB, 512 kB, 100 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes >= 1_000_000) return `${Number((bytes / 1_000_000).toFixed(1))} MB`
  if (bytes >= 1000) return `${Number((bytes / 1000).toFixed(1))} kB`
  return `${bytes} bytes`
}
