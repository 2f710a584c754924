import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Settings } from '../config/load-settings.ts'
import { realFolder } from '../config/trust/trust-list.ts'
import { userFolders } from '../config/files/user-folders.ts'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { readVersion } from '../terminal/version.ts'
import { hasOriginals, moveOriginals } from './move-originals.ts'

// State that cannot be rebuilt from the notes (kept versions, the trash, forgotten notes, given trust) is in a folder of the
// user's state, one for each workspace: `.mnemark/` in the workspace may be deleted at any time.

/** Raised when the content of such a folder changes its meaning; an older program must leave it alone. */
const FORMAT = 1
const RECORD = 'workspace.json'
const ID_FILE = 'id'
const ID = /^[0-9a-f]{32}$/

export type StateSettings = Pick<Settings, 'workspace' | 'stateFolder' | 'agentId'>

interface WorkspaceRecord {
  readonly format: number
  /** Version of the program that wrote it. */
  readonly writtenBy: string
  readonly id: string
  /** Real path of the workspace: a folder elsewhere with the same id is a copy, or came from somebody else. */
  readonly workspace: string
}

/** A folder of state, with the record in it. */
interface Found {
  readonly folder: string
  readonly record: WorkspaceRecord
}

/** The existing state folder of a workspace, else null; creates nothing. Throws CommandError for one of a newer version. */
export function findState(settings: StateSettings): string | null {
  return stateOf(settings, realFolder(settings.workspace))?.folder ?? null
}

/**
 * The state folder of a workspace, created if missing; state that an earlier version kept in the workspace is moved there. Throws
 * CommandError if it cannot be created.
 */
export function prepareState(settings: StateSettings): string {
  const workspace = realFolder(settings.workspace)
  const folder = stateOf(settings, workspace)?.folder ?? makeState(settings, { id: randomBytes(16).toString('hex'), workspace })
  moveOriginals(workspace, folder)
  return folder
}

/**
 * The state folder of a workspace, if it has one, or if an earlier version kept state in the workspace, which is then moved; null
 * if there is no state yet. If nothing can be written, state in the workspace stays there.
 */
export function currentState(settings: StateSettings): string | null {
  try {
    const found = findState(settings)
    if (found === null && !hasOriginals(realFolder(settings.workspace))) return null
    return prepareState(settings)
  } catch (error) {
    if (error instanceof CommandError && error.code === 'no-state') return null
    throw error
  }
}

/** The former path of a moved workspace: its id is known, and nothing is at that path any more. */
export function movedFrom(settings: StateSettings): string | null {
  const workspace = realFolder(settings.workspace)
  const id = readId(workspace)
  if (id === null || stateOf(settings, workspace) !== null) return null
  const before = everyState(settings).find(({ record }) => record.id === id)?.record.workspace
  return before === undefined || isThere(before) ? null : before
}

/** Takes over the state of a workspace that was at `from`. Returns false if there is none, or something is still at `from`. */
export function adoptState(settings: StateSettings, from: string): boolean {
  const workspace = realFolder(settings.workspace)
  const found = everyState(settings).find(({ record }) => record.workspace === from)
  if (found === undefined || isThere(from)) return false
  const own = stateOf(settings, workspace)
  writeRecord(found.folder, { ...found.record, workspace, writtenBy: readVersion() })
  if (own !== null) {
    moveOriginals(own.folder, found.folder, '.')
    rmSync(own.folder, { recursive: true, force: true })
  }
  leaveId(settings, { workspace, id: found.record.id })
  return true
}

/** Former paths of workspaces that have state and whose folder is gone. */
export function orphanedStates(settings: StateSettings): readonly string[] {
  return everyState(settings).flatMap(({ record }) => (isThere(record.workspace) ? [] : [record.workspace]))
}

function stateOf(settings: StateSettings, workspace: string): Found | null {
  const found =
    stateOfId(settings, workspace) ?? everyState(settings).find(({ record }) => record.workspace === workspace) ?? null
  if (found === null || found.record.format <= FORMAT) return found
  const { folder, record } = found
  throw new CommandError(
    'state-too-new',
    `${folder} was written by Mnemark ${record.writtenBy}, and is not touched by this version`,
    {
      exitCode: EXIT.broken,
      next: `Use Mnemark ${record.writtenBy} or newer.`,
    },
  )
}

/** Avoids reading every state folder; the id in the file counts only if the record there agrees. */
function stateOfId(settings: StateSettings, workspace: string): Found | null {
  const id = readId(workspace)
  const name = id === null ? undefined : namesIn(rootOf(settings)).find((each) => each.endsWith(`-${id}`))
  if (name === undefined) return null
  const folder = join(rootOf(settings), name)
  const record = readRecord(join(folder, RECORD))
  return record?.workspace === workspace ? { folder, record } : null
}

function everyState(settings: Pick<StateSettings, 'stateFolder'>): readonly Found[] {
  const root = rootOf(settings)
  return namesIn(root).flatMap((name) => {
    const record = readRecord(join(root, name, RECORD))
    return record === null ? [] : [{ folder: join(root, name), record }]
  })
}

function rootOf({ stateFolder }: Pick<StateSettings, 'stateFolder'>): string {
  return join(stateFolder ?? userFolders().state, 'workspaces')
}

function makeState(settings: StateSettings, { id, workspace }: Pick<WorkspaceRecord, 'id' | 'workspace'>): string {
  const folder = join(rootOf(settings), `${nameFor(workspace)}-${id}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    writeRecord(folder, { format: FORMAT, writtenBy: readVersion(), id, workspace })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new CommandError('no-state', `${folder} cannot be made: ${reason}`, {
      exitCode: EXIT.unavailable,
      next: 'Name a writable folder with --state DIR.',
    })
  }
  leaveId(settings, { workspace, id })
  return folder
}

/** Tells people who look into the folder which one belongs to which workspace. */
function nameFor(workspace: string): string {
  return (
    basename(workspace)
      .replace(/[^\p{L}\p{N}._-]/gu, '_')
      .slice(0, 40) || 'root'
  )
}

/**
 * Leaves an id by which the folder is recognised after a move. A workspace that cannot or must not be written is found by its
 * path alone.
 */
function leaveId({ stateFolder }: StateSettings, { workspace, id }: Pick<WorkspaceRecord, 'workspace' | 'id'>): void {
  if (stateFolder !== null) return
  const folder = join(workspace, '.mnemark')
  try {
    // Not recursive: a workspace that is gone is not created again.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // It exists already, or cannot be created: the next step shows which.
  }
  try {
    writeFileSync(join(folder, ID_FILE), `${id}\n`, { mode: 0o600 })
  } catch {
    // See above.
  }
}

function readId(workspace: string): string | null {
  const id = readText(join(workspace, '.mnemark', ID_FILE))?.trim() ?? ''
  return ID.test(id) ? id : null
}

function readRecord(file: string): WorkspaceRecord | null {
  try {
    const record: unknown = JSON.parse(readText(file) ?? 'null')
    return isRecord(record) ? record : null
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is WorkspaceRecord {
  if (typeof value !== 'object' || value === null) return false
  const { format, id, workspace, writtenBy }: Partial<Record<keyof WorkspaceRecord, unknown>> = value
  return typeof format === 'number' && typeof id === 'string' && typeof workspace === 'string' && typeof writtenBy === 'string'
}

function writeRecord(folder: string, record: WorkspaceRecord): void {
  const temporary = join(folder, `${RECORD}.${process.pid}`)
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, join(folder, RECORD))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function isThere(path: string): boolean {
  return namesIn(dirname(path)).includes(basename(path))
}
