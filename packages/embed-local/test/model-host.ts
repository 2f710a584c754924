import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelHostOptions {
  /** Statuses to answer for some paths instead of the file. */
  readonly statuses?: Readonly<Record<string, number>>
  /** Asked for from everybody, as for models that only some may see. */
  readonly token?: string
}

/** A server on loopback that hands out one file under any path, whole or in ranges. */
export class ModelHost implements AsyncDisposable {
  readonly requests: IncomingMessage[] = []
  readonly #server: Server

  constructor(file: Buffer, { statuses = {}, token }: ModelHostOptions = {}) {
    this.#server = createServer((request, response) => {
      this.requests.push(request)
      const isRefused = token !== undefined && request.headers.authorization !== `Bearer ${token}`
      const status = isRefused ? 401 : statuses[request.url ?? '']
      if (status === undefined) sendRange(request, response, file)
      else response.writeHead(status).end()
    })
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get origin(): string {
    // An address object, since it listens on a port and not on a pipe.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

function sendRange({ method, headers }: IncomingMessage, response: ServerResponse, file: Buffer): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = to === undefined || to === '' ? file.length : Number(to) + 1
  const body = file.subarray(start, end)
  response.writeHead(from === undefined ? 200 : 206, {
    'accept-ranges': 'bytes',
    'content-length': body.length,
    ...(from === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${file.length}` }),
  })
  response.end(method === 'HEAD' ? undefined : body)
}
