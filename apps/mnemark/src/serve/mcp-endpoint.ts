import { maskMessage } from '@mnemark/masking'
import { randomUUID } from 'node:crypto'
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { createMcpServer } from '@mnemark/tools/mcp'
import type { McpServing } from '@mnemark/tools/mcp'
import { readCaller } from './caller-headers.ts'

const MAX_SESSIONS = 64
const MAX_IDLE_MS = 3_600_000

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  lastUsedMs: number
}

interface McpEndpointOptions {
  readonly maxBodyBytes: number
  readonly now?: () => number
}

/** MCP over streamable HTTP: without sessions for clients of the 2026 protocol, with one for each older client, so that it can cancel its calls. */
export class McpEndpoint {
  readonly #serving: McpServing
  readonly #maxBodyBytes: number
  readonly #modern: ReturnType<typeof createMcpHandler>
  readonly #sessions = new Map<string, Session>()
  readonly #now: () => number

  constructor(serving: Omit<McpServing, 'callerOf'>, options: McpEndpointOptions) {
    this.#serving = { ...serving, callerOf: (context) => readCaller(context.http?.req?.headers ?? new Headers()) }
    this.#maxBodyBytes = options.maxBodyBytes
    this.#now = options.now ?? (() => performance.now())
    this.#modern = createMcpHandler(() => createMcpServer(this.#serving), {
      legacy: 'reject',
      // A stream shows signs of life however long a first index takes; a plain answer would be silent.
      responseMode: 'sse',
      maxRequestBodySize: options.maxBodyBytes,
      onerror: (error) => serving.log(`MCP: ${maskMessage(error.message)}`),
    })
  }

  async handle(request: Request): Promise<Response> {
    const isOlder = await isLegacyRequest(request, undefined, { maxRequestBodySize: this.#maxBodyBytes })
    if (!isOlder) return this.#modern.fetch(request)
    const id = request.headers.get('mcp-session-id')
    const session = id === null ? await this.#openSession() : this.#sessions.get(id)
    // A client that is told so begins a new session.
    if (session === undefined)
      return Response.json({ jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null }, { status: 404 })
    session.lastUsedMs = this.#now()
    return session.transport.handleRequest(request)
  }

  async close(): Promise<void> {
    const transports = [...this.#sessions.values()].map(({ transport }) => transport)
    this.#sessions.clear()
    await Promise.all([this.#modern.close(), ...transports.map((transport) => transport.close())])
  }

  /** The transport refuses whatever does not begin a session, and only a session that has begun is kept. */
  async #openSession(): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#maxBodyBytes,
      onsessioninitialized: async (id) => {
        await this.#makeRoom()
        this.#sessions.set(id, session)
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    })
    const session: Session = { transport, lastUsedMs: this.#now() }
    await createMcpServer(this.#serving).connect(transport)
    return session
  }

  async #makeRoom(): Promise<void> {
    const byUse = [...this.#sessions].toSorted(([, left], [, right]) => left.lastUsedMs - right.lastUsedMs)
    const surplus = byUse.length - (MAX_SESSIONS - 1)
    const ended = byUse.filter(([, { lastUsedMs }], index) => index < surplus || this.#now() - lastUsedMs > MAX_IDLE_MS)
    for (const [id] of ended) this.#sessions.delete(id)
    await Promise.all(ended.map(([, { transport }]) => transport.close()))
  }
}
