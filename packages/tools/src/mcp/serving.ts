import type { ServerContext } from '@modelcontextprotocol/server'
import type { Caller, MemoryCall, Overview, ToolFailure, ToolHost } from '../host/host.ts'
import { toToolFailure } from '../reply/tool-failure.ts'
import { progressReporter } from './progress-reporter.ts'

export interface McpServerOptions {
  readonly host: ToolHost
  /** What the server calls itself to clients: `mnemark`, `Mnemark memory`. */
  readonly name?: string
  readonly title?: string
  readonly version: string
  /** Who is behind a request; never read from what a model sends. Default: a direct chat in the main session. */
  readonly callerOf?: (context: ServerContext) => Caller
  /** What the instructions say of the memory's size. */
  readonly overview?: Overview | null
  /** With `search` and `fetch` as connectors of ChatGPT want them. */
  readonly isConnector?: boolean
  /** How long a call may take; without it as long as its client waits. */
  readonly limited?: (signal: AbortSignal) => AbortSignal
  /** Told of failures that are none of the caller's, by name and code. */
  readonly log?: (message: string) => void
}

/** The same with nothing left open. */
export type McpServing = McpServerOptions & Required<Pick<McpServerOptions, 'callerOf' | 'log'>>

/** What a request brings to every call: who asks, when to stop, where to tell how far it is. */
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

/** What a failed request is told. Who cannot be known is told least. */
export function failureOf(error: unknown, context: ServerContext, { host, callerOf }: McpServing): ToolFailure {
  try {
    return toToolFailure(error, host, callerOf(context))
  } catch {
    return toToolFailure(error, host, { chatType: 'group' })
  }
}
