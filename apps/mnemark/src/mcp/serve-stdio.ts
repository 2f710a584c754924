import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

export interface StdioServing {
  readonly createServer: () => McpServer
  /** Told of what the client sends that is no message. */
  readonly log: (message: string) => void
  readonly stdin: NodeJS.ReadStream
}

/** Serves MCP over stdin and stdout; `ended` resolves when the client closes its end. */
export function serveOverStdio({ createServer, log, stdin }: StdioServing): {
  readonly ended: Promise<void>
  stop(): Promise<void>
} {
  const ended = new Promise<void>((resolve) => stdin.once('end', resolve).once('close', resolve))
  const handle = serveStdio(createServer, { onerror: (error) => log(`MCP: ${error.message}`) })
  return { ended, stop: () => handle.close() }
}
