import { type RecordedBehaviour, RecordingServer } from './recording-server.ts'
import type { WireReply, WireRequest } from './wire/exchange.ts'
import type { ModelWire } from './wire/model-wire.ts'

/** Changes how the server treats requests from now on. Without any change, it answers as the service does on a good day. */
export interface ModelBehaviour<Call extends object, Answer> extends RecordedBehaviour {
  /** Makes the answer, from the usual one if it likes. */
  readonly answer?: (call: Call, usual: Answer) => Answer
  /** Replaces a success. Requests are still checked. */
  readonly reply?: WireReply
}

export interface ModelServerOptions {
  /** The only valid key. */
  readonly apiKey?: string
}

/** A service on loopback, as real on the wire as its `ModelWire` is. */
export class ModelServer<Call extends object, Answer> extends RecordingServer<ModelBehaviour<Call, Answer>> {
  /** The accepted requests, as the service reads them. */
  readonly calls: Call[] = []
  readonly #wire: ModelWire<Call, Answer>
  readonly #usual: (call: Call) => Answer
  readonly #apiKey: string

  /** Use `startChatServer` or `startRerankServer`. */
  constructor(wire: ModelWire<Call, Answer>, usual: (call: Call) => Answer, { apiKey = '' }: ModelServerOptions = {}) {
    super(wire.basePath, {})
    this.#wire = wire
    this.#usual = usual
    this.#apiKey = apiKey
  }

  protected override async replyTo(request: WireRequest, behaviour: ModelBehaviour<Call, Answer>): Promise<WireReply> {
    const call = this.#wire.read(request, this.#apiKey)
    if (isReply(call)) return call
    this.calls.push(call)
    if (behaviour.reply !== undefined) return behaviour.reply
    const usual = this.#usual(call)
    return this.#wire.answer(call, behaviour.answer?.(call, usual) ?? usual)
  }
}

const isReply = (value: object): value is WireReply => 'status' in value
