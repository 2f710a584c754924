import type { Reranker } from '@mnemark/spec'
import type { ModelLink } from '../../config/resolve/settings.ts'
import { RERANKER_IDS, type RerankerId } from '../../config/schema/provider-ids.ts'
import { requireModelPackage } from '../choose/installed-adapters.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import { modelPartsOf, type ModelParts, requiredKey, requiredUrl, serviceOptions } from './model-parts.ts'
import { hasMembers, ownModel } from './own-model.ts'

/** Builds the reranker of a link, as `buildGenerator` does a generator. */
export async function buildReranker(link: ModelLink, sources: ProviderSources): Promise<Reranker> {
  const parts = modelPartsOf(link, sources)
  const { module } = parts
  return module === undefined ? BUILDERS[adapterOf(parts)](parts) : ownModel(module, parts, OWN, sources.trustedFile)
}

const OWN = {
  exported: 'createReranker',
  isOne: (value: unknown): value is Reranker => hasMembers(value, { specVersion: 'string', model: 'string', rerank: 'function' }),
  wanted: 'a Reranker of @mnemark/spec: specVersion "v1", model and rerank',
} as const

const BUILDERS: Readonly<Record<RerankerId, (parts: ModelParts) => Promise<Reranker>>> = {
  cohere: (parts) => cohereCompatible({ ...parts, apiKey: requiredKey(parts) }),
  voyage,
  'cohere-compatible': (parts) => cohereCompatible({ ...parts, baseUrl: requiredUrl(parts) }),
}

/** Other servers are asked in Cohere's form unless their `api` is `voyage`: vLLM, TEI behind a gateway, Jina, llama.cpp. */
function adapterOf({ link, api }: ModelParts): RerankerId {
  return RERANKER_IDS.find((id) => id === link.id) ?? (api === 'voyage' ? 'voyage' : 'cohere-compatible')
}

async function cohereCompatible(parts: ModelParts): Promise<Reranker> {
  const { createCohereCompatibleReranker } = await import('@mnemark/rerank-cohere-compatible')
  return createCohereCompatibleReranker({ ...serviceOptions(parts), id: parts.link.id, apiKey: parts.apiKey })
}

async function voyage(parts: ModelParts): Promise<Reranker> {
  requireModelPackage('@mnemark/rerank-voyage', parts.link.id)
  const { createVoyageReranker } = await import('@mnemark/rerank-voyage')
  const { link, model, baseUrl, headers } = parts
  return createVoyageReranker({ model, apiKey: requiredKey(parts), baseUrl, headers, traits: link.prices })
}
