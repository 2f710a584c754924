import type { Reranker } from '@mnemark/spec'

export interface VoyageRerankModel {
  /** The most tokens of the query and one passage together. */
  readonly maxPairTokens: number
  readonly maxQueryTokens: number
  readonly usdPerMillionTokens: number
}

export type VoyageRerankModelId = 'rerank-2.5' | 'rerank-2.5-lite'

/**
 * 2026-11, https://docs.voyageai.com/docs/reranker and /docs/pricing. Both take 600,000 tokens a request. The query counts once for
 * every passage, in this limit and in the bill.
 */
export const VOYAGE_RERANK_MODELS: Readonly<Record<VoyageRerankModelId, VoyageRerankModel>> = {
  'rerank-2.5': { maxPairTokens: 32_000, maxQueryTokens: 8_000, usdPerMillionTokens: 0.05 },
  'rerank-2.5-lite': { maxPairTokens: 32_000, maxQueryTokens: 8_000, usdPerMillionTokens: 0.02 },
}

export const knownModel = (model: string): VoyageRerankModel | undefined =>
  Object.hasOwn(VOYAGE_RERANK_MODELS, model)
    ? // An own name of the table is one of its ids.
      VOYAGE_RERANK_MODELS[model as VoyageRerankModelId]
    : undefined

/** Limits a passage to the tokens that fit beside the longest query; the service has no limit for a passage alone. */
export function limitsOf(known: VoyageRerankModel | undefined): NonNullable<Reranker['limits']> {
  return {
    maxPassages: 1000,
    ...(known === undefined ? {} : { maxPassageTokens: known.maxPairTokens - known.maxQueryTokens }),
  }
}
