import type { ServerContext } from '@modelcontextprotocol/server'
import type { AgentMemory } from '../tools/agent-memory.ts'
import type { Caller, MemoryCall } from '../tools/memory-tool.ts'
import { progressReporter } from './progress-reporter.ts'

export interface McpServing {
  readonly memory: AgentMemory
  readonly version: string
  /** Who is behind a request; never read from what a model sends. */
  readonly callerOf: (context: ServerContext) => Caller
  /** How long a call may take; without it as long as its client waits. */
  readonly limited?: (signal: AbortSignal) => AbortSignal
  /** Told of failures that are none of the caller's. */
  readonly log: (message: string) => void
}

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
