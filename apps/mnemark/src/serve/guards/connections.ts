import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Limits the connections of a server without locking its owner out: over the limit, the oldest connection that has not sent the
 * token is closed; a new one is refused only if all have.
 */
export class Connections {
  readonly #most: number
  /** Connections without a token so far, oldest first. */
  readonly #strangers = new Set<Socket>()
  readonly #known = new Set<Socket>()

  constructor(server: Server, most: number) {
    this.#most = most
    server.on('connection', (socket: Socket) => this.#take(socket))
  }

  /** Marks a connection whose request brought the token. */
  isKnown(socket: Socket): void {
    if (this.#strangers.delete(socket)) this.#known.add(socket)
  }

  #take(socket: Socket): void {
    this.#strangers.add(socket)
    socket.once('close', () => {
      this.#strangers.delete(socket)
      this.#known.delete(socket)
    })
    if (this.#strangers.size + this.#known.size <= this.#most) return
    // The newest is among them: if all others are known, it is the one closed.
    const [oldest] = this.#strangers
    if (oldest === undefined) return
    this.#strangers.delete(oldest)
    oldest.destroy()
  }
}
