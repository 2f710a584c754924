import { expandHome } from '../config/home-path.ts'
import { loadSettings } from '../config/load-settings.ts'
import { withoutUndefined } from '../config/without-undefined.ts'
import type { StartupContext } from '../context/startup-context.ts'
import { requireMemory } from '../memory/memory-off.ts'
import { ownerUnlessNamed, withChatOfKey } from '../memory/owner-caller.ts'
import { AgentMemory } from './agent-memory.ts'
import { aiSdkTools } from './ai-sdk-tools.ts'
import type { AiSdkTool } from './ai-sdk-tools.ts'
import { MEMORY_GUIDANCE } from './guidance.ts'
import type { Caller } from './memory-tool.ts'
import { runTool } from './run-tool.ts'
import { toolDefinitions } from './tool-definitions.ts'
import type { ToolDefinition } from './tool-definitions.ts'
import { toToolFailure } from './tool-failure.ts'
import { memoryTools } from './tool-list.ts'

/** Paths may begin with `~/`. */
export interface MemoryToolsOptions {
  /** The folder of notes; found as on the command line when left out. */
  readonly workspace?: string
  /** The agent whose settings and index are used: `main`. */
  readonly agent?: string
  /** A configuration file instead of the usual ones. */
  readonly config?: string
  /** Keep the index in this folder. */
  readonly state?: string
  /** Who asks, in every call; a model has no say in it. Default: a direct chat in the main session. */
  readonly caller?: Caller
  /** Without the tool that writes. Default: as configured. */
  readonly isReadOnly?: boolean
}

/** What a tool answers a model: words, with quoted text marked as data. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

/** The memory of one agent as tools for a model, in this process. */
export interface MemoryTools extends AsyncDisposable {
  /** For a system prompt: how to use the memory. */
  readonly guidance: string
  /** For any model API: names, descriptions, and inputs as JSON Schema. */
  readonly definitions: readonly ToolDefinition[]
  /** For the AI SDK. */
  readonly aiSdk: Readonly<Record<string, AiSdkTool>>
  /** Runs what a model called. Never rejects for a failure that the model can act on; it is the answer then. */
  call(name: string, input: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>
  /** What a session begins with; `text` is empty where there is nothing yet. */
  context(options?: { readonly budgetTokens?: number; readonly signal?: AbortSignal }): Promise<StartupContext>
  close(): Promise<void>
}

/** Opens a memory for an agent in this process. Rejects with an error that names the cause, for a bad configuration or an index that cannot be kept. */
export async function openMemoryTools(options: MemoryToolsOptions = {}): Promise<MemoryTools> {
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
  const tools = memoryTools(memory)
  const close = (): Promise<void> => memory.close()
  return {
    guidance: MEMORY_GUIDANCE,
    definitions: toolDefinitions(tools, settings),
    aiSdk: aiSdkTools(tools, memory, caller),
    call: async (name, input, { signal } = {}) => {
      const tool = tools.find((candidate) => candidate.name === name)
      if (tool === undefined)
        return { text: `There is no tool ${name}. The tools: ${tools.map((one) => one.name).join(', ')}.`, isError: true }
      try {
        return { text: (await runTool(tool, memory, input, { caller, signal })).text, isError: false }
      } catch (error) {
        signal?.throwIfAborted()
        const { message, next } = toToolFailure(error)
        return { text: `${message} ${next}`, isError: true }
      }
    },
    context: ({ signal, ...request } = {}) => memory.context(request, { caller, signal }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** No shell has looked at these paths. */
function atHome(path: string | undefined): string | undefined {
  return path === undefined ? undefined : expandHome(path)
}
