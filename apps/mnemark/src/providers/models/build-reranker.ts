import type { Reranker } from '@mnemark/spec'
import type { ModelLink } from '../../config/resolve/settings.ts'
import { RERANKER_IDS, type RerankerId } from '../../config/schema/provider-ids.ts'
import { requireModelPackage } from '../choose/installed-adapters.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import { keepTokenAtAws, modelPartsOf, type ModelParts, requiredKey, requiredUrl, serviceOptions } from './model-parts.ts'
import { hasMembers, ownModel } from './own-model.ts'

/** Builds the reranker of a link, as `buildGenerator` does a generator. */
export async function buildReranker(link: ModelLink, sources: ProviderSources): Promise<Reranker> {
  const parts = modelPartsOf(link, sources)
  const { module } = parts
  return module === undefined ? BUILDERS[adapterOf(parts)](parts, sources) : ownModel(module, parts, OWN, sources.trustedFile)
}

const OWN = {
  exported: 'createReranker',
  isOne: (value: unknown): value is Reranker => hasMembers(value, { specVersion: 'string', model: 'string', rerank: 'function' }),
  wanted: 'a Reranker of @mnemark/spec: specVersion "v1", model and rerank',
} as const

const BUILDERS: Readonly<Record<RerankerId, (parts: ModelParts, sources: ProviderSources) => Promise<Reranker>>> = {
  cohere: (parts) => cohereCompatible({ ...parts, apiKey: requiredKey(parts) }),
  voyage,
  bedrock,
  'cohere-compatible': (parts) => cohereCompatible({ ...parts, baseUrl: requiredUrl(parts) }),
}

/** Other servers are asked in Cohere's form unless their `api` says otherwise: vLLM, TEI behind a gateway, Jina, llama.cpp. */
function adapterOf({ link, api }: ModelParts): RerankerId {
  const own = RERANKER_IDS.find((id) => id === link.id)
  return own ?? (api === 'voyage' || api === 'bedrock' ? api : 'cohere-compatible')
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

async function bedrock(parts: ModelParts, { environment }: ProviderSources): Promise<Reranker> {
  keepTokenAtAws(parts, environment)
  requireModelPackage('@mnemark/rerank-bedrock', parts.link.id)
  const { createBedrockReranker } = await import('@mnemark/rerank-bedrock')
  const { link, model, baseUrl, headers, apiKey } = parts
  return createBedrockReranker({ model, apiKey, baseUrl, headers, traits: link.prices })
}
