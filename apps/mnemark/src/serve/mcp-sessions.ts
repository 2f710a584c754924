import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import type { JSONRPCMessage, RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'

/** A session ends when nothing was on in it for so long. */
const MOST_IDLE_MS = 3_600_000
/** How many idle sessions are kept, some 20 KB each; the longest idle one is closed first. */
const MOST_IDLE = 1_000

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Requests that are being answered, open streams, and calls that run though nobody reads their stream. */
  busy: number
  idleSinceMs: number
}

/** The sessions of older MCP clients. Only idle ones end by themselves: never one with an open stream or a running call. */
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

  /** The answer of the session; null where there is none of that id, or not any more. */
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

  /** Whoever calls the returned function again changes nothing. */
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

  /** A call goes on when the connection that brought it breaks: it is over when it is answered or cancelled. */
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

/** The same response; `read` is called when its body has been read, or its reader has gone. */
function whenRead(response: Response, read: () => void): Response {
  if (response.body === null) {
    read()
    return response
  }
  const body = response.body.pipeThrough(new TransformStream({ flush: read, cancel: read }))
  return new Response(body, { status: response.status, headers: response.headers })
}
