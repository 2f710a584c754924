import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '@mnemark/spec'
import { CommandError } from '../failure.ts'
import type { Config } from './config.ts'
import type { Environment } from './expand-variables.ts'
import { findWorkspace, isFile, isFolder } from './find-workspace.ts'
import { resolveSettings, resolveWorkspace } from './resolve-settings.ts'
import type { AgentSettings } from './settings.ts'
import { userFolders } from './user-folders.ts'

export const CONFIG_FILE = 'mnemark.json5'

/** The options every command takes, as typed. */
export interface GlobalOptions {
  readonly workspace?: string
  readonly agent?: string
  readonly config?: string
  readonly state?: string
}

export interface Settings extends AgentSettings {
  readonly agentId: string
  /** Absolute, an existing folder. */
  readonly workspace: string
  readonly workspaceFrom: 'option' | 'configuration' | 'found' | 'current'
  readonly configFile: string | null
  /** `--state`, absolute. */
  readonly stateFolder: string | null
  readonly notHonoured: readonly string[]
  /** The file as written, with its secrets: `maskSecrets` before anything of it is shown. */
  readonly config: Config
  /** Where `${NAME}` and keys are looked up; full of secrets, never shown. */
  readonly environment: Environment
}

interface LoadedConfig {
  readonly file: string | null
  readonly config: Config
  readonly warnings: readonly string[]
  readonly notHonoured: readonly string[]
}

const NO_CONFIG: LoadedConfig = { file: null, config: {}, warnings: [], notHonoured: [] }

/**
 * Finds the workspace and the configuration, which may name each other: an option wins, then the configuration, then the nearest
 * folder upwards, then `currentFolder`. Throws CommandError for a bad option and ConfigError for a bad file.
 */
export async function loadSettings(options: GlobalOptions, currentFolder: string, environment: Environment): Promise<Settings> {
  const agentId = options.agent ?? 'main'
  requireAgentId(agentId)
  const given = options.workspace === undefined ? null : folderOption('--workspace', resolve(currentFolder, options.workspace))
  const found = given ?? findWorkspace(currentFolder)
  let loaded = await loadConfig(options, currentFolder, found ?? currentFolder)
  const configured = given === null ? configuredWorkspace(loaded, agentId, environment) : null
  const workspace = given ?? configured ?? found ?? currentFolder
  // A configuration of the user that points to a workspace gives way to the file in that workspace.
  if (configured !== null && options.config === undefined && dirname(loaded.file ?? '') !== workspace) {
    loaded = await loadFile(join(workspace, CONFIG_FILE), loaded)
  }
  const settings = resolveSettings(loaded.config, agentId, environment)
  return {
    ...settings,
    agentId,
    workspace,
    workspaceFrom: given !== null ? 'option' : configured !== null ? 'configuration' : found !== null ? 'found' : 'current',
    configFile: loaded.file,
    stateFolder: options.state === undefined ? null : resolve(currentFolder, options.state),
    warnings: [...loaded.warnings, ...settings.warnings],
    notHonoured: loaded.notHonoured,
    config: loaded.config,
    environment,
  }
}

function requireAgentId(agentId: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(agentId)) return
  throw new CommandError('bad-option', `--agent is ${JSON.stringify(agentId)}: letters, digits, "-" and "_", at most 64`, {
    next: 'Name the agent as in agents.list of the configuration.',
  })
}

function folderOption(name: string, path: string): string {
  if (isFolder(path)) return path
  throw new CommandError('no-folder', `${name}: ${path} is not a folder`, {
    next: 'Check the path, or make the folder with mnemark init.',
  })
}

async function loadConfig(options: GlobalOptions, currentFolder: string, workspace: string): Promise<LoadedConfig> {
  if (options.config === undefined) {
    const own = await loadFile(join(workspace, CONFIG_FILE), null)
    return own ?? loadFile(join(userFolders().config, CONFIG_FILE), NO_CONFIG)
  }
  const file = resolve(currentFolder, options.config)
  if (!isFile(file)) {
    throw new CommandError('no-file', `--config: ${file} is not a file`, { next: 'Check the path.' })
  }
  return loadFile(file, NO_CONFIG)
}

/** `otherwise` where there is no such file. */
async function loadFile<Otherwise>(file: string, otherwise: Otherwise): Promise<LoadedConfig | Otherwise> {
  if (!isFile(file)) return otherwise
  const { readConfig } = await import('./read-config.ts')
  return { file, ...(await readConfig(readText(file), file)) }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new ConfigError('invalid-value', `${file} cannot be read: ${reason}`, { cause: error })
  }
}

function configuredWorkspace(loaded: LoadedConfig, agentId: string, environment: Environment): string | null {
  if (loaded.file === null) return null
  const workspace = resolveWorkspace(loaded.config, agentId, environment)
  if (workspace === null) return null
  const path = resolve(dirname(loaded.file), workspace)
  if (!isFolder(path)) {
    throw new ConfigError(
      'invalid-value',
      `${loaded.file}: workspace is ${JSON.stringify(workspace)}; allowed: an existing folder`,
    )
  }
  return path
}
