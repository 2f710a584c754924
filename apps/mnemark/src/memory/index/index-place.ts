import { accessSync, constants, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { hash } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import { userFolders } from '../../config/files/user-folders.ts'
import type { Settings } from '../../config/load-settings.ts'
import { CommandError } from '../../failure.ts'
import { EXIT } from '../../exit-code.ts'

/** The location of an agent's index. */
export interface IndexPlace {
  readonly file: string
  /** True if there is no such file yet. */
  readonly isNew: boolean
  /** True for a location only Mnemark uses; `store.path` may name any file by mistake. */
  readonly isOwn: boolean
  /** Why it is outside the workspace, unless that was configured; else null. */
  readonly note: string | null
}

type PlaceSettings = Pick<Settings, 'agentId' | 'workspace' | 'stateFolder' | 'storePath'>

/**
 * Finds the index file and makes its folder writable: in `--state`, else at `store.path`, else in the workspace, else (if the
 * workspace cannot be written) in the user's state folder. Throws CommandError if none of these works.
 */
export function prepareIndexPlace(settings: PlaceSettings): IndexPlace {
  const asked = askedPlace(settings)
  if (asked !== null) {
    const problem = makeWritable(asked)
    if (problem === null) return place(settings, asked, null)
    throw new CommandError('no-index-place', `the index cannot be kept at ${asked}: ${problem}`, {
      exitCode: EXIT.unavailable,
      next: 'Name a writable place with --state DIR or with store.path.',
    })
  }
  const own = ownPlace(settings)
  const problem = makeWritable(own) ?? ignoreByGit(dirname(own))
  if (problem === null) return place(settings, own, null)
  const file = statePlace(settings, userFolders().state)
  const stateProblem = makeWritable(file)
  if (stateProblem === null)
    return place(settings, file, `the workspace cannot be written (${problem}): the index is kept at ${file}`)
  throw new CommandError(
    'no-index-place',
    `the index can be kept neither at ${own} (${problem}) nor at ${file} (${stateProblem})`,
    {
      exitCode: EXIT.unavailable,
      next: 'Name a writable place with --state DIR.',
    },
  )
}

function place(settings: PlaceSettings, file: string, note: string | null): IndexPlace {
  const isOwn = settings.stateFolder !== null || settings.storePath === null
  return { file, isNew: !existsSync(file), isOwn, note }
}

/** The existing index, or null; creates nothing. */
export function findIndexPlace(settings: PlaceSettings): IndexPlace | null {
  const file = possibleIndexFiles(settings).find((candidate) => existsSync(candidate))
  return file === undefined ? null : place(settings, file, null)
}

/** All places the index may be. */
export function possibleIndexFiles(settings: PlaceSettings): readonly string[] {
  const asked = askedPlace(settings)
  return asked === null ? [ownPlace(settings), statePlace(settings, userFolders().state)] : [asked]
}

function askedPlace(settings: PlaceSettings): string | null {
  if (settings.stateFolder !== null) return statePlace(settings, settings.stateFolder)
  return settings.storePath === null ? null : resolve(settings.workspace, settings.storePath)
}

function ownPlace({ workspace, agentId }: PlaceSettings): string {
  return join(workspace, '.mnemark', `${agentId}.sqlite`)
}

/** Workspaces are identified by their real path: the same folder through a link has one index. */
function statePlace({ workspace, agentId }: PlaceSettings, stateFolder: string): string {
  const real = realpathSync(workspace)
  const key = `${basename(real) || 'root'}-${hash('sha256', real, 'hex').slice(0, 16)}`
  return join(stateFolder, 'workspaces', key, `${agentId}.sqlite`)
}

/** Why the file cannot be written, or null. */
function makeWritable(file: string): string | null {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    accessSync(dirname(file), constants.W_OK)
    if (existsSync(file)) accessSync(file, constants.W_OK)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

function ignoreByGit(folder: string): string | null {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
    return null
  } catch (error) {
    return reasonOf(error) === 'EEXIST' ? null : reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
}
