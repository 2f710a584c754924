import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { BackendError } from '@mnemark/spec'
import type { QmdCollection } from './collections/qmd-collection.ts'
import { isFolder } from './collections/register-collections.ts'
import type { Environment, QmdHome } from './home.ts'
import { QmdProgram, type SearchMode } from './program/qmd-program.ts'
import { ownPlace, resolveCommand } from './program/resolve-command.ts'
import { modelState } from './upkeep/models.ts'

/** One finding about QMD's requirements. */
export interface QmdCheck {
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  /** Next step for the user. */
  readonly next?: string
}
export interface QmdCheckRequest {
  readonly home: QmdHome
  readonly collections: readonly QmdCollection[]
  readonly command?: string
  readonly searchMode?: SearchMode
  readonly environment?: Environment
  readonly platform?: NodeJS.Platform
  readonly timeoutMs?: number
}

/** The tested version; older ones are supported as far as they answer. */
const TRIED = '2.8'
const OLDEST_TRIED_MAJOR = 2

/** Checks QMD's requirements: the program, its version, a place to write, the folders, the models. */
export async function checkQmd(request: QmdCheckRequest): Promise<readonly QmdCheck[]> {
  const { home, collections, environment = process.env, searchMode = 'search' } = request
  return [
    await checkProgram(request, environment),
    ...checkHome(home),
    ...collections
      .filter(({ folder, isOptional }) => isOptional !== true && folder !== home.sessions && !isFolder(folder))
      .map(missing),
    ...checkModels(searchMode, home, environment),
  ]
}

async function checkProgram(request: QmdCheckRequest, environment: Environment): Promise<QmdCheck> {
  const { home, command = 'qmd', platform = process.platform, timeoutMs = 30_000 } = request
  const resolution = resolveCommand(command, ownPlace(environment))
  if (!resolution.isFound) return { status: 'failed', message: `qmd: ${resolution.reason}`, next: installHint(platform) }
  const timeouts = { searchMs: timeoutMs, commandMs: timeoutMs, updateMs: timeoutMs, embedMs: timeoutMs }
  try {
    const version = await new QmdProgram({ command, home, environment, timeouts }).version()
    return judgeVersion(version, [resolution.command.program, ...resolution.command.args].at(-1) ?? command)
  } catch (error) {
    if (!BackendError.isInstance(error)) throw error
    return { status: 'failed', message: error.message, next: installHint(platform) }
  }
}

function judgeVersion(version: string | null, program: string): QmdCheck {
  const message = `qmd ${version ?? 'of an unknown version'} (${program})`
  if (version !== null && Number.parseInt(version, 10) >= OLDEST_TRIED_MAJOR) return { status: 'ok', message }
  return {
    status: 'warning',
    message: `${message}; ${TRIED} is what was tried`,
    next: 'Update it: `npm install -g @tobilu/qmd`. Older versions are used as far as they answer.',
  }
}

function checkHome({ root }: QmdHome): readonly QmdCheck[] {
  let folder = root
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return []
  } catch {
    return [{ status: 'failed', message: `qmd: ${folder} cannot be written`, next: 'Name a writable place with --state DIR.' }]
  }
}

function missing({ name, folder }: QmdCollection): QmdCheck {
  return {
    status: 'warning',
    message: `qmd: collection ${name} has no folder (${folder})`,
    next: 'Correct its path in memory.qmd.paths, or mount what belongs there.',
  }
}

function checkModels(mode: SearchMode, home: QmdHome, environment: Environment): readonly QmdCheck[] {
  const { needed, present, isDownloading } = modelState(mode, home, environment)
  if (present >= needed) return []
  const state = isDownloading ? 'more are being downloaded' : 'about 2 GB are still to be downloaded'
  return [
    {
      status: 'warning',
      message: `qmd: ${present} of the ${needed} models of mode "${mode}" are there; ${state}`,
      next: 'Keywords answer until then. `mnemark index` fetches them; or set memory.qmd.searchMode to "search", which needs none.',
    },
  ]
}

export function installHint(platform: NodeJS.Platform): string {
  const command = '`npm install -g @tobilu/qmd` (Node 22 or newer)'
  if (platform === 'darwin') {
    return `Install it: ${command}. With bun instead of Node it also needs \`brew install sqlite\`, for extensions.`
  }
  if (platform === 'win32') {
    return `Install it: ${command}, and open a new terminal. Where it still is not found, give the path of qmd.cmd in memory.qmd.command.`
  }
  return `Install it: ${command}. Where that is not permitted: \`npm config set prefix ~/.local\` first, with ~/.local/bin on the PATH.`
}
