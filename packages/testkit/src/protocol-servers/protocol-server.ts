import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { BatchService } from './batch/batch-service.ts'
import { type Delivery, deliver } from './wire/deliver.ts'
import type { EmbeddingWire } from './embedding-wire.ts'
import { type AnswerShape, type EmbeddingCall, isWireReply, type WireReply, type WireRequest } from './wire/exchange.ts'
import { sampleVector } from './wire/sample-vector.ts'

/** Behaviour of the server from now on. By default it answers like the service without faults. */
export interface ServerBehaviour {
  readonly shape?: Partial<AnswerShape>
  /** Changes the vectors of a success; the result is sent. */
  readonly vectors?: (vectors: readonly (readonly number[])[], call: EmbeddingCall) => readonly unknown[]
  /** Replaces a success. Requests are still checked. */
  readonly reply?: WireReply | ((call: EmbeddingCall, request: WireRequest) => WireReply)
  /** Changes any reply before it is sent. */
  readonly bend?: (reply: WireReply) => WireReply
  readonly delivery?: Delivery
}

export interface ProtocolServerOptions {
  /** The only valid key. */
  readonly apiKey?: string
}

/** A service on loopback, as real on the wire as its `EmbeddingWire` is. Dispose of it with `await using`, or `close()`. */
export class ProtocolServer implements AsyncDisposable {
  /** Every request, including refused ones, in order of arrival. */
  readonly requests: WireRequest[] = []
  /** Calls read from the accepted requests. */
  readonly calls: EmbeddingCall[] = []
  readonly #batch: BatchService | undefined
  readonly #wire: EmbeddingWire
  readonly #apiKey: string
  readonly #server: Server
  readonly #arrivals: (() => void)[] = []
  readonly #departures: (() => void)[] = []
  #behaviour: ServerBehaviour = {}
  #origin = ''

  /** Use `startProtocolServer`. */
  constructor(wire: EmbeddingWire, apiKey: string) {
    this.#wire = wire
    this.#apiKey = apiKey
    this.#batch = wire.batch === undefined ? undefined : new BatchService(wire.batch)
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
    })
  }

  get origin(): string {
    return this.#origin
  }

  /** Base URL for an adapter. */
  get baseUrl(): string {
    return this.#origin + this.#wire.basePath
  }

  /** The offline side. Throws for a service without one. */
  get batch(): BatchService {
    if (this.#batch === undefined) throw new TypeError(`${this.#wire.name} has no batch API`)
    return this.#batch
  }

  behave(behaviour: ServerBehaviour): void {
    this.#behaviour = behaviour
  }

  /** Resolves at the next request. */
  arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve))
  }

  /** Resolves when a client aborts a request before its reply is complete. */
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
    const reply = (await this.#batchReplyTo(request)) ?? this.#replyTo(request, behaviour)
    const delivery = this.#batch?.behaviour.delivery?.(request) ?? behaviour.delivery ?? 'whole'
    await deliver(response, behaviour.bend?.(reply) ?? reply, delivery)
  }

  async #batchReplyTo(request: WireRequest): Promise<WireReply | undefined> {
    const service = this.#batch
    if (service === undefined) return undefined
    service.clock.advance(service.clock.msPerRequest)
    return service.behaviour.intercept?.(request) ?? (await this.#wire.batch?.handle(request, service, this.#apiKey))
  }

  #replyTo(request: WireRequest, { reply, shape, vectors }: ServerBehaviour): WireReply {
    const call = this.#wire.read(request, this.#apiKey)
    if (isWireReply(call)) return call
    this.calls.push(call)
    if (reply !== undefined) return typeof reply === 'function' ? reply(call, request) : reply
    const plain = call.texts.map((text) => sampleVector(text, call.dimensions))
    return this.#wire.answer(call, vectors?.(plain, call) ?? plain, {
      order: call.texts.map((_, index) => index),
      hasIndexes: this.#wire.hasIndexes,
      hasUsage: this.#wire.reportsUsage,
      ...shape,
    })
  }
}

/** Starts the service on a free port of 127.0.0.1. */
export function startProtocolServer(wire: EmbeddingWire, { apiKey = '' }: ProtocolServerOptions = {}): Promise<ProtocolServer> {
  return new ProtocolServer(wire, apiKey).listen()
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
