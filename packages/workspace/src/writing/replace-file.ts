import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { hasNoLinks, systemCode } from '../problems.ts'
import { type NoteFile, openSame } from '../reading/note-file.ts'
import { type FolderHandle, openFolder } from '../paths/real-place.ts'

/**
 * Puts new content in the place of a note in one step, with the note's own mode; whoever reads it meanwhile reads the old or the new.
 * A note that has a second name is written in place, since a renamed file would part from it.
 * The file before is linked beside it and looked at afterwards: an editor may have saved into it in the last moment.
 * @param file with the stats and bytes of the file as it was read
 * @param beforeRename for tests of that moment
 * @returns what another program saved into the old file meanwhile; null where none did
 * @throws ChangedMeanwhile when the file on disk is another one, or newer, than the one that was read
 */
export function replaceFile(file: ReadFile, content: Uint8Array, beforeRename: () => void = () => {}): Buffer | null {
  using folder = openFolder(dirname(file.absolute))
  if (folder === null) throw new ChangedMeanwhile(file.path)
  if (file.stats.nlink - removeLeftLinks(folder, file) > 1) {
    writeInPlace(file, content)
    return null
  }
  const note = folder.at(basename(file.absolute))
  const name = `.mnemark-${process.pid}-${randomBytes(6).toString('hex')}`
  const [temporary, old] = [folder.at(`${name}.tmp`), folder.at(`${name}.old.tmp`)]
  try {
    writeTemporary(folder, temporary, { file, content })
    // As late as can be: what others wrote after the note was read must not be lost.
    const isLinked = linkBeside(note, old)
    requireUnchanged(file, lstatSync(note, { throwIfNoEntry: false }))
    beforeRename()
    renameSync(temporary, note)
    const left = isLinked ? readFileSync(old) : file.bytes
    return left.equals(file.bytes) ? null : left
  } finally {
    for (const path of [temporary, old]) rmSync(path, { force: true })
  }
}

export interface ReadFile extends NoteFile {
  readonly bytes: Buffer
}

/** A process that was killed between linking and renaming left a second name behind. */
function removeLeftLinks(folder: FolderHandle, { stats }: NoteFile): number {
  if (stats.nlink === 1) return 0
  const left = readdirSync(folder.path).filter(
    (name) => /^\.mnemark-.*\.old\.tmp$/u.test(name) && lstatSync(folder.at(name), { throwIfNoEntry: false })?.ino === stats.ino,
  )
  for (const name of left) rmSync(folder.at(name), { force: true })
  return left.length
}

/** False on a disk without links, and where the note is gone: then it is not unchanged either. */
function linkBeside(note: string, old: string): boolean {
  try {
    linkSync(note, old)
    return true
  } catch (error) {
    if (hasNoLinks(error) || systemCode(error) === 'ENOENT') return false
    throw error
  }
}

function writeInPlace(file: NoteFile, content: Uint8Array): void {
  const opened = openSame(file, constants.O_RDWR)
  if (opened === null) throw new ChangedMeanwhile(file.path)
  const { descriptor } = opened
  try {
    requireUnchanged(file, opened.stats)
    writeFileSync(descriptor, content)
    ftruncateSync(descriptor, content.length)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

interface Replacement {
  readonly file: NoteFile
  readonly content: Uint8Array
}

function writeTemporary(folder: FolderHandle, temporary: string, { file, content }: Replacement): void {
  const descriptor = openSync(temporary, 'wx', 0o600)
  try {
    if (!folder.isHere()) throw new ChangedMeanwhile(file.path)
    writeFileSync(descriptor, content)
    keepOwner(descriptor, file.stats)
    fchmodSync(descriptor, file.stats.mode & 0o7777)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Only the system's administrator may give a file away; for others it is theirs, as after every editor. */
function keepOwner(descriptor: number, { uid, gid }: Stats): void {
  if (process.getuid === undefined || (process.getuid() === uid && process.getgid?.() === gid)) return
  try {
    fchownSync(descriptor, uid, gid)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error
  }
}

function requireUnchanged(file: NoteFile, now: Stats | undefined): void {
  const { stats } = file
  const isSame =
    now?.ino === stats.ino && now.dev === stats.dev && now.size === stats.size && now.mtimeMs === stats.mtimeMs && now.isFile()
  if (!isSame) throw new ChangedMeanwhile(file.path)
}

/** The file changed since it was read; reading it again may help. */
export class ChangedMeanwhile extends WorkspaceError {
  constructor(path: string) {
    super('conflict', `${path} was changed by another program meanwhile; nothing was written. Read it again.`)
  }
}
