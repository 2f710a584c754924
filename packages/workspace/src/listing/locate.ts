import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { spelledName, WorkspaceError } from '@mnemark/spec'
import { isMarkdownName, judgeFile, judgeFolder } from '../paths/indexable.ts'
import { isMissing, systemCode, unreadable } from '../problems.ts'
import type { Root } from '../paths/root.ts'
import { folderVerdict, type ScanSettings } from './scan.ts'
import type { RootsSnapshot } from './roots-snapshot.ts'

/** Where a path leads. `path` is the one search shows; the absolute one leaves this package only through `Workspace.place`. */
export type Located =
  | { readonly outcome: 'file'; readonly root: Root; readonly path: string; readonly absolute: string; readonly stats: Stats }
  | { readonly outcome: 'not-found'; readonly root: Root; readonly path: string; readonly absolute: string }
  | { readonly outcome: 'refused' }

const REFUSED: Located = { outcome: 'refused' }

/**
 * Finds a note by the path search shows, by a path relative to the workspace or by an absolute one. Refused unless it lies in a
 * root by its real path and the scan would take it: same rules, same functions. What is refused by its name or by a link on the
 * way is refused whether or not anything exists behind it.
 * @throws WorkspaceError `unreadable` when the system denies the look
 */
export function locate(requested: string, snapshot: RootsSnapshot, settings: ScanSettings): Located {
  const located = locateAsWritten(requested, snapshot, settings)
  const meant = located.outcome === 'file' ? requested : spelledName(requested)
  if (meant === requested) return located
  // The path as shown, with invisible characters written out. A name that does not exist stays as it was asked for.
  const found = locateAsWritten(meant, snapshot, settings)
  return found.outcome === 'file' ? found : located
}

function locateAsWritten(requested: string, snapshot: RootsSnapshot, settings: ScanSettings): Located {
  if (requested === '' || requested.includes('\0')) return REFUSED
  let best: Located = REFUSED
  for (const { root, path } of candidates(requested, snapshot)) {
    if (!isNoteName(root, path, settings)) continue
    const located = locateBelow(root, path, settings)
    if (located.outcome === 'file') return located
    if (best.outcome === 'refused') best = located
  }
  return best.outcome === 'not-found' && isDisguisedClimb(requested) ? REFUSED : best
}

interface Candidate {
  readonly root: Root
  readonly path: string
}

function candidates(requested: string, snapshot: RootsSnapshot): readonly Candidate[] {
  const path = posix.normalize(sep === '/' ? requested : requested.replaceAll(sep, '/'))
  const isInside = !isAbsolute(requested) && path !== '..' && !path.startsWith('../')
  if (!isInside) return snapshot.roots.flatMap((root) => below(root, resolve(snapshot.workspace.base, requested)))
  const shown = snapshot.extras
    .filter(({ root }) => path.startsWith(root.prefix))
    .map(({ root }) => ({ root, path: path.slice(root.prefix.length) }))
  return [...shown, { root: snapshot.workspace, path }]
}

/** An absolute path, seen from a root under its configured or its real name. */
function below(root: Root, absolute: string): readonly Candidate[] {
  return [...new Set([root.base, root.realBase])]
    .map((base) => relative(base, absolute))
    .filter((path) => path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
    .map((path) => ({ root, path: path.split(sep).join('/') }))
}

/** The part of the scan's rules that names alone decide. */
function isNoteName(root: Root, path: string, settings: ScanSettings): boolean {
  if (!root.selects(path)) return false
  const folders = foldersOf(path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (root.file !== null) return isMarkdownName(name)
  return judgeFile(name, settings.rules) === 'note' && folders.every((folder) => judgeFolder(folder, settings.rules) === null)
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'))
}

function locateBelow(root: Root, path: string, settings: ScanSettings): Located {
  if (root.problem !== null) {
    const name = root.prefix === '' ? 'The workspace folder' : root.prefix.slice(0, -1)
    throw new WorkspaceError('unreadable', `${name} cannot be read: ${root.problem}.`)
  }
  if (root.file !== null) return locateRootFile(root, root.file)
  let found = ''
  const names = path.split('/')
  for (const [index, name] of names.entries()) {
    const entry = findEntry(root, found, name)
    const rest = [...(found === '' ? [] : [found]), ...names.slice(index)].join('/')
    if (entry === null) return missing(root, rest)
    found = found === '' ? entry.name : `${found}/${entry.name}`
    if (entry.stats.isSymbolicLink()) return REFUSED
    if (index === names.length - 1) return verify(root, found, entry.stats)
    if (!entry.stats.isDirectory()) return missing(root, rest)
    if (folderVerdict(root, found, settings) !== null) return REFUSED
  }
  return REFUSED
}

function missing(root: Root, path: string): Located {
  return { outcome: 'not-found', root, path: root.prefix + path, absolute: join(root.realBase, path) }
}

function locateRootFile(root: Root, file: { readonly name: string; readonly realPath: string }): Located {
  const stats = lstatSync(file.realPath, { throwIfNoEntry: false })
  if (stats === undefined) return { outcome: 'not-found', root, path: root.prefix + file.name, absolute: file.realPath }
  if (!stats.isFile()) return REFUSED
  return { outcome: 'file', root, path: root.prefix + file.name, absolute: file.realPath, stats }
}

/** The links on the way were refused one by one; the real path proves that none was missed. */
function verify(root: Root, path: string, stats: Stats): Located {
  if (!stats.isFile()) return REFUSED
  const absolute = join(root.realBase, path)
  try {
    const fromRoot = relative(root.realBase, realpathSync.native(absolute))
    if (fromRoot.startsWith('..') && (fromRoot === '..' || fromRoot.startsWith(`..${sep}`))) return REFUSED
    if (isAbsolute(fromRoot)) return REFUSED
  } catch (error) {
    if (isMissing(error)) return missing(root, path)
    throw unreadable(root.prefix + path, error)
  }
  return { outcome: 'file', root, path: root.prefix + path, absolute, stats }
}

interface FoundEntry {
  readonly name: string
  readonly stats: Stats
}

/** Found by its bytes; if none match, by the only name with the same composed form in Unicode (typed NFC, stored NFD). */
function findEntry(root: Root, folder: string, name: string): FoundEntry | null {
  try {
    const stats = lstatSync(join(root.realBase, folder, name), { throwIfNoEntry: false })
    if (stats !== undefined) return { name, stats }
    // A name of printable ASCII has only one form.
    if (/^[ -~]*$/u.test(name)) return null
    const composed = name.normalize('NFC')
    const twin = readdirSync(join(root.realBase, folder)).find((other) => other.normalize('NFC') === composed)
    const twinStats = twin === undefined ? undefined : lstatSync(join(root.realBase, folder, twin), { throwIfNoEntry: false })
    return twin === undefined || twinStats === undefined ? null : { name: twin, stats: twinStats }
  } catch (error) {
    if (isMissing(error) || systemCode(error) === 'ENAMETOOLONG') return null
    throw unreadable(root.prefix + (folder === '' ? name : `${folder}/${name}`), error)
  }
}

/** `..%2f`, `..\` and similar are harmless here, where they only name files that do not exist, but are refused anyway. */
function isDisguisedClimb(requested: string): boolean {
  let text = requested
  for (let round = 0; round < 3; round += 1) {
    if (text.split(/[\\/]/u).includes('..')) return round > 0 || text.includes('\\')
    try {
      text = decodeURIComponent(text)
    } catch {
      return /%2e%2e|\.\.%|%2e\./iu.test(text)
    }
  }
  return false
}
