import { existsSync, readdirSync, rmSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Removes the kept versions of a note and its copies in the trash; returns the number of files. */
export function removeCopies(state: string, path: string): number {
  const versions = join(state, 'history', path)
  const trash = join(state, 'trash')
  const days = existsSync(trash) ? readdirSync(trash).map((day) => join(trash, day)) : []
  const copies = days.map((day) => join(day, path)).filter((file) => existsSync(file))
  const count = filesIn(versions) + copies.length
  rmSync(versions, { recursive: true, force: true })
  for (const file of copies) {
    rmSync(file, { force: true })
    removeEmpty(dirname(file), trash)
  }
  return count
}

function filesIn(folder: string): number {
  if (!existsSync(folder)) return 0
  if (statSync(folder).isFile()) return 1
  return readdirSync(folder).reduce((sum, name) => sum + filesIn(join(folder, name)), 0)
}

function removeEmpty(folder: string, root: string): void {
  if (folder === root || readdirSync(folder).length > 0) return
  rmdirSync(folder)
  removeEmpty(dirname(folder), root)
}
