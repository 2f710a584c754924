import type { TextGenerator } from '@mnemark/spec'
import type { ModelLink } from '../../config/resolve/settings.ts'
import { GENERATOR_IDS, type GeneratorId } from '../../config/schema/provider-ids.ts'
import { requireModelPackage } from '../choose/installed-adapters.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import { modelPartsOf, type ModelParts, requiredKey, requiredModel, requiredUrl, unknownApi } from './model-parts.ts'
import { hasMembers, ownModel } from './own-model.ts'

/**
 * Builds the generator of one link; loads only its adapter and sends nothing. Rejects with ProviderError if the adapter
 * cannot be created, for example without a key or an installed package, and with ConfigError for a wrong configuration.
 */
export async function buildGenerator(link: ModelLink, sources: ProviderSources): Promise<TextGenerator> {
  const parts = modelPartsOf(link, sources)
  const { module } = parts
  return module === undefined ? BUILDERS[adapterOf(parts)](parts) : ownModel(module, parts, OWN, sources.trustedFile)
}

const OWN = {
  exported: 'createGenerator',
  isOne: (value: unknown): value is TextGenerator =>
    hasMembers(value, { specVersion: 'string', model: 'string', traits: 'object', generate: 'function' }),
  wanted: 'a TextGenerator of @mnemark/spec: specVersion "v1", model, endpoint, traits and generate',
} as const

const BUILDERS: Readonly<Record<GeneratorId, (parts: ModelParts) => Promise<TextGenerator>>> = {
  openai: (parts) => openAICompatible({ ...parts, apiKey: requiredKey(parts) }),
  'openai-compatible': (parts) => openAICompatible({ ...parts, baseUrl: requiredUrl(parts) }),
}

/** Names by which people's own servers say that they speak chat completions. */
const CHAT_COMPLETIONS: readonly string[] = [
  'openai',
  'openai-completions',
  'openai-compatible',
  'vllm',
  'openrouter',
  'deepinfra',
  'nim',
  'lmstudio',
]

function adapterOf(parts: ModelParts): GeneratorId {
  const named = GENERATOR_IDS.find((id) => id === parts.link.id)
  if (named !== undefined) return named
  if (CHAT_COMPLETIONS.includes(parts.api ?? '')) return 'openai-compatible'
  throw unknownApi(parts, CHAT_COMPLETIONS)
}

async function openAICompatible(parts: ModelParts): Promise<TextGenerator> {
  requireModelPackage('@mnemark/generate-openai-compatible', parts.link.id)
  const { createOpenAICompatibleGenerator } = await import('@mnemark/generate-openai-compatible')
  const { link, apiKey, baseUrl, headers } = parts
  return createOpenAICompatibleGenerator({
    id: link.id,
    model: requiredModel(parts),
    apiKey,
    baseUrl,
    headers,
    traits: link.prices,
  })
}
