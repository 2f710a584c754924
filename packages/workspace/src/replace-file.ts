import { randomBytes } from 'node:crypto'
import {
  closeSync,
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
import { dirname, join } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { systemCode } from './problems.ts'
import type { NoteFile } from './note-file.ts'

/**
 * Puts new content in the place of a note in one step, with the note's own mode; whoever reads it meanwhile reads the old or the new.
 * A note that has a second name is written in place, since a renamed file would part from it.
 * @param file with the stats of the file whose content was read
 * @throws WorkspaceError `conflict` when the file on disk is another one, or newer, than the one that was read
 */
export function replaceFile(file: NoteFile, content: Uint8Array): void {
  if (file.stats.nlink > 1) {
    requireUnchanged(file)
    return writeInPlace(file.absolute, content)
  }
  const temporary = join(dirname(file.absolute), `.mnemark-${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeTemporary(temporary, content, file.stats)
    // As late as can be: what others wrote after the note was read must not be lost.
    requireUnchanged(file)
    renameSync(temporary, file.absolute)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function writeInPlace(absolute: string, content: Uint8Array): void {
  const descriptor = openSync(absolute, 'r+')
  try {
    writeFileSync(descriptor, content)
    ftruncateSync(descriptor, content.length)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function writeTemporary(temporary: string, content: Uint8Array, stats: Stats): void {
  const descriptor = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(descriptor, content)
    keepOwner(descriptor, stats)
    fchmodSync(descriptor, stats.mode & 0o7777)
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

function requireUnchanged({ path, absolute, stats }: NoteFile): void {
  const now = lstatSync(absolute, { throwIfNoEntry: false })
  const isSame =
    now?.ino === stats.ino && now.dev === stats.dev && now.size === stats.size && now.mtimeMs === stats.mtimeMs && now.isFile()
  if (!isSame)
    throw new WorkspaceError('conflict', `${path} was changed by another program meanwhile; nothing was written. Read it again.`)
}
