import { type RecordedBehaviour, RecordingServer } from './recording-server.ts'
import type { WireReply, WireRequest } from './wire/exchange.ts'
import type { ModelWire } from './wire/model-wire.ts'

/** What the server does with the requests from now on. Without any, it answers as the service does on a good day. */
export interface ModelBehaviour<Call extends object, Answer> extends RecordedBehaviour {
  /** In place of the usual answer, or a bent copy of it. */
  readonly answer?: (call: Call, usual: Answer) => Answer
  /** Takes the place of the success. Requests are still checked. */
  readonly reply?: WireReply
}

export interface ModelServerOptions {
  /** The one key that is good. */
  readonly apiKey?: string
}

/** A service on loopback, as real on the wire as its `ModelWire` is. */
export class ModelServer<Call extends object, Answer> extends RecordingServer<ModelBehaviour<Call, Answer>> {
  /** What was understood of the requests that were accepted. */
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
