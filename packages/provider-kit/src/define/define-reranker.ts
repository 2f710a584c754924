import type { Reranker, RerankReply, RerankRequest } from '@mnemark/spec'
import type { FailureContext } from '../failure/provider-failure.ts'
import type { ServiceFailure } from '../failure/service-failure.ts'
import { type RawScore, readScores } from '../reply/read-scores.ts'
import { tokenCount } from '../reply/token-count.ts'
import { checkRerankRequest, requirePassages } from '../request/check-rerank-request.ts'
import { checkPrices, optionalCount, requireText } from './check-options.ts'
import { closeOnce } from './close-once.ts'
import { freezeOptions } from './freeze-options.ts'
import { guardCall } from './guard-call.ts'

/**
 * The request an adapter gets: checked, not empty, and well-formed (lone surrogates are already U+FFFD, since no service accepts
 * them).
 */
export interface RawRerankRequest {
  readonly query: string
  readonly passages: readonly string[]
  /** Aborts when the caller's signal does, or at the time-out. */
  readonly signal: AbortSignal
}

export interface RawRerankReply {
  /** In any order where each has its `index`; else in the order of the passages. */
  readonly results: readonly RawScore[]
  /** Tokens as the service counts; anything but a whole number counts as not reported. */
  readonly inputTokens?: unknown
}

export interface RerankerDefinition {
  readonly provider: string
  /** Normalised; null for models of this process. */
  readonly endpoint: string | null
  readonly model: string
  readonly traits: NonNullable<Reranker['traits']>
  readonly limits?: Reranker['limits'] | undefined
  /** Keys and header values that no error may show. The list may change; it is read when an error is made. */
  readonly secrets?: readonly string[]
  /** Ends one request as `unavailable`. Default: only the caller's signal ends it. */
  readonly timeoutMs?: number | undefined
  /** Sends at most one request, without retry; throws whatever its SDK throws. Takes from the reply only what it needs, untrusted. */
  rerank(request: RawRerankRequest): Promise<RawRerankReply>
  /** Reads status, headers and body from an error of the SDK. Undefined for errors that are not the service's. */
  readFailure?(error: unknown): ServiceFailure | undefined
  /** With `limits.maxPassageTokens`, longer passages are refused as `input-too-long` before they are sent. */
  countTokens?(text: string): number
  /** Called once at most. */
  close?(): Promise<void>
}

/** A reranker whose answers always have the long form. */
export interface DefinedReranker extends Reranker {
  readonly provider: string
  readonly endpoint: string | null
  readonly traits: NonNullable<Reranker['traits']>
  readonly limits: NonNullable<Reranker['limits']>
  rerank(request: RerankRequest): Promise<RerankReply>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Makes a reranker of an adapter: checks requests before anything is sent, puts scores in the order of the passages, and turns
 * anything thrown into a `ProviderError` without secrets and texts. Throws a `config` error for invalid settings.
 */
export function defineReranker(definition: RerankerDefinition): DefinedReranker {
  const { provider, endpoint, model, limits = {}, timeoutMs } = definition
  requireText(provider, 'model', model)
  optionalCount(provider, 'limits.maxPassages', limits.maxPassages)
  optionalCount(provider, 'limits.maxPassageTokens', limits.maxPassageTokens)
  optionalCount(provider, 'timeoutMs', timeoutMs)
  const { usdPerMillionInput, usdPerThousandQueries } = definition.traits
  checkPrices(provider, { usdPerMillionInput, usdPerThousandQueries })
  const close = definition.close && closeOnce(() => definition.close?.())
  return Object.freeze({
    specVersion: 'v1' as const,
    provider,
    endpoint,
    model,
    traits: freezeOptions(definition.traits),
    limits: freezeOptions(limits),
    rerank: async (request: RerankRequest) => {
      requirePassages(request)
      const call = { context: contextOf(definition, request), signal: request.signal, timeoutMs, lateness: 'no scores' }
      return guardCall(call, (signal) => attempt(definition, request, signal))
    },
    ...(close === undefined ? {} : { close }),
    [Symbol.asyncDispose]: close ?? (async () => {}),
  })
}

async function attempt(definition: RerankerDefinition, request: RerankRequest, signal: AbortSignal): Promise<RerankReply> {
  const { query, passages } = request
  if (passages.length === 0) return { scores: [] }
  checkRerankRequest(request, { limits: definition.limits ?? {}, countTokens: definition.countTokens?.bind(definition) })
  const { results, inputTokens } = await definition.rerank({
    query: query.toWellFormed(),
    passages: passages.map((passage) => passage.toWellFormed()),
    signal,
  })
  const scores = readScores(results, passages.length)
  const tokens = tokenCount(inputTokens)
  return { scores, ...(tokens === undefined ? {} : { usage: { inputTokens: tokens } }) }
}

const contextOf = (definition: RerankerDefinition, { query, passages }: RerankRequest): FailureContext => ({
  provider: definition.provider,
  model: definition.model,
  secrets: definition.secrets ?? [],
  texts: [query, ...passages],
  readFailure: definition.readFailure?.bind(definition),
  nextSteps: {
    'invalid-input': 'Check the model, and how many passages of which length it takes.',
    'input-too-long': 'Send fewer or shorter passages.',
    'bad-response': 'Check that the base URL leads to a reranking service, and the model.',
  },
})
