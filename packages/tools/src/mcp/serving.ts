import type { ServerContext } from '@modelcontextprotocol/server'
import type { Caller, MemoryCall, Overview, ToolFailure, ToolHost } from '../host/host.ts'
import { toToolFailure } from '../reply/tool-failure.ts'
import { progressReporter } from './progress-reporter.ts'

export interface McpServerOptions {
  readonly host: ToolHost
  /** The name of the server for clients: `mnemark`, `Mnemark memory`. */
  readonly name?: string
  readonly title?: string
  readonly version: string
  /** The caller behind a request; never read from text of a model. Default: a direct chat in the main session. */
  readonly callerOf?: (context: ServerContext) => Caller
  /** The size of the memory, for the instructions. */
  readonly overview?: Overview | null
  /** Adds `search` and `fetch` as connectors of ChatGPT need them. */
  readonly isConnector?: boolean
  /** Limits the time of a call; without it a call may take as long as its client waits. */
  readonly limited?: (signal: AbortSignal) => AbortSignal
  /** Receives failures that are not the caller's fault, by name and code. */
  readonly log?: (message: string) => void
}

/** The same with defaults filled in. */
export type McpServing = McpServerOptions & Required<Pick<McpServerOptions, 'callerOf' | 'log'>>

/** The context of every call of a request: its caller, its signal, and its progress reporter. */
export function callOf(context: ServerContext, { callerOf, limited = (signal) => signal }: McpServing): MemoryCall {
  const token = context.mcpReq._meta?.progressToken
  return {
    caller: callerOf(context),
    signal: limited(context.mcpReq.signal),
    ...(token === undefined
      ? {}
      : { onProgress: progressReporter(token, (notification) => context.mcpReq.notify(notification)) }),
  }
}

/** The failure shown for a failed request. An unknown caller sees the least. */
export function failureOf(error: unknown, context: ServerContext, { host, callerOf }: McpServing): ToolFailure {
  try {
    return toToolFailure(error, host, callerOf(context))
  } catch {
    return toToolFailure(error, host, { chatType: 'group' })
  }
}
