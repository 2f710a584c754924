import { ModelServer, type ModelServerOptions } from '../model-server.ts'
import { countWireTokens } from '../wire/exchange.ts'
import type { ModelWire } from '../wire/model-wire.ts'

/** An accepted request as a reranking service reads it. */
export interface RerankCall {
  readonly model: string
  readonly query: string
  readonly passages: readonly string[]
}

/** One entry of an answer; anything at all, for tests of broken services. */
export interface RerankResult {
  readonly index?: unknown
  readonly score: unknown
}

export interface RerankAnswer {
  readonly results: readonly RerankResult[]
  /** Absent = the answer says nothing about tokens. */
  readonly usage?: { readonly inputTokens: number }
}

/** A reranking service. */
export interface RerankWire extends ModelWire<RerankCall, RerankAnswer> {
  /** Whether entries name their passage; if not, they come in the order of the passages. */
  readonly hasIndexes: boolean
}

export type RerankServer = ModelServer<RerankCall, RerankAnswer>

/** The score that the servers here give a passage: the share of the query's letters it has, and its length to tell equals apart. */
export function sampleScore(query: string, passage: string): number {
  const letters = [...new Set(query)]
  const share = letters.filter((letter) => passage.includes(letter)).length / letters.length
  return Number((share / 2 + passage.length / 10_000).toFixed(6))
}

/** Best first where entries name their passage, as services answer. */
function usualAnswer({ query, passages }: RerankCall, { hasIndexes }: RerankWire): RerankAnswer {
  const results = passages.map((passage, index) => ({ index, score: sampleScore(query, passage) }))
  return {
    results: hasIndexes ? results.toSorted((left, right) => right.score - left.score) : results,
    usage: { inputTokens: countWireTokens([query, ...passages]) },
  }
}

/** Starts the service on a free port of 127.0.0.1. */
export function startRerankServer(wire: RerankWire, options: ModelServerOptions = {}): Promise<RerankServer> {
  return new ModelServer(wire, (call: RerankCall) => usualAnswer(call, wire), options).listen()
}
