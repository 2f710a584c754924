import { BatchService } from './batch/batch-service.ts'
import { type RecordedBehaviour, RecordingServer } from './recording-server.ts'
import type { Delivery } from './wire/deliver.ts'
import type { EmbeddingWire } from './embedding-wire.ts'
import { type AnswerShape, type EmbeddingCall, isWireReply, type WireReply, type WireRequest } from './wire/exchange.ts'
import { sampleVector } from './wire/sample-vector.ts'

/** Changes how the server treats requests from now on. Without any change, it answers as the service does on a good day. */
export interface ServerBehaviour extends RecordedBehaviour {
  readonly shape?: Partial<AnswerShape>
  /** Changes the vectors of a success; the result is sent. */
  readonly vectors?: (vectors: readonly (readonly number[])[], call: EmbeddingCall) => readonly unknown[]
  /** Replaces a success. Requests are still checked. */
  readonly reply?: WireReply | ((call: EmbeddingCall, request: WireRequest) => WireReply)
}

export interface ProtocolServerOptions {
  /** The only valid key. */
  readonly apiKey?: string
}

/** A service on loopback, as real on the wire as its `EmbeddingWire` is. Release it with `await using`, or `close()`. */
export class ProtocolServer extends RecordingServer<ServerBehaviour> {
  /** The accepted requests to embed, as the service reads them. */
  readonly calls: EmbeddingCall[] = []
  readonly #batch: BatchService | undefined
  readonly #wire: EmbeddingWire
  readonly #apiKey: string

  /** Use `startProtocolServer`. */
  constructor(wire: EmbeddingWire, apiKey: string) {
    super(wire.basePath, {})
    this.#wire = wire
    this.#apiKey = apiKey
    this.#batch = wire.batch === undefined ? undefined : new BatchService(wire.batch)
  }

  /** The offline side. Throws for a service without one. */
  get batch(): BatchService {
    if (this.#batch === undefined) throw new TypeError(`${this.#wire.name} has no batch API`)
    return this.#batch
  }

  protected override async replyTo(request: WireRequest, behaviour: ServerBehaviour): Promise<WireReply> {
    return (await this.#batchReplyTo(request)) ?? this.#embeddingReplyTo(request, behaviour)
  }

  protected override deliveryOf(request: WireRequest, behaviour: ServerBehaviour): Delivery {
    return this.#batch?.behaviour.delivery?.(request) ?? super.deliveryOf(request, behaviour)
  }

  async #batchReplyTo(request: WireRequest): Promise<WireReply | undefined> {
    const service = this.#batch
    if (service === undefined) return undefined
    service.clock.advance(service.clock.msPerRequest)
    return service.behaviour.intercept?.(request) ?? (await this.#wire.batch?.handle(request, service, this.#apiKey))
  }

  #embeddingReplyTo(request: WireRequest, { reply, shape, vectors }: ServerBehaviour): WireReply {
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
