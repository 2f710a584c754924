import { lstatSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { CommandError } from '../failure.ts'

/** Moves a note of the workspace to `.mnemark/trash` in it, in one step; returns where it lies now, relative to the workspace. */
export function moveToTrash(workspace: string, path: string, nowMs: number): string {
  const file = join(workspace, path)
  const folder = realpathSync(workspace)
  // A folder on the way may have become a link meanwhile: nothing outside the workspace is moved.
  if (!join(realpathSync(dirname(file)), basename(file)).startsWith(folder + sep) || !lstatSync(file).isFile()) {
    throw new CommandError('not-in-workspace', `${path} is not a file of the workspace, so it is not moved`, {
      next: 'Remove the file yourself, then run mnemark forget again.',
    })
  }
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
  const place = join('.mnemark', 'trash', stamp, path)
  mkdirSync(join(workspace, dirname(place)), { recursive: true, mode: 0o700 })
  keepFromGit(join(workspace, '.mnemark', '.gitignore'))
  renameSync(file, join(workspace, place))
  return place
}

function keepFromGit(file: string): void {
  try {
    writeFileSync(file, '*\n', { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
