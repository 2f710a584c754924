import assert from 'node:assert/strict'
import type { EmbeddingProvider, EmbeddingResult } from '@mnemark/spec'
import type { EmbeddingWire } from '../protocol-servers/embedding-wire.ts'
import type { EmbeddingCall, WireRequest } from '../protocol-servers/wire/exchange.ts'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import { type ProtocolServer, type ServerBehaviour, startProtocolServer } from '../protocol-servers/protocol-server.ts'
import { sampleVector } from '../protocol-servers/wire/sample-vector.ts'
import { assertSameVector, embed, TEXTS, unit } from './provider-checks.ts'
import { type HttpProviderTarget, type OptionSet, SECRET } from './provider-target.ts'

/** One case against one server: the adapter's requests are recorded on both sides. */
export class HttpSession implements AsyncDisposable {
  readonly target: HttpProviderTarget
  readonly wire: EmbeddingWire
  readonly server: ProtocolServer
  readonly #fetched: string[] = []

  constructor(target: HttpProviderTarget, wire: EmbeddingWire, server: ProtocolServer) {
    this.target = target
    this.wire = wire
    this.server = server
  }

  /** The texts of a case, as many as the service takes in one request. */
  get texts(): readonly string[] {
    return this.wire.takesOneInput === true ? TEXTS.slice(0, 1) : TEXTS
  }

  create(set: OptionSet = {}, baseUrl: string = this.server.baseUrl): EmbeddingProvider {
    return this.target.create({ baseUrl, fetch: this.#fetch, apiKey: SECRET, set })
  }

  /** The requests of one call, even if it fails. */
  async requestsOf(action: () => Promise<unknown>): Promise<readonly WireRequest[]> {
    const before = this.server.requests.length
    await action().catch(() => {})
    return this.server.requests.slice(before)
  }

  /** The one request of a successful embedding. */
  async requestOf(
    provider: EmbeddingProvider,
    ...call: Parameters<typeof embed> extends [unknown, ...infer Rest] ? Rest : never
  ): Promise<WireRequest> {
    const before = this.server.requests.length
    await embed(provider, ...call)
    const request = this.server.requests[before]
    assert.ok(request, 'a request was made')
    return request
  }

  bodyOf(request: WireRequest): Readonly<Record<string, unknown>> {
    return recordOf(request.body) ?? assert.fail('the body of the request is a JSON object')
  }

  lastCall(): EmbeddingCall {
    return this.server.calls.at(-1) ?? assert.fail('the service accepted a request')
  }

  /** Every text reached the service at its position, and got the service's vector for it. */
  assertAligned(result: EmbeddingResult, texts: readonly string[] = this.texts): void {
    const call = this.lastCall()
    assert.equal(call.texts.length, texts.length, 'the service got every text')
    assert.equal(result.vectors.length, texts.length, 'one vector for each input')
    texts.forEach((text, index) => {
      const sent = call.texts[index] ?? ''
      // A prompt prefix may come first.
      assert.ok(sent.endsWith(text.toWellFormed()), `text ${index} reached the service whole`)
      assertSameVector(
        result.vectors[index],
        unit(sampleVector(sent, call.dimensions)),
        `vector ${index} is that of text ${index}`,
      )
    })
  }

  /** Requests went to the configured host only. */
  assertConfined(): void {
    for (const url of this.#fetched)
      assert.equal(new URL(url).origin, this.server.origin, `a request went to ${new URL(url).origin}`)
  }

  async behaving<Value>(behaviour: ServerBehaviour, action: () => Promise<Value>): Promise<Value> {
    this.server.behave(behaviour)
    return action().finally(() => this.server.behave({}))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close()
  }

  readonly #fetch: typeof fetch = (input, init) => {
    this.#fetched.push(input instanceof Request ? input.url : String(input))
    return globalThis.fetch(input, init)
  }

  get fetchCount(): number {
    return this.#fetched.length
  }
}

export async function openHttpSession(target: HttpProviderTarget, wire: EmbeddingWire): Promise<HttpSession> {
  return new HttpSession(target, wire, await startProtocolServer(wire, { apiKey: SECRET }))
}
