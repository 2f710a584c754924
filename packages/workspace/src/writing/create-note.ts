import { randomBytes } from 'node:crypto'
import { closeSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'
import type { AppendTarget } from './append-target.ts'
import { hasNoLinks, isMissing, refusedPath, systemCode } from '../problems.ts'
import { type FolderHandle, openFolderBelow } from '../paths/real-place.ts'

/**
 * Makes the file with its first content in one step; false when another process was faster. A hidden temporary file is linked
 * into place, so that nobody ever sees the note half written.
 */
export function createNote(target: AppendTarget, content: string): boolean {
  const names = relative(target.rootPath, dirname(target.absolute)).split(sep)
  using folder = openFolderBelow(
    target.rootPath,
    names.filter((name) => name !== ''),
  )
  const temporary = folder.at(`.mnemark-${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
  const note = folder.at(basename(target.absolute))
  try {
    writeNew(folder, temporary, content)
    linkSync(temporary, note)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    if (!hasNoLinks(error)) throw error
    return createInPlace(folder, note, content)
  } finally {
    removeTemporary(temporary)
  }
}

function createInPlace(folder: FolderHandle, note: string, content: string): boolean {
  try {
    writeNew(folder, note, content)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** A file that was not there before, and never at the end of a link. Nothing is written where the folder was swapped. */
function writeNew(folder: FolderHandle, path: string, content: string): void {
  const descriptor = openSync(path, 'ax')
  try {
    if (!folder.isHere()) throw refusedPath()
    writeFileSync(descriptor, content)
  } finally {
    closeSync(descriptor)
  }
}

function removeTemporary(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isMissing(error) && systemCode(error) !== 'EACCES' && systemCode(error) !== 'EROFS') throw error
  }
}
