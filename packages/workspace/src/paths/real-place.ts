import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { refusedPath, systemCode } from '../problems.ts'

// A checked path may lead elsewhere by the time it is used: a folder on the way, or the file, may have been swapped for a link.
// So things are opened first, the opened handle is checked, and everything after goes through the handle. Node has no `openat`;
// on Linux `/proc/self/fd/N/name` is a name in the open folder, whatever happens to its path.

/** An open handle with its stats. */
export interface Opened {
  readonly descriptor: number
  readonly stats: Stats
}

/**
 * Opens what stands at an absolute path free of links, following none and never waiting for the other end of a pipe. The caller closes it.
 * @returns null where the path leads to another place by now
 * @throws a system error; ELOOP where a link stands there
 */
export function openReal(absolute: string, flags: number): Opened | null {
  // Windows lacks these flags; there the stats already excluded links and pipes.
  const descriptor = openSync(absolute, flags | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
  try {
    const stats = fstatSync(descriptor)
    if (isAt({ descriptor, stats }, absolute)) return { descriptor, stats }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  closeSync(descriptor)
  return null
}

/** Disks that ignore case or store other forms of letters may return a different spelling. */
function isSamePath(left: string, right: string): boolean {
  return left === right || left.normalize('NFC').toLowerCase() === right.normalize('NFC').toLowerCase()
}

/** By the system's path of the handle; without one, by resolving the real path again and comparing the file there. */
function isAt({ descriptor, stats }: Opened, absolute: string): boolean {
  const path = pathOfHandle(descriptor)
  if (path !== null) return isSamePath(path, absolute)
  try {
    const now = lstatSync(absolute)
    return isSamePath(realpathSync.native(absolute), absolute) && now.dev === stats.dev && now.ino === stats.ino
  } catch {
    return false
  }
}

function pathOfHandle(descriptor: number): string | null {
  try {
    return readlinkSync(handlePath(descriptor))
  } catch {
    return null
  }
}

function handlePath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}

/** An open folder: names in it refer to this very folder. */
export interface FolderHandle extends Disposable {
  /** The path to list it by. */
  readonly path: string
  /** The path of an entry, for system calls only. */
  at(name: string): string
  /** False if names may lead elsewhere by now; check after opening an entry and before using it. Always true on Linux. */
  isHere(): boolean
}

/**
 * Opens a folder by its absolute path free of links.
 * @returns null where the path leads to another place by now
 * @throws a system error; ENOTDIR or ELOOP where no folder stands there
 */
export function openFolder(absolute: string): FolderHandle | null {
  const opened = openReal(absolute, FOLDER)
  return opened === null ? null : handleOf(opened, absolute)
}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)

function handleOf(opened: Opened, absolute: string): FolderHandle {
  const hasPath = pathOfHandle(opened.descriptor) !== null
  const path = hasPath ? handlePath(opened.descriptor) : absolute
  return {
    path,
    at: (name) => join(path, name),
    isHere: () => hasPath || isAt(opened, absolute),
    [Symbol.dispose]: () => closeSync(opened.descriptor),
  }
}

/**
 * Opens a folder below another, each step from the folder before, and makes what is missing.
 * @param base absolute and free of links
 * @throws WorkspaceError `refused` where a link stands on the way, or `base` is another folder by now
 */
export function openFolderBelow(base: string, names: readonly string[], mode = 0o777): FolderHandle {
  let folder = openFolder(base) ?? refuse()
  let absolute = base
  for (const name of names) {
    using parent = folder
    absolute = join(absolute, name)
    folder = stepInto(parent, name, { absolute, mode })
  }
  return folder
}

function stepInto(parent: FolderHandle, name: string, place: { readonly absolute: string; readonly mode: number }): FolderHandle {
  const open = (): FolderHandle => {
    const descriptor = openSync(parent.at(name), FOLDER | (constants.O_NOFOLLOW ?? 0))
    const folder = handleOf({ descriptor, stats: fstatSync(descriptor) }, place.absolute)
    if (folder.isHere()) return folder
    folder[Symbol.dispose]()
    return refuse()
  }
  try {
    return open()
  } catch (error) {
    if (lstatSync(parent.at(name), { throwIfNoEntry: false })?.isSymbolicLink() === true) return refuse()
    if (systemCode(error) !== 'ENOENT') throw error
  }
  try {
    mkdirSync(parent.at(name), { mode: place.mode })
  } catch (error) {
    // Another process created it first.
    if (systemCode(error) !== 'EEXIST') throw error
  }
  return open()
}

function refuse(): never {
  throw refusedPath()
}
