import { closeSync, constants, fstatSync, readSync, type Stats } from 'node:fs'
import { WorkspaceError } from '@mnemark/spec'
import { refusedPath, systemCode, unreadable } from '../problems.ts'
import { type Opened, openReal } from '../paths/real-place.ts'
import { formatBytes } from '../listing/scan.ts'

/** A note that `locate` found: its place, and its stats at that moment. */
export interface NoteFile {
  readonly path: string
  readonly absolute: string
  readonly stats: Stats
}

/**
 * Opens a located note for reading.
 * @returns null when another file stands there by now, or the path leads elsewhere
 * @throws WorkspaceError `unreadable`; `refused` when the file became a link
 */
export function openNote(file: NoteFile): Opened | null {
  try {
    return openSame(file, constants.O_RDONLY)
  } catch (error) {
    throw systemCode(error) === 'ELOOP' ? refusedPath() : unreadable(file.path, error)
  }
}

/**
 * Opens a located note with these flags; null as `openNote`.
 * @throws a system error
 */
export function openSame(file: NoteFile, flags: number): Opened | null {
  const opened = openReal(file.absolute, flags)
  if (opened === null) return null
  const { stats } = opened
  if (stats.isFile() && stats.ino === file.stats.ino && stats.dev === file.stats.dev) return opened
  closeSync(opened.descriptor)
  return null
}

/**
 * All bytes of a note; null when another file stands there by now.
 * @throws WorkspaceError `unreadable`, also above `maxBytes`
 */
export function readWholeNote(
  file: NoteFile,
  maxBytes: number,
): { readonly bytes: Buffer; readonly stats: Stats; readonly hasChanged: boolean } | null {
  const opened = openNote(file)
  if (opened === null) return null
  try {
    const bytes = readUpTo(opened.descriptor, opened.stats.size + 1, maxBytes)
    if (bytes.length > maxBytes) {
      throw new WorkspaceError('unreadable', `${file.path} cannot be indexed: it is larger than ${formatBytes(maxBytes)}.`)
    }
    const after = fstatSync(opened.descriptor)
    return { bytes, stats: opened.stats, hasChanged: after.mtimeMs !== opened.stats.mtimeMs || after.size !== bytes.length }
  } catch (error) {
    throw WorkspaceError.isInstance(error) ? error : unreadable(file.path, error)
  } finally {
    closeSync(opened.descriptor)
  }
}

/** Stops one byte above the limit: enough to notice an oversized file. */
function readUpTo(descriptor: number, expected: number, maxBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.min(expected, maxBytes + 1))
  let length = 0
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}
