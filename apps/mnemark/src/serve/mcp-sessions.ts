import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import type { JSONRPCMessage, RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'

/** An idle session ends after this time. */
const MOST_IDLE_MS = 3_600_000
/** How many idle sessions are kept, some 20 KB each; the longest idle one is closed first. */
const MOST_IDLE = 1_000

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Requests in progress, open streams, and calls that run although nobody reads their stream. */
  busy: number
  idleSinceMs: number
}

/** Sessions of older MCP clients. Only idle ones expire: never one with an open stream or a running call. */
export class McpSessions {
  readonly #sessions = new Map<string, Session>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Keeps a session from now on. */
  async keep(id: string, transport: WebStandardStreamableHTTPServerTransport): Promise<void> {
    const session: Session = { transport, busy: 0, idleSinceMs: this.#now() }
    this.#countCalls(session)
    this.#sessions.set(id, session)
    await this.#endIdle()
  }

  forget(id: string): void {
    this.#sessions.delete(id)
  }

  /** The session's answer; null if no such session exists any more. */
  async handle(id: string, request: Request): Promise<Response | null> {
    await this.#endIdle()
    const session = this.#sessions.get(id)
    if (session === undefined) return null
    const release = this.#hold(session)
    try {
      return whenRead(await session.transport.handleRequest(request), release)
    } catch (error) {
      release()
      throw error
    }
  }

  async close(): Promise<void> {
    const transports = [...this.#sessions.values()].map(({ transport }) => transport)
    this.#sessions.clear()
    await Promise.all(transports.map((transport) => transport.close()))
  }

  /** Calling the returned function twice has no further effect. */
  #hold(session: Session): () => void {
    session.busy += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      session.busy -= 1
      session.idleSinceMs = this.#now()
    }
  }

  /** A call outlives its connection: it ends when it is answered or cancelled. */
  #countCalls(session: Session): void {
    const { transport } = session
    const calls = new Map<RequestId, () => void>()
    const end = (id: RequestId | undefined): void => {
      if (id === undefined) return
      calls.get(id)?.()
      calls.delete(id)
    }
    const receive = transport.onmessage
    transport.onmessage = (message, extra) => {
      if (isJSONRPCRequest(message)) calls.set(message.id, this.#hold(session))
      else end(cancelledBy(message))
      receive?.call(transport, message, extra)
    }
    const send = transport.send.bind(transport)
    transport.send = async (message, options) => {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) end(message.id)
      await send(message, options)
    }
  }

  async #endIdle(): Promise<void> {
    const idle = [...this.#sessions]
      .filter(([, { busy }]) => busy === 0)
      .toSorted(([, left], [, right]) => left.idleSinceMs - right.idleSinceMs)
    const tooMany = idle.length - MOST_IDLE
    const ended = idle.filter(([, { idleSinceMs }], index) => index < tooMany || this.#now() - idleSinceMs > MOST_IDLE_MS)
    for (const [id] of ended) this.#sessions.delete(id)
    await Promise.all(ended.map(([, { transport }]) => transport.close()))
  }
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.['requestId']
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** Returns the same response; calls `read` when its body was read, or its reader is gone. */
function whenRead(response: Response, read: () => void): Response {
  if (response.body === null) {
    read()
    return response
  }
  const body = response.body.pipeThrough(new TransformStream({ flush: read, cancel: read }))
  return new Response(body, { status: response.status, headers: response.headers })
}
