import { maskMessage } from '@mnemark/masking'
import type { McpServer } from '@modelcontextprotocol/server'
import { MAX_MESSAGE_BYTES, MessageLines } from './message-lines.ts'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

export interface StdioServing {
  readonly createServer: () => McpServer
  /** Receives reports of client input that is not a message. */
  readonly log: (message: string) => void
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
}

/** Serves MCP over stdin and stdout; `ended` resolves when the client closes its end. */
export function serveOverStdio({ createServer, log, stdin, stdout }: StdioServing): {
  readonly ended: Promise<void>
  stop(): Promise<void>
} {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  stdin.once('end', resolve).once('close', resolve)
  const lines = new MessageLines((answer) => {
    log(`MCP: a line that is no message was answered with the error ${answer.error.code}`)
    stdout.write(`${JSON.stringify(answer)}\n`)
  })
  // A line with its end is never longer, so nothing is left over.
  const transport = new StdioServerTransport(stdin.pipe(lines), stdout, { maxBufferSize: MAX_MESSAGE_BYTES + 1 })
  const close = transport.close.bind(transport)
  // The client has stopped reading; stdin does not report that.
  transport.close = () => close().finally(resolve)
  const handle = serveStdio(createServer, { transport, onerror: (error) => log(`MCP: ${describe(error)}`) })
  return { ended, stop: () => handle.close() }
}

/** A parser quotes unreadable input, which may be anything. */
function describe(error: Error): string {
  return error instanceof SyntaxError || error.name.includes('Zod')
    ? 'a line that is no message was ignored'
    : maskMessage(error.message)
}
