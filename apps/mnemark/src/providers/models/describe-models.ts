import type { MemoryStore, Reranker, TextGenerator } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import { modelHost } from './ask-models.ts'
import { type SearchCost, searchCost } from './search-cost.ts'

/** A chat model, as status shows it. */
export interface ModelStatus {
  readonly provider: string
  readonly model: string
  readonly host: string
}
/** The reranker, as status shows it. */
export interface RerankerStatus extends ModelStatus {
  /** The most that one search sends. */
  readonly perSearch: SearchCost
}
/** Tokens of today that count against a cap of the configuration. */
export interface TokensToday {
  readonly kind: 'embeddings' | 'generate' | 'rerank'
  readonly used: number
  readonly limit: number
}

export function describeModel(model: Pick<TextGenerator | Reranker, 'provider' | 'model' | 'endpoint'>): ModelStatus {
  return { provider: model.provider ?? model.model, model: model.model, host: modelHost(model) }
}

export function describeReranker(reranker: Reranker, memory: Settings['memory']): RerankerStatus {
  return { ...describeModel(reranker), perSearch: searchCost(reranker, memory) }
}

/** Tokens that each cap has let through today; empty without caps. */
export async function tokensOfToday(
  store: MemoryStore,
  { memory, models, timeZone }: Pick<Settings, 'memory' | 'models' | 'timeZone'>,
  nowMs: number,
): Promise<readonly TokensToday[]> {
  const caps = { embeddings: memory.dailyTokens, generate: models.generate?.dailyTokens, rerank: memory.reranking?.dailyTokens }
  if (Object.values(caps).every((cap) => cap === undefined)) return []
  const { tokensToday } = await import('@mnemark/core/generate')
  const used = await tokensToday(store, { nowMs, timeZone })
  return (['embeddings', 'generate', 'rerank'] as const).flatMap((kind) => {
    const limit = caps[kind]
    return limit === undefined ? [] : [{ kind, used: used[kind], limit }]
  })
}
