import { memoryTools } from '@mnemark/tools'
import type { Caller, MemoryTools } from '@mnemark/tools'
import { expandHome } from '../config/files/home-path.ts'
import { loadSettings } from '../config/load-settings.ts'
import { withoutUndefined } from '../config/without-undefined.ts'
import type { StartupContext } from '../context/startup-context.ts'
import { requireMemory } from '../memory/open/memory-off.ts'
import { ownerUnlessNamed, withChatOfKey } from '../memory/open/owner-caller.ts'
import { AgentMemory } from './agent-memory.ts'

/** Paths may begin with `~/`. */
export interface AgentToolsOptions {
  /** The folder of notes; found as on the command line when left out. */
  readonly workspace?: string
  /** The agent whose settings and index are used. Default: `main`. */
  readonly agent?: string
  /** A configuration file that replaces the usual ones. */
  readonly config?: string
  /** Keeps the index in this folder. */
  readonly state?: string
  /** The caller in every call; a model cannot change it. Default: a direct chat in the main session. */
  readonly caller?: Caller
  /** Leaves out the tools that write. Default: as configured. */
  readonly isReadOnly?: boolean
}

/** One agent's memory as tools for a model, in this process. */
export interface AgentTools extends MemoryTools, AsyncDisposable {
  /** The text for the start of a session; `text` is empty if there is nothing yet. */
  context(options?: {
    readonly budgetTokens?: number
    /** The first question of the session: what is known of it stands first. */
    readonly question?: string
    readonly signal?: AbortSignal
  }): Promise<StartupContext>
  close(): Promise<void>
}

/** Opens a memory for an agent in this process. Rejects with an error that names the cause, for a bad configuration or an index that cannot be kept. */
export async function openMemoryTools(options: AgentToolsOptions = {}): Promise<AgentTools> {
  const { isReadOnly, agent } = options
  const caller = withChatOfKey(ownerUnlessNamed(options.caller ?? {}))
  const [workspace, config, state] = [options.workspace, options.config, options.state].map(atHome)
  const settings = await loadSettings(withoutUndefined({ agent, workspace, config, state }), process.cwd(), process.env)
  requireMemory(settings)
  const memory = await AgentMemory.open(settings, {
    isReadOnly: isReadOnly ?? settings.serve.isReadOnly,
    isMasking: settings.serve.isMasking,
    isWatching: false,
  })
  const close = (): Promise<void> => memory.close()
  return {
    ...memoryTools({ host: memory, caller, overview: await memory.overview({ caller }) }),
    context: ({ signal, ...request } = {}) => memory.context(request, { caller, signal }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Expands `~`: no shell did. */
function atHome(path: string | undefined): string | undefined {
  return path === undefined ? undefined : expandHome(path)
}
