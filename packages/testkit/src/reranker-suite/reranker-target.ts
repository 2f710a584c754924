import assert from 'node:assert/strict'
import type { Reranker, RerankReply } from '@mnemark/spec'
import type { ModelBehaviour } from '../protocol-servers/model-server.ts'
import {
  type RerankAnswer,
  type RerankCall,
  type RerankServer,
  type RerankWire,
  sampleScore,
  startRerankServer,
} from '../protocol-servers/rerank/rerank-wire.ts'
import { within } from '../service-suite/call-checks.ts'
import { type AskOptions, RecordedSession } from '../service-suite/recorded-session.ts'
import {
  type OptionSet,
  type ProviderOption,
  type ProviderSetup,
  SECRET,
  type ServiceCase,
} from '../service-suite/service-target.ts'

/** A reranker on a service, and the service. */
export interface RerankerTarget {
  create(setup: ProviderSetup): Reranker
  /** The service's side, or a function that makes it. */
  readonly wire: RerankWire | (() => RerankWire)
  /** Options that the constructor must refuse, such as `{ apiKey: '' }`. */
  readonly misconfigured: readonly OptionSet[]
  /** Every option that is meant to reach the service. */
  readonly options: readonly ProviderOption[]
}

export const QUERY = 'where does Mara live now?'
export const PASSAGES: readonly string[] = [
  'Peter prefers tea.',
  'Mara moved to Bergen in March and lives by the harbour now.',
  'The rent of the flat is due on the first.',
]

interface Asked {
  readonly query?: string
  readonly passages?: readonly string[]
  readonly signal?: AbortSignal
}

/** Asks once, and returns an answer of either form in the long one. */
export async function rerank(reranker: Reranker, asked: Asked = {}): Promise<RerankReply> {
  const reply = await within(reranker.rerank({ query: QUERY, passages: PASSAGES, ...asked }), 'rerank did not settle')
  return 'scores' in reply ? reply : { scores: reply }
}

type RerankBehaviour = ModelBehaviour<RerankCall, RerankAnswer>

export class RerankerSession extends RecordedSession<Reranker, RerankBehaviour, RerankServer> {
  readonly target: RerankerTarget
  override readonly wire: RerankWire
  override readonly badDays: readonly RerankBehaviour[] = [
    { answer: (_, usual) => ({ ...usual, results: usual.results.slice(1) }) },
  ]

  constructor(target: RerankerTarget, wire: RerankWire, server: RerankServer) {
    super(server)
    this.target = target
    this.wire = wire
  }

  override create(set: OptionSet = {}, baseUrl: string = this.server.baseUrl): Reranker {
    return this.target.create({ baseUrl, fetch: this.fetch, apiKey: SECRET, set })
  }

  override ask(reranker: Reranker, { texts = PASSAGES, signal }: AskOptions = {}): Promise<RerankReply> {
    return rerank(reranker, { passages: texts, query: texts[0] ?? QUERY, ...(signal === undefined ? {} : { signal }) })
  }

  override namesOf({ provider, model }: Reranker): { readonly provider: string; readonly model: string } {
    return { provider: provider ?? model, model }
  }

  override startAnother(): Promise<RerankServer> {
    return startRerankServer(this.wire, { apiKey: SECRET })
  }

  /** Runs `action` while `results` changes the results of every answer. */
  bending<Value>(
    results: (usual: RerankAnswer['results']) => RerankAnswer['results'],
    action: () => Promise<Value>,
  ): Promise<Value> {
    return this.behaving({ answer: (_, usual) => ({ ...usual, results: results(usual.results) }) }, action)
  }

  lastCall(): RerankCall {
    return this.server.calls.at(-1) ?? assert.fail('the service accepted a request')
  }

  /** Query and passages reached the service whole, and each passage has the score that the service gave it. */
  assertAligned({ scores }: RerankReply, { query = QUERY, passages = PASSAGES }: Asked = {}): void {
    const call = this.lastCall()
    const sent = { query: query.toWellFormed(), passages: passages.map((passage) => passage.toWellFormed()) }
    assert.deepEqual({ query: call.query, passages: call.passages }, sent, 'query and passages reached the service as they are')
    assert.deepEqual(
      scores,
      sent.passages.map((passage) => sampleScore(sent.query, passage)),
      'each passage has the score the service gave it',
    )
  }
}

export type RerankerCase = ServiceCase<RerankerSession>

export async function openRerankerSession(target: RerankerTarget, wire: RerankWire): Promise<RerankerSession> {
  return new RerankerSession(target, wire, await startRerankServer(wire, { apiKey: SECRET }))
}
