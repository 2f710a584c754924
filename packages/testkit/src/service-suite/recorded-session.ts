import assert from 'node:assert/strict'
import type { RecordedBehaviour, RecordingServer } from '../protocol-servers/recording-server.ts'
import type { ServiceErrorCode, WireFailure, WireReply, WireRequest } from '../protocol-servers/wire/exchange.ts'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import type { OptionSet } from './service-target.ts'

/** The behaviour that the suites of all kinds of models ask of a server. */
export interface SharedBehaviour extends RecordedBehaviour {
  readonly reply?: WireReply
}

/** The part of a wire that the cases of failures need. */
export interface FailingWire {
  refusal(words: string): WireReply
  readonly failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>>
}

export interface AskOptions {
  /** The texts to be asked about; the session has its own. */
  readonly texts?: readonly string[] | undefined
  readonly signal?: AbortSignal
}

/** One case against one server: the adapter's requests are recorded on both sides. */
export abstract class RecordedSession<Model, Behaviour extends RecordedBehaviour, Served extends RecordingServer<Behaviour>>
  implements AsyncDisposable
{
  readonly server: Served
  abstract readonly wire: FailingWire
  readonly #fetched: string[] = []

  constructor(server: Served) {
    this.server = server
  }

  abstract create(set?: OptionSet, baseUrl?: string): Model

  /** One ordinary call. Fails where it does not settle. */
  abstract ask(model: Model, options?: AskOptions): Promise<unknown>

  abstract namesOf(model: Model): { readonly provider: string; readonly model: string }

  abstract startAnother(): Promise<Served>

  /** Outcomes of this kind of service after which something might try again by itself. */
  abstract readonly badDays: readonly Behaviour[]

  /** The texts of each request: all in one, or one in each. */
  splitTexts(texts: readonly string[]): readonly (readonly string[])[] {
    return [texts]
  }

  /** The requests that one call makes, whether it succeeds or not. */
  async requestsOf(action: () => Promise<unknown>): Promise<readonly WireRequest[]> {
    const before = this.server.requests.length
    await action().catch(() => {})
    return this.server.requests.slice(before)
  }

  /** The one request of a successful call. */
  async requestOf(action: () => Promise<unknown>): Promise<WireRequest> {
    const before = this.server.requests.length
    await action()
    return this.server.requests[before] ?? assert.fail('a request was made')
  }

  bodyOf(request: WireRequest): Readonly<Record<string, unknown>> {
    return recordOf(request.body) ?? assert.fail('the body of the request is a JSON object')
  }

  /** Requests went to the configured host only. */
  assertConfined(): void {
    for (const url of this.#fetched)
      assert.equal(new URL(url).origin, this.server.origin, `a request went to ${new URL(url).origin}`)
  }

  async behaving<Value>(behaviour: Behaviour, action: () => Promise<Value>): Promise<Value> {
    this.server.behave(behaviour)
    // Every member of a behaviour may be left out.
    return action().finally(() => this.server.behave({} as Behaviour))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close()
  }

  protected readonly fetch: typeof fetch = (input, init) => {
    this.#fetched.push(input instanceof Request ? input.url : String(input))
    return globalThis.fetch(input, init)
  }

  get fetchCount(): number {
    return this.#fetched.length
  }
}

type AnyServer = Pick<
  RecordingServer<RecordedBehaviour>,
  'requests' | 'origin' | 'baseUrl' | 'arrival' | 'departure' | 'close' | typeof Symbol.asyncDispose
>

/** A session of any kind, for cases that are the same for all kinds of models. */
export interface AnySession<Model = unknown>
  extends Pick<
    RecordedSession<Model, RecordedBehaviour, RecordingServer<RecordedBehaviour>>,
    | 'wire'
    | 'create'
    | 'ask'
    | 'namesOf'
    | 'badDays'
    | 'splitTexts'
    | 'requestsOf'
    | 'requestOf'
    | 'assertConfined'
    | 'bodyOf'
    | 'fetchCount'
  > {
  readonly server: AnyServer
  startAnother(): Promise<AnyServer>
  behaving<Value>(behaviour: SharedBehaviour, action: () => Promise<Value>): Promise<Value>
}
