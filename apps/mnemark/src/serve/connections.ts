import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps the number of connections of a server within a limit without locking its owner out: over it the oldest connection that has not
 * brought the token yet is ended, and a new one is refused only where all have.
 */
export class Connections {
  readonly #most: number
  /** Those without a token so far, oldest first. */
  readonly #strangers = new Set<Socket>()
  readonly #known = new Set<Socket>()

  constructor(server: Server, most: number) {
    this.#most = most
    server.on('connection', (socket: Socket) => this.#take(socket))
  }

  /** The request on this connection has brought the token. */
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
    // The newest is among them: where all others are known, it is the one that goes.
    const [oldest] = this.#strangers
    if (oldest === undefined) return
    this.#strangers.delete(oldest)
    oldest.destroy()
  }
}
