import { aiSdkTools } from './ai-sdk-tools.ts'
import type { AiSdkTool } from './ai-sdk-tools.ts'
import { callTool } from './call-tool.ts'
import type { ToolResult } from './call-tool.ts'
import { guidanceFor } from './guidance.ts'
import type { Caller, MemoryCall, Overview, ToolHost } from './host/host.ts'
import { memoryHost } from './host/memory-host.ts'
import type { MemoryHostOptions } from './host/memory-host.ts'
import { toolDefinitions } from './definition/tool-definitions.ts'
import type { ToolDefinition } from './definition/tool-definitions.ts'
import { toolList } from './tools/tool-list.ts'

interface ToolsOptions {
  /** The caller in every call; a model cannot change it. Default: a direct chat in the main session. */
  readonly caller?: Caller
  /** The size of the memory, for `guidance`. */
  readonly overview?: Overview | null
}

/** A backend, with a workspace for writing; or your own host. */
export type MemoryToolsOptions = ToolsOptions & (MemoryHostOptions | { readonly host: ToolHost })

/** A memory as tools for a model, in this process. */
export interface MemoryTools {
  /** For a system prompt: how to use the memory. */
  readonly guidance: string
  /** For any model API: names, descriptions, and inputs as JSON Schema. */
  readonly definitions: readonly ToolDefinition[]
  /** The same for OpenAI's `strict: true`: optional parameters are sent as `null`. */
  readonly strictDefinitions: readonly ToolDefinition[]
  /** For the AI SDK. */
  readonly aiSdk: Readonly<Record<string, AiSdkTool>>
  /** The host behind the tools; `createMcpServer` of `@mnemark/tools/mcp` accepts it too. */
  readonly host: ToolHost
  /**
   * Runs a tool that a model called. Rejects only with the signal's reason; any other failure is an answer the model can act on.
   */
  call(name: string, input: unknown, options?: Pick<MemoryCall, 'signal' | 'onProgress'>): Promise<ToolResult>
}

/** The memory stays the caller's, who closes it. */
export function memoryTools(options: MemoryToolsOptions): MemoryTools {
  const { caller = { chatType: 'direct' } } = options
  const host = 'host' in options ? options.host : memoryHost(options)
  const tools = toolList(host)
  return {
    guidance: guidanceFor(host, options.overview),
    definitions: toolDefinitions(tools, host),
    strictDefinitions: toolDefinitions(tools, host, { isStrict: true }),
    aiSdk: aiSdkTools(tools, host, caller),
    host,
    call: (name, input, call = {}) => callTool({ tools, host }, name, input, { ...call, caller }),
  }
}
