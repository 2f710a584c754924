import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@mnemark/spec'

/** Folders of one agent's QMD; all absolute. */
export interface QmdHome {
  readonly root: string
  readonly config: string
  readonly cache: string
  /** Folder of exported session transcripts; a collection where sessions are searched. */
  readonly sessions: string
  readonly models: string
  /** Index file of the program. */
  readonly index: string
}
export type Environment = Readonly<Record<string, string | undefined>>

/** The home of an agent below a state folder. Throws ConfigError for an id that is no folder name. */
export function qmdHome(stateFolder: string, agentId: string): QmdHome {
  if (!/^[^\\/:\0]+$/.test(agentId) || /^\.+$/.test(agentId)) {
    throw new ConfigError('invalid-value', `agent: expected a name without separators, got ${JSON.stringify(agentId)}`)
  }
  const root = join(stateFolder, 'agents', agentId, 'qmd')
  const cache = join(root, 'xdg-cache')
  return {
    root,
    config: join(root, 'xdg-config'),
    cache,
    sessions: join(root, 'sessions'),
    models: join(cache, 'qmd', 'models'),
    index: join(cache, 'qmd', 'index.sqlite'),
  }
}

/** Makes the folders, readable by their owner only, and lets the agent use the user's existing models. */
export async function prepareHome(home: QmdHome, environment: Environment): Promise<void> {
  for (const folder of [home.config, home.sessions, join(home.cache, 'qmd')])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  const models = usersModels(environment)
  if (models === home.models || existsSync(home.models) || !existsSync(models)) return
  try {
    await symlink(models, home.models, process.platform === 'win32' ? 'junction' : 'dir')
  } catch {
    // Without the link the program downloads its models again, into this home.
  }
}

/** Folder of the models when `qmd` is run by hand. */
export function usersModels(environment: Environment): string {
  const cache = environment['XDG_CACHE_HOME']
  return join(cache === undefined || cache === '' ? join(homedir(), '.cache') : cache, 'qmd', 'models')
}
