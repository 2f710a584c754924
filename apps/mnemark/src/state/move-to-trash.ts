import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type FolderHandle, openFolder } from '@mnemark/workspace'
import { CommandError } from '../failure.ts'
import { moveFile } from './move-originals.ts'

/** Moves a note of the workspace to the trash of its state folder; returns its new path. */
export function moveToTrash(
  workspace: string,
  path: string,
  { state, nowMs }: { readonly state: string; readonly nowMs: number },
): string {
  // A folder on the way may have become a link meanwhile: nothing outside the workspace is moved.
  using folder = openParent(join(realpathSync(workspace), path))
  if (folder === null) throw elsewhere(path)
  const file = folder.at(basename(path))
  if (!isFile(file)) throw elsewhere(path)
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
  const place = join(state, 'trash', stamp, path)
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  if (!folder.isHere()) throw elsewhere(path)
  moveFile(file, place)
  // A link that replaced the note at the last moment was moved as a link.
  if (!isFile(place)) throw elsewhere(path)
  return place
}

function openParent(file: string): FolderHandle | null {
  try {
    return openFolder(dirname(file))
  } catch {
    return null
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function elsewhere(path: string): CommandError {
  return new CommandError('not-in-workspace', `${path} is not a file of the workspace, so it is not moved`, {
    next: 'Remove the file yourself, then run mnemark forget again.',
  })
}
