import type { TextGenerator } from '@mnemark/spec'
import type { ModelLink } from '../../config/resolve/settings.ts'
import { GENERATOR_IDS, type GeneratorId } from '../../config/schema/provider-ids.ts'
import { requireModelPackage } from '../choose/installed-adapters.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import {
  keepTokenAtAws,
  modelPartsOf,
  type ModelParts,
  requiredKey,
  requiredUrl,
  serviceOptions,
  unknownApi,
} from './model-parts.ts'
import { hasMembers, ownModel } from './own-model.ts'

/**
 * Builds the generator of one link; loads only its adapter and sends nothing. Rejects with ProviderError if the adapter
 * cannot be created, for example without a key or an installed package, and with ConfigError for a wrong configuration.
 */
export async function buildGenerator(link: ModelLink, sources: ProviderSources): Promise<TextGenerator> {
  const parts = modelPartsOf(link, sources)
  const { module } = parts
  return module === undefined ? BUILDERS[adapterOf(parts)](parts, sources) : ownModel(module, parts, OWN, sources.trustedFile)
}

const OWN = {
  exported: 'createGenerator',
  isOne: (value: unknown): value is TextGenerator =>
    hasMembers(value, { specVersion: 'string', model: 'string', traits: 'object', generate: 'function' }),
  wanted: 'a TextGenerator of @mnemark/spec: specVersion "v1", model, endpoint, traits and generate',
} as const

const BUILDERS: Readonly<Record<GeneratorId, (parts: ModelParts, sources: ProviderSources) => Promise<TextGenerator>>> = {
  openai: (parts) => openAICompatible({ ...parts, apiKey: requiredKey(parts) }),
  gemini,
  mistral,
  bedrock,
  ollama,
  'openai-compatible': (parts) => openAICompatible({ ...parts, baseUrl: requiredUrl(parts) }),
}

/** Adapters by the `api` that an entry of `models.providers` names. */
const APIS: Readonly<Record<string, GeneratorId>> = {
  openai: 'openai-compatible',
  'openai-completions': 'openai-compatible',
  'openai-compatible': 'openai-compatible',
  vllm: 'openai-compatible',
  openrouter: 'openai-compatible',
  deepinfra: 'openai-compatible',
  nim: 'openai-compatible',
  lmstudio: 'openai-compatible',
  ollama: 'ollama',
  gemini: 'gemini',
  google: 'gemini',
  'google-generative-ai': 'gemini',
  mistral: 'mistral',
  bedrock: 'bedrock',
  'bedrock-converse-stream': 'bedrock',
}

function adapterOf(parts: ModelParts): GeneratorId {
  const named = GENERATOR_IDS.find((id) => id === parts.link.id)
  if (named !== undefined) return named
  const adapter = APIS[parts.api ?? '']
  if (adapter !== undefined) return adapter
  throw unknownApi(parts, Object.keys(APIS))
}

async function openAICompatible(parts: ModelParts): Promise<TextGenerator> {
  requireModelPackage('@mnemark/generate-openai-compatible', parts.link.id)
  const { createOpenAICompatibleGenerator } = await import('@mnemark/generate-openai-compatible')
  return createOpenAICompatibleGenerator({ ...serviceOptions(parts), id: parts.link.id, apiKey: parts.apiKey })
}

async function gemini(parts: ModelParts): Promise<TextGenerator> {
  requireModelPackage('@mnemark/generate-gemini', parts.link.id)
  const { createGeminiGenerator } = await import('@mnemark/generate-gemini')
  return createGeminiGenerator({ ...serviceOptions(parts), apiKey: requiredKey(parts) })
}

async function mistral(parts: ModelParts): Promise<TextGenerator> {
  requireModelPackage('@mnemark/generate-mistral', parts.link.id)
  const { createMistralGenerator } = await import('@mnemark/generate-mistral')
  return createMistralGenerator({ ...serviceOptions(parts), apiKey: requiredKey(parts) })
}

async function bedrock(parts: ModelParts, { environment }: ProviderSources): Promise<TextGenerator> {
  keepTokenAtAws(parts, environment)
  requireModelPackage('@mnemark/generate-bedrock', parts.link.id)
  const { createBedrockGenerator } = await import('@mnemark/generate-bedrock')
  return createBedrockGenerator({ ...serviceOptions(parts), apiKey: parts.apiKey })
}

async function ollama(parts: ModelParts): Promise<TextGenerator> {
  const { createOllamaGenerator } = await import('@mnemark/generate-ollama')
  return createOllamaGenerator({ ...serviceOptions(parts), id: parts.link.id, apiKey: parts.apiKey })
}
