import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AgentMemory } from '../tools/agent-memory.ts'
import type { Caller } from '../tools/memory-tool.ts'
import { createMcpServer } from './create-mcp-server.ts'

export interface StdioServing {
  readonly memory: AgentMemory
  readonly version: string
  readonly caller: Caller
  readonly log: (message: string) => void
  readonly stdin: NodeJS.ReadStream
}

/** Serves MCP over stdin and stdout until the client closes its end or `stop` is called. */
export function serveOverStdio({ memory, version, caller, log, stdin }: StdioServing): {
  readonly ended: Promise<void>
  stop(): Promise<void>
} {
  const ended = new Promise<void>((resolve) => stdin.once('end', resolve).once('close', resolve))
  const handle = serveStdio(() => createMcpServer({ memory, version, callerOf: () => caller, log }), {
    onerror: (error) => log(error.message),
  })
  return { ended, stop: () => handle.close() }
}
