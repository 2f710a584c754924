import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { systemCode } from '../problems.ts'
import { type FolderHandle, openFolderBelow } from '../paths/real-place.ts'

/** Versions kept of one note; the oldest goes first. */
const MAX_VERSIONS = 20

/** Where versions are kept. */
export interface HistoryPlace {
  /** Absolute. */
  readonly folder: string
  /** Real path of the workspace: in it no link is followed on the way to `folder`. */
  readonly workspace: string
}

/** Opens the folder for the versions of one note, made where it is missing. A `.mnemark` made on the way keeps itself out of git. */
export function openHistory({ folder, workspace }: HistoryPlace, path: string): FolderHandle {
  const names = path.split('/')
  const inWorkspace = relative(workspace, folder).split(sep)
  if (inWorkspace[0] !== '..' && relative(workspace, folder) !== '') {
    keepOutOfGit(workspace, inWorkspace)
    return openFolderBelow(workspace, [...inWorkspace, ...names], 0o700)
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return openFolderBelow(realpathSync.native(folder), names, 0o700)
}

function keepOutOfGit(workspace: string, names: readonly string[]): void {
  const state = names.slice(0, -1)
  if (state.at(-1) !== '.mnemark' || lstatSync(join(workspace, ...state), { throwIfNoEntry: false }) !== undefined) return
  using folder = openFolderBelow(workspace, state, 0o700)
  try {
    writeFileSync(folder.at('.gitignore'), '*\n', { flag: 'wx' })
  } catch (error) {
    // Another process was faster.
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

/** Keeps the bytes of a note as they were, under the instant of the edit, and drops the oldest over the limit. Returns the name of the file. */
export function keepVersion(
  folder: FolderHandle,
  path: string,
  version: { readonly bytes: Uint8Array; readonly nowMs: number; readonly mode: number; readonly isConflict?: boolean },
): string {
  const stamp = new Date(version.nowMs).toISOString().replaceAll(':', '-')
  // The name marks text that another program saved at the moment of writing.
  const extension = (version.isConflict === true ? '.conflict' : '') + extname(path)
  const write = (count: number): string => {
    const name = `${stamp}${count === 0 ? '' : `-${count}`}${extension}`
    try {
      writeFileSync(folder.at(name), version.bytes, { flag: 'wx', mode: version.mode & 0o600 })
      return name
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return write(count + 1)
      throw error
    }
  }
  const kept = write(0)
  const versions = readdirSync(folder.path).filter((name) => /^\d{4}-\d{2}-\d{2}T/u.test(name))
  versions.sort()
  for (const name of versions.slice(0, -MAX_VERSIONS)) rmSync(folder.at(name), { force: true })
  return kept
}
