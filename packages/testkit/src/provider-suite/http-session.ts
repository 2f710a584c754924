import assert from 'node:assert/strict'
import type { EmbeddingProvider, EmbeddingResult } from '@mnemark/spec'
import type { EmbeddingWire } from '../protocol-servers/embedding-wire.ts'
import type { EmbeddingCall } from '../protocol-servers/wire/exchange.ts'
import { type AskOptions, RecordedSession } from '../service-suite/recorded-session.ts'
import { type ProtocolServer, type ServerBehaviour, startProtocolServer } from '../protocol-servers/protocol-server.ts'
import { sampleVector } from '../protocol-servers/wire/sample-vector.ts'
import { assertSameVector, embed, TEXTS, unit } from './provider-checks.ts'
import { type OptionSet, SECRET } from '../service-suite/service-target.ts'
import { type HttpProviderTarget } from './provider-target.ts'

/** One case against one server: the adapter's requests are recorded on both sides. */
export class HttpSession extends RecordedSession<EmbeddingProvider, ServerBehaviour, ProtocolServer> {
  readonly target: HttpProviderTarget
  override readonly wire: EmbeddingWire
  override readonly badDays: readonly ServerBehaviour[] = [{ vectors: (vectors) => vectors.slice(1) }]

  constructor(target: HttpProviderTarget, wire: EmbeddingWire, server: ProtocolServer) {
    super(server)
    this.target = target
    this.wire = wire
  }

  /** The texts of a case, as many as the service takes in one request. */
  get texts(): readonly string[] {
    return this.wire.takesOneInput === true ? TEXTS.slice(0, 1) : TEXTS
  }

  override splitTexts(texts: readonly string[]): readonly (readonly string[])[] {
    return this.wire.takesOneInput === true ? texts.map((text) => [text]) : [texts]
  }

  override create(set: OptionSet = {}, baseUrl: string = this.server.baseUrl): EmbeddingProvider {
    return this.target.create({ baseUrl, fetch: this.fetch, apiKey: SECRET, set })
  }

  override ask(provider: EmbeddingProvider, { texts, signal }: AskOptions = {}): Promise<EmbeddingResult> {
    return embed(provider, texts, signal === undefined ? {} : { signal })
  }

  override namesOf({ space }: EmbeddingProvider): EmbeddingProvider['space'] {
    return space
  }

  override startAnother(): Promise<ProtocolServer> {
    return startProtocolServer(this.wire, { apiKey: SECRET })
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
}

export async function openHttpSession(target: HttpProviderTarget, wire: EmbeddingWire): Promise<HttpSession> {
  return new HttpSession(target, wire, await startProtocolServer(wire, { apiKey: SECRET }))
}
