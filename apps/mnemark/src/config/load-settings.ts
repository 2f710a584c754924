import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Scope } from '@mnemark/core/backend'
import { ConfigError } from '@mnemark/spec'
import { CommandError } from '../failure.ts'
import { CONFIG_FILE } from './files/config-file.ts'
import type { Config } from './schema/config.ts'
import type { Environment } from './expand-variables.ts'
import { findWorkspace, isFile, isFolder } from './files/find-workspace.ts'
import { resolveSettings, resolveWorkspace } from './resolve/resolve-settings.ts'
import type { AgentSettings } from './resolve/settings.ts'
import type { TrustedKey } from './trust/trusted-keys.ts'
import { userFolders } from './files/user-folders.ts'
import { mergeConfigs } from './trust/merge-configs.ts'

/** The options every command takes, as typed. */
export interface GlobalOptions {
  readonly workspace?: string
  readonly agent?: string
  readonly config?: string
  readonly state?: string
}

/** Keys of the workspace's own configuration file that do not count, because nobody trusted them on this machine. */
export interface UntrustedConfig {
  readonly file: string
  readonly keys: readonly TrustedKey[]
  /** Trusted keys of the file: they count. */
  readonly agreed: readonly TrustedKey[]
  /** True if a person has refused them already. */
  readonly isRefused: boolean
}

export interface Settings extends AgentSettings {
  readonly agentId: string
  /** Absolute, an existing folder. */
  readonly workspace: string
  readonly workspaceFrom: 'option' | 'configuration' | 'found' | 'current'
  readonly configFile: string | null
  /** The source of providers, programs and keys: the user's own file if that of the workspace is not trusted. */
  readonly trustedFile: string | null
  readonly untrusted: UntrustedConfig | null
  /** Those of `scopes` that may admit callers by name: from trusted configuration. */
  readonly namingScopes: readonly Scope[]
  /** `--state`, absolute. */
  readonly stateFolder: string | null
  readonly notHonoured: readonly string[]
  /** The file as written, with its secrets: apply `maskWritten` before showing any of it. */
  readonly config: Config
  /** The source of `${NAME}` and keys; full of secrets, never shown. */
  readonly environment: Environment
}

interface LoadedConfig {
  readonly file: string | null
  readonly config: Config
  readonly warnings: readonly string[]
  readonly notHonoured: readonly string[]
  readonly trustedFile: string | null
  readonly untrusted: UntrustedConfig | null
  readonly narrowingScope: Scope | null
}

const NO_CONFIG: LoadedConfig = {
  file: null,
  config: {},
  warnings: [],
  notHonoured: [],
  trustedFile: null,
  untrusted: null,
  narrowingScope: null,
}

/** The configuration in force and the workspace, which may name each other. */
interface Located {
  readonly agentId: string
  readonly loaded: LoadedConfig
  readonly workspace: string
  readonly workspaceFrom: Settings['workspaceFrom']
}

/**
 * Finds the workspace and the configuration: an option wins, then the configuration, then the nearest folder upwards, then
 * `currentFolder`. Throws CommandError for a bad option and ConfigError for a bad file.
 */
export async function loadSettings(options: GlobalOptions, currentFolder: string, environment: Environment): Promise<Settings> {
  const { agentId, loaded, workspace, workspaceFrom } = await locate(options, currentFolder, environment)
  const settings = resolveSettings(loaded.config, agentId, environment, loaded.warnings)
  return {
    ...settings,
    agentId,
    workspace,
    workspaceFrom,
    configFile: loaded.file,
    trustedFile: loaded.trustedFile,
    untrusted: loaded.untrusted,
    namingScopes: settings.scopes,
    // Rules of an untrusted file may exclude callers, but admit nobody.
    scopes: [...settings.scopes, ...(loaded.narrowingScope === null ? [] : [loaded.narrowingScope])],
    stateFolder: options.state === undefined ? null : resolve(currentFolder, options.state),
    warnings: [...loaded.warnings, ...settings.warnings],
    notHonoured: loaded.notHonoured,
    config: loaded.config,
    environment,
  }
}

/** The places alone, also of settings that contradict each other, so that these can be changed. Throws as `loadSettings` for all else. */
export async function findConfig(
  options: GlobalOptions,
  currentFolder: string,
  environment: Environment,
): Promise<Pick<Settings, 'configFile' | 'workspace'>> {
  const { loaded, workspace } = await locate(options, currentFolder, environment)
  return { configFile: loaded.file, workspace }
}

async function locate(options: GlobalOptions, currentFolder: string, environment: Environment): Promise<Located> {
  const agentId = options.agent ?? 'main'
  requireAgentId(agentId)
  const given = options.workspace === undefined ? null : folderOption('--workspace', resolve(currentFolder, options.workspace))
  const found = given ?? findWorkspace(currentFolder)
  const near = await loadConfig(options, currentFolder, found ?? currentFolder)
  const configured = given === null ? configuredWorkspace(near.own, agentId, environment) : null
  const workspace = given ?? configured ?? found ?? currentFolder
  // If the user's configuration points to a workspace, the file in that workspace takes precedence.
  const isElsewhere = configured !== null && options.config === undefined && dirname(near.own.file ?? '') !== workspace
  const { loaded } = isElsewhere ? ((await loadOwnFile(workspace)) ?? near) : near
  const workspaceFrom = given !== null ? 'option' : configured !== null ? 'configuration' : found !== null ? 'found' : 'current'
  return { agentId, loaded, workspace, workspaceFrom }
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

/** A file by itself, and the configuration in force: the same, unless a workspace's own file is on top of the user's. */
interface FoundConfig {
  readonly own: LoadedConfig
  readonly loaded: LoadedConfig
}

async function loadConfig(options: GlobalOptions, currentFolder: string, workspace: string): Promise<FoundConfig> {
  if (options.config === undefined) return (await loadOwnFile(workspace)) ?? alone(await loadUserFile())
  const file = resolve(currentFolder, options.config)
  if (!isFile(file)) {
    throw new CommandError('no-file', `--config: ${file} is not a file`, { next: 'Check the path.' })
  }
  return alone((await loadFile(file)) ?? NO_CONFIG)
}

function alone(loaded: LoadedConfig): FoundConfig {
  return { own: loaded, loaded }
}

async function loadUserFile(): Promise<LoadedConfig> {
  return (await loadFile(join(userFolders().config, CONFIG_FILE))) ?? NO_CONFIG
}

/** The workspace's own file without untrusted keys, or null if there is none. */
async function loadOwnFile(workspace: string): Promise<FoundConfig | null> {
  const read = await loadFile(join(workspace, CONFIG_FILE))
  if (read === null || read.file === null) return null
  const { applyTrust } = await import('./trust/apply-trust.ts')
  const { config, isAgreed, agreed, untrusted, isRefused, narrowingScope } = applyTrust(read.config, workspace)
  const judged = untrusted.length === 0 ? null : { file: read.file, keys: untrusted, agreed, isRefused }
  const own: LoadedConfig = { ...read, config, untrusted: judged, narrowingScope, warnings: [...read.warnings, ...unread(read)] }
  if (isAgreed) return alone(own)
  const users = await loadUserFile()
  const loaded: LoadedConfig = {
    ...own,
    config: mergeConfigs(config, users.config),
    warnings: [...users.warnings, ...own.warnings],
    notHonoured: [...new Set([...users.notHonoured, ...own.notHonoured])],
    trustedFile: users.file,
  }
  return { own, loaded }
}

/** A folder from elsewhere cannot give names to folders of this machine. */
function unread({ file, config }: LoadedConfig): readonly string[] {
  return config.workspaces === undefined ? [] : [`${file}: workspaces counts in the user's own configuration only`]
}

/** Null if there is no such file. */
async function loadFile(file: string): Promise<LoadedConfig | null> {
  if (!isFile(file)) return null
  const { readConfig } = await import('./read/read-config.ts')
  return { ...NO_CONFIG, file, trustedFile: file, ...(await readConfig(readText(file), file)) }
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
