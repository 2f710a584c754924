import { maskMessage } from '@mnemark/masking'
import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createMcpServer } from '@mnemark/tools/mcp'
import type { McpServing } from '@mnemark/tools/mcp'
import { answerToMalformed } from '../mcp/malformed-message.ts'
import { readCaller } from './caller-headers.ts'
import { McpSessions } from './mcp-sessions.ts'

interface McpEndpointOptions {
  readonly maxBodyBytes: number
  readonly now?: () => number
}

/**
 * MCP over streamable HTTP: without sessions for clients of the 2026 protocol; with a session for each older client, so that it
 * can cancel its calls.
 */
export class McpEndpoint {
  readonly #serving: McpServing
  readonly #maxBodyBytes: number
  readonly #modern: ReturnType<typeof createMcpHandler>
  readonly #sessions: McpSessions

  constructor(serving: Omit<McpServing, 'callerOf'>, options: McpEndpointOptions) {
    this.#serving = { ...serving, callerOf: (context) => readCaller(context.http?.req?.headers ?? new Headers()) }
    this.#maxBodyBytes = options.maxBodyBytes
    this.#sessions = new McpSessions(options.now ?? (() => performance.now()))
    this.#modern = createMcpHandler(() => createMcpServer(this.#serving), {
      legacy: 'reject',
      // A stream sends keep-alives however long a first index takes; a plain answer would be silent.
      responseMode: 'sse',
      maxRequestBodySize: options.maxBodyBytes,
      onerror: (error) => serving.log(`MCP: ${maskMessage(error.message)}`),
    })
  }

  async handle(request: Request): Promise<Response> {
    const isOlder = await isLegacyRequest(request, undefined, { maxRequestBodySize: this.#maxBodyBytes })
    if (!isOlder) return this.#modern.fetch(request)
    const malformed = await answerIfMalformed(request)
    if (malformed !== null) return malformed
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#beginSession(request)
    return (await this.#sessions.handle(id, request)) ?? sessionNotFound()
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()])
  }

  /** The transport refuses requests that do not begin a session, and only a session that has begun is kept. */
  async #beginSession(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#maxBodyBytes,
      onsessioninitialized: (id) => this.#sessions.keep(id, transport),
      onsessionclosed: (id) => this.#sessions.forget(id),
    })
    await createMcpServer(this.#serving).connect(transport)
    return transport.handleRequest(request)
  }
}

/** The transport would answer without the id, and report every fault as a parse error. */
async function answerIfMalformed(request: Request): Promise<Response | null> {
  if (request.method !== 'POST' || !isJsonContentType(request.headers.get('content-type'))) return null
  const answer = answerToMalformed(await request.clone().text())
  return answer === null ? null : Response.json(answer, { status: 400 })
}

/** A client that gets this begins a new session. */
function sessionNotFound(): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null }, { status: 404 })
}
