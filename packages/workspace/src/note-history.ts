import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { systemCode } from './problems.ts'

/** Versions kept of one note; the oldest goes first. */
const MAX_VERSIONS = 20
/** An edit takes milliseconds: a mark this old was left by a process that was killed. */
const STALE_MS = 10_000
const MARK = 'editing'

/** Makes the folder for the versions of one note. A `.mnemark` made on the way keeps itself out of git. */
function prepareFolder(historyFolder: string, path: string): string {
  const folder = join(historyFolder, path)
  const state = dirname(historyFolder)
  const isNewState = basename(state) === '.mnemark' && !existsSync(state)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isNewState) writeFileSync(join(state, '.gitignore'), '*\n')
  return folder
}

/**
 * Runs `work` while no other process edits the same note.
 * @throws WorkspaceError `conflict` where one does
 */
export function whileEditing<Result>(historyFolder: string, path: string, work: (folder: string) => Result): Result {
  const folder = prepareFolder(historyFolder, path)
  const mark = join(folder, MARK)
  if (!place(mark)) {
    if (!isStale(mark)) throw new WorkspaceError('conflict', `${path} is being edited by another process. Read it again.`)
    rmSync(mark, { force: true })
    if (!place(mark)) throw new WorkspaceError('conflict', `${path} is being edited by another process. Read it again.`)
  }
  try {
    return work(folder)
  } finally {
    rmSync(mark, { force: true })
  }
}

function place(mark: string): boolean {
  try {
    closeSync(openSync(mark, 'wx', 0o600))
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function isStale(mark: string): boolean {
  const stats = statSync(mark, { throwIfNoEntry: false })
  return stats === undefined || Math.abs(Date.now() - stats.mtimeMs) > STALE_MS
}

/** Keeps the bytes of a note as they were, under the instant of the edit, and drops the oldest over the limit. Returns the file. */
export function keepVersion(
  folder: string,
  path: string,
  version: { readonly bytes: Uint8Array; readonly nowMs: number; readonly mode: number },
): string {
  const stamp = new Date(version.nowMs).toISOString().replaceAll(':', '-')
  const extension = extname(path)
  const write = (count: number): string => {
    const file = join(folder, `${stamp}${count === 0 ? '' : `-${count}`}${extension}`)
    try {
      writeFileSync(file, version.bytes, { flag: 'wx', mode: version.mode & 0o600 })
      return file
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return write(count + 1)
      throw error
    }
  }
  const file = write(0)
  const versions = readdirSync(folder).filter((name) => /^\d{4}-\d{2}-\d{2}T/u.test(name))
  versions.sort()
  for (const name of versions.slice(0, -MAX_VERSIONS)) rmSync(join(folder, name), { force: true })
  return file
}
