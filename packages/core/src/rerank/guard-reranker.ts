import type { Reranker, RerankReply, RerankRequest } from '@mnemark/spec'
import { providerError, type Service } from '../calls/provider-errors.ts'

/** The reranker as messages name it. */
export function serviceOf({ provider, model }: Pick<Reranker, 'provider' | 'model'>): Service {
  return { provider: provider ?? model, model }
}

/** Throws ProviderError `config` for a value that is no reranker; callers without types may pass anything. */
export function requireReranker(reranker: Reranker): void {
  const { model, rerank, limits }: Partial<Reranker> = Object(reranker)
  const problem =
    typeof model !== 'string' || model === ''
      ? 'model must be a text'
      : typeof rerank !== 'function'
        ? 'rerank must be a function'
        : [limits?.maxPassages, limits?.maxPassageTokens].some((limit) => limit !== undefined && !(limit >= 1))
          ? 'limits must be numbers from 1'
          : undefined
  if (problem === undefined) return
  const service = { provider: 'a reranker', model: typeof model === 'string' ? model : 'unknown' }
  throw providerError(service, 'config', `${problem}. Make rerankers with defineReranker of @mnemark/provider-kit.`)
}

/** Makes one request. Rejects with ProviderError `bad-response` if the answer does not have one finite score per passage. */
export async function checkedScores(reranker: Reranker, request: RerankRequest): Promise<RerankReply> {
  const reply: unknown = await reranker.rerank(request)
  const { scores, usage }: Partial<RerankReply> = Array.isArray(reply) ? { scores: reply } : Object(reply)
  const { length: wanted } = request.passages
  const problem = !Array.isArray(scores)
    ? 'the answer has no list of scores'
    : scores.length !== wanted
      ? `${scores.length} scores for ${wanted} passages`
      : scores.every(Number.isFinite)
        ? undefined
        : 'a score is no finite number'
  if (problem !== undefined || scores === undefined)
    throw providerError(serviceOf(reranker), 'bad-response', `${problem}. Check the model and its adapter.`)
  const isCounted = Number.isFinite(usage?.inputTokens) && usage !== undefined && usage.inputTokens > 0
  return { scores, ...(isCounted && { usage }) }
}
