import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Delivery, deliver } from './wire/deliver.ts'
import type { WireReply, WireRequest } from './wire/exchange.ts'

/** Changes how a server of any service treats requests from now on. */
export interface RecordedBehaviour {
  /** Changes every reply before it is sent. */
  readonly bend?: (reply: WireReply) => WireReply
  readonly delivery?: Delivery
  /** Replies wait for it. */
  readonly after?: Promise<void>
}

/** A service on loopback that records its requests. Release it with `await using`, or `close()`. */
export abstract class RecordingServer<Behaviour extends RecordedBehaviour> implements AsyncDisposable {
  /** Every request, the refused ones too, in the order they came. */
  readonly requests: WireRequest[] = []
  readonly #server: Server
  readonly #basePath: string
  readonly #arrivals: (() => void)[] = []
  readonly #departures: (() => void)[] = []
  #behaviour: Behaviour
  #origin = ''

  protected constructor(basePath: string, behaviour: Behaviour) {
    this.#basePath = basePath
    this.#behaviour = behaviour
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
    })
  }

  protected abstract replyTo(request: WireRequest, behaviour: Behaviour): Promise<WireReply>

  protected deliveryOf(_request: WireRequest, { delivery = 'whole' }: Behaviour): Delivery {
    return delivery
  }

  get origin(): string {
    return this.#origin
  }

  /** The base URL for an adapter. */
  get baseUrl(): string {
    return this.#origin + this.#basePath
  }

  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour
  }

  /** Resolves at the next request. */
  arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve))
  }

  /** Resolves when a client gives up a request before its reply is whole. */
  departure(): Promise<void> {
    return new Promise((resolve) => this.#departures.push(resolve))
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve, reject) => this.#server.once('error', reject).listen(0, '127.0.0.1', resolve))
    // An address object, since it listens on a port and not on a pipe.
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const behaviour = this.#behaviour
    const request = wireRequest(incoming, await buffer(incoming))
    this.requests.push(request)
    response.once('close', () => {
      if (!response.writableFinished) settle(this.#departures)
    })
    settle(this.#arrivals)
    await behaviour.after
    const reply = await this.replyTo(request, behaviour)
    await deliver(response, behaviour.bend?.(reply) ?? reply, this.deliveryOf(request, behaviour))
  }
}

function settle(waiting: (() => void)[]): void {
  for (const resolve of waiting.splice(0)) resolve()
}

function wireRequest(incoming: IncomingMessage, bytes: Buffer): WireRequest {
  const text = bytes.toString()
  const [path = '', query = ''] = (incoming.url ?? '').split('?')
  return {
    method: incoming.method ?? '',
    path,
    query,
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    text,
    bytes,
    body: parsed(text),
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
