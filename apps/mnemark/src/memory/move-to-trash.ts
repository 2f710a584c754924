import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { CommandError } from '../failure.ts'
import { moveFile } from './move-originals.ts'

/** Moves a note of the workspace to the trash of its state folder; returns where it lies now. */
export function moveToTrash(
  workspace: string,
  path: string,
  { state, nowMs }: { readonly state: string; readonly nowMs: number },
): string {
  const file = join(workspace, path)
  const folder = realpathSync(workspace)
  // A folder on the way may have become a link meanwhile: nothing outside the workspace is moved.
  if (!join(realpathSync(dirname(file)), basename(file)).startsWith(folder + sep) || !lstatSync(file).isFile()) {
    throw new CommandError('not-in-workspace', `${path} is not a file of the workspace, so it is not moved`, {
      next: 'Remove the file yourself, then run mnemark forget again.',
    })
  }
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
  const place = join(state, 'trash', stamp, path)
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  moveFile(file, place)
  return place
}
