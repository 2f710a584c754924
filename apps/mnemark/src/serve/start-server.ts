import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import type { AgentMemory } from '../operations/agent-memory.ts'
import { Connections } from './guards/connections.ts'
import { createApp } from './create-app.ts'

export interface ServerOptions {
  readonly memory: AgentMemory
  readonly token: string
  readonly version: string
  readonly host: string
  readonly port: number
  readonly log: (message: string) => void
}

export interface RunningServer {
  readonly url: string
  /** Takes no more connections, ends event streams, waits a while for requests, then closes. */
  close(): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
const BODY_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 5_000
/** Longer than the time limit of a request; event streams send keep-alives more often. */
const SILENCE_MS = 30_000
const CLOSE_WAIT_MS = 10_000
const SWEEP_MS = 50
const MAX_HEADER_BYTES = 16_384

/** Listens until closed. Rejects with CommandError if the address is in use or not this machine's. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const stopping = new AbortController()
  const known = (socket: Socket): void => connections.isKnown(socket)
  const { app, close } = createApp({ ...options, stopping: stopping.signal, known })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 1_000 }, (incoming, outgoing) => {
    void listener(incoming, outgoing)
  })
  // Idle connections are closed soon; over the limit those without a token go first.
  const connections = new Connections(server, options.memory.settings.serve.maxConnections)
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = BODY_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.timeout = options.memory.settings.serve.requestTimeoutMs + SILENCE_MS
  await listen(server, options)
  return {
    url: urlOf(server, options.host),
    close: async () => {
      stopping.abort()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Connections become idle one by one as their last answers go out.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
      const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_WAIT_MS)
      await close()
      await closed
      clearInterval(sweep)
      clearTimeout(deadline)
    },
  }
}

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(notListening(error, host, port)))
    server.listen({ host, port, exclusive: true }, resolve)
  })
}

function notListening({ code = 'unknown reason' }: NodeJS.ErrnoException, host: string, port: number): CommandError {
  const isTaken = code === 'EADDRINUSE'
  const what = isTaken ? 'another program listens there; it may be another mnemark serve' : code
  return new CommandError('not-listening', `cannot listen on ${host} port ${port}: ${what}`, {
    exitCode: EXIT.unavailable,
    next: isTaken
      ? 'Use the server that runs, or choose another port with --port N.'
      : 'Choose another address with --host or port with --port.',
  })
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
