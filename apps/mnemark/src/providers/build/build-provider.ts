import type { InputTypeMapping } from '@mnemark/embed-openai-compatible'
import type { VoyageInputType } from '@mnemark/embed-voyage'
import { ProviderError } from '@mnemark/spec'
import type { EmbeddingProvider } from '@mnemark/spec'
import type { NamedModule } from '../../config/files/load-module.ts'
import { missingKey } from '../keys/find-key.ts'
import { notInstalled } from '../choose/installed-adapters.ts'
import type { Adapters } from '../choose/installed-adapters.ts'
import { noInputTypes, prefixOnly, unsupported } from './input-types.ts'
import { isOwnHost } from '../keys/key-variables.ts'
import type { LinkParts } from './link-parts.ts'
import { modelReference } from '../choose/local-model-file.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import type { ProviderId } from '../../config/schema/provider-ids.ts'

type Build = (parts: LinkParts, sources: ProviderSources, adapters: Adapters) => Promise<EmbeddingProvider>

/**
 * Builds the provider of one link; loads only its adapter and sends nothing. Rejects with ProviderError if the adapter cannot be
 * created, for example without a key or an installed package, and with ConfigError for a wrong configuration.
 */
export function buildProvider(parts: LinkParts, sources: ProviderSources, adapters: Adapters): Promise<EmbeddingProvider> {
  if (parts.module !== undefined) return own(parts.module, parts, sources)
  return BUILDERS[parts.adapter](parts, sources, adapters)
}

const BUILDERS: Readonly<Record<ProviderId, Build>> = {
  local,
  openai,
  gemini,
  voyage,
  mistral,
  bedrock,
  ollama,
  lmstudio,
  'github-copilot': githubCopilot,
  'openai-compatible': openaiCompatible,
}

async function own(module: NamedModule, parts: LinkParts, { trustedFile }: ProviderSources): Promise<EmbeddingProvider> {
  const { ownProvider } = await import('./own-provider.ts')
  return ownProvider(module, parts, trustedFile)
}

async function local(parts: LinkParts, sources: ProviderSources, adapters: Adapters): Promise<EmbeddingProvider> {
  const { link, types, limits, model } = parts
  const reference = modelReference(model === undefined ? link : { ...link, model }, sources)
  if (reference === null) throw missing(link.id, 'no model file', 'Set memorySearch.local.modelPath to a GGUF file.')
  const { modelCacheDir, contextSize } = link.local
  requireInstalled(parts, adapters)
  const { createLocal } = await import('@mnemark/embed-local')
  return createLocal({
    model: reference,
    modelCacheDir: modelCacheDir?.value,
    contextSize: contextSize === 'auto' ? Number.MAX_SAFE_INTEGER : contextSize,
    inputType: prefixOnly(types, link),
    limits,
  })
}

async function openai(parts: LinkParts, _: ProviderSources, adapters: Adapters): Promise<EmbeddingProvider> {
  const { link, types, baseUrl } = parts
  const apiKey = requiredKey(parts)
  // Another host may support input types: then it is a server that only speaks OpenAI's protocol.
  if (baseUrl !== undefined && types !== undefined) return openaiCompatible(parts)
  noInputTypes(types, link)
  requireInstalled(parts, adapters)
  const { createOpenAI } = await import('@mnemark/embed-openai')
  return createOpenAI({ ...service(parts), apiKey })
}

async function openaiCompatible(parts: LinkParts): Promise<EmbeddingProvider> {
  const { link, model, types, server } = parts
  const { createOpenAICompatible, OPENAI_COMPATIBLE_SERVERS } = await import('@mnemark/embed-openai-compatible')
  const preset = Object.entries(OPENAI_COMPATIBLE_SERVERS).find(([name]) => name === server)?.[1]
  const baseUrl = parts.baseUrl ?? preset?.baseUrl
  if (baseUrl === undefined)
    throw missing(link.id, 'no address', `Set memorySearch.remote.baseUrl${ofEntry(link.id, 'baseUrl')}.`)
  if (model === undefined) throw missing(link.id, 'no model', `Set memorySearch.model${ofEntry(link.id, 'model')}.`)
  const { headers, dimensions, apiKey, limits } = parts
  return createOpenAICompatible({
    ...preset,
    id: link.id,
    baseUrl,
    model,
    apiKey,
    headers,
    dimensions,
    limits: { ...preset?.limits, ...limits },
    inputType: fieldsOf(types) ?? preset?.inputType ?? 'symmetric',
  })
}

const ofEntry = (id: string, name: string): string => (id === 'openai-compatible' ? '' : ` or models.providers.${id}.${name}`)

type BodyFields = Extract<InputTypeMapping, { readonly query: unknown }>

/** A plain text goes into the field most servers call `input_type`. */
function fieldsOf(types: LinkParts['types']): InputTypeMapping | undefined {
  if (types === undefined || types === 'symmetric' || 'prefix' in types) return types
  if ('texts' in types) return { query: { input_type: types.texts.query }, document: { input_type: types.texts.document } }
  // Safe: it comes from a JSON5 file, so it is JSON.
  return types.fields as BodyFields
}

async function gemini(parts: LinkParts, _: ProviderSources, adapters: Adapters): Promise<EmbeddingProvider> {
  const { link, types } = parts
  requireInstalled(parts, adapters)
  const { createGemini } = await import('@mnemark/embed-gemini')
  if (types === undefined) return createGemini({ ...service(parts), apiKey: requiredKey(parts) })
  if (types === 'symmetric' || 'fields' in types) throw unsupported(link, 'two task types, or { prefix: { query, document } }')
  const inputType = 'prefix' in types ? types : { taskType: types.texts }
  return createGemini({ ...service(parts), apiKey: requiredKey(parts), inputType })
}

async function voyage(parts: LinkParts, _: ProviderSources, adapters: Adapters): Promise<EmbeddingProvider> {
  requireInstalled(parts, adapters)
  const { createVoyage } = await import('@mnemark/embed-voyage')
  return createVoyage({ ...service(parts), apiKey: requiredKey(parts), inputType: voyageTypes(parts) })
}

function voyageTypes({ types, link }: LinkParts): VoyageInputType | undefined {
  if (types === undefined) return undefined
  if (types === 'symmetric') return { query: null, document: null }
  const isKnown = (text: string): text is 'query' | 'document' => text === 'query' || text === 'document'
  if ('texts' in types && isKnown(types.texts.query) && isKnown(types.texts.document))
    return { query: types.texts.query, document: types.texts.document }
  throw unsupported(link, '"symmetric", "query", "document"')
}

async function mistral(parts: LinkParts, _: ProviderSources, adapters: Adapters): Promise<EmbeddingProvider> {
  noInputTypes(parts.types, parts.link)
  requireInstalled(parts, adapters)
  const { createMistral } = await import('@mnemark/embed-mistral')
  return createMistral({ ...service(parts), apiKey: requiredKey(parts) })
}

async function bedrock(parts: LinkParts, { environment }: ProviderSources, adapters: Adapters): Promise<EmbeddingProvider> {
  noInputTypes(parts.types, parts.link)
  // The adapter takes this token from the environment, for AWS only; requests signed with other credentials do not contain it.
  const hasToken = (environment['AWS_BEARER_TOKEN_BEDROCK'] ?? '').trim() !== ''
  if (hasToken && parts.apiKey === undefined && parts.baseUrl !== undefined && !isOwnHost('bedrock', parts.baseUrl))
    requiredKey(parts)
  requireInstalled(parts, adapters)
  const { createBedrock } = await import('@mnemark/embed-bedrock')
  return createBedrock({ ...service(parts), apiKey: parts.apiKey })
}

async function ollama(parts: LinkParts): Promise<EmbeddingProvider> {
  const { link, types } = parts
  const { createOllama } = await import('@mnemark/embed-ollama')
  return createOllama({ ...service(parts), id: link.id, apiKey: parts.apiKey, inputType: prefixOnly(types, link) })
}

async function lmstudio(parts: LinkParts): Promise<EmbeddingProvider> {
  const { link, types, model } = parts
  if (model === undefined) throw missing(link.id, 'no model', `Set memorySearch.model${ofEntry(link.id, 'model')}.`)
  const { createLMStudio } = await import('@mnemark/embed-lmstudio')
  return createLMStudio({ ...service(parts), id: link.id, model, apiKey: parts.apiKey, inputType: prefixOnly(types, link) })
}

async function githubCopilot(parts: LinkParts): Promise<EmbeddingProvider> {
  noInputTypes(parts.types, parts.link)
  const { createGitHubCopilot } = await import('@mnemark/embed-github-copilot')
  return createGitHubCopilot({ ...service(parts), githubToken: requiredKey(parts) })
}

/** Options that all services take. */
function service({ model, baseUrl, headers, dimensions, limits }: LinkParts) {
  return { model, baseUrl, headers, dimensions, limits }
}

function requireInstalled({ link, adapter }: LinkParts, adapters: Adapters): void {
  if (!adapters.isInstalled(adapter)) throw notInstalled(adapter, link.id)
}

function requiredKey({ link, apiKey, baseUrl }: LinkParts): string {
  if (apiKey !== undefined) return apiKey
  throw new ProviderError('config', missingKey(link, baseUrl), { provider: link.id })
}

function missing(id: string, what: string, next: string): ProviderError {
  return new ProviderError('config', `${id}: ${what}. ${next}`, { provider: id })
}
