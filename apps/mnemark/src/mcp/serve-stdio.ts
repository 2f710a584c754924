import { maskMessage } from '@mnemark/masking'
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

export interface StdioServing {
  readonly createServer: () => McpServer
  /** Told of what the client sends that is no message. */
  readonly log: (message: string) => void
  readonly stdin: NodeJS.ReadStream
}

/** Serves MCP over stdin and stdout; `ended` resolves when the client closes its end, or the connection is given up as broken. */
export function serveOverStdio({ createServer, log, stdin }: StdioServing): {
  readonly ended: Promise<void>
  stop(): Promise<void>
} {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  stdin.once('end', resolve).once('close', resolve)
  const transport = new StdioServerTransport()
  const close = transport.close.bind(transport)
  // A message beyond all bounds closes the connection from this side; stdin says nothing then.
  transport.close = () => close().finally(resolve)
  const handle = serveStdio(createServer, { transport, onerror: (error) => log(`MCP: ${describe(error)}`) })
  return { ended, stop: () => handle.close() }
}

/** A parser quotes what it could not read, which may be anything. */
function describe(error: Error): string {
  return error instanceof SyntaxError || error.name.includes('Zod')
    ? 'a line that is no message was ignored'
    : maskMessage(error.message)
}
