import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { systemCode } from './problems.ts'
import { type NoteFile, openSame } from './note-file.ts'
import { type FolderHandle, openFolder } from './real-place.ts'

/**
 * Puts new content in the place of a note in one step, with the note's own mode; whoever reads it meanwhile reads the old or the new.
 * A note that has a second name is written in place, since a renamed file would part from it.
 * @param file with the stats of the file whose content was read
 * @throws WorkspaceError `conflict` when the file on disk is another one, or newer, than the one that was read
 */
export function replaceFile(file: NoteFile, content: Uint8Array): void {
  if (file.stats.nlink > 1) return writeInPlace(file, content)
  using folder = openFolder(dirname(file.absolute))
  if (folder === null) throw changedMeanwhile(file)
  const note = folder.at(basename(file.absolute))
  const temporary = folder.at(`.mnemark-${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeTemporary(folder, temporary, { file, content })
    // As late as can be: what others wrote after the note was read must not be lost.
    requireUnchanged(file, lstatSync(note, { throwIfNoEntry: false }))
    renameSync(temporary, note)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function writeInPlace(file: NoteFile, content: Uint8Array): void {
  const opened = openSame(file, constants.O_RDWR)
  if (opened === null) throw changedMeanwhile(file)
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
    if (!folder.isHere()) throw changedMeanwhile(file)
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
  if (!isSame) throw changedMeanwhile(file)
}

function changedMeanwhile({ path }: NoteFile): WorkspaceError {
  return new WorkspaceError('conflict', `${path} was changed by another program meanwhile; nothing was written. Read it again.`)
}
