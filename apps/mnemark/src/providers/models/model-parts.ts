import { ConfigError, ProviderError } from '@mnemark/spec'
import { expandAll, expandVariables } from '../../config/expand-variables.ts'
import type { NamedModule } from '../../config/files/load-module.ts'
import type { ModelLink } from '../../config/resolve/settings.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import { baseUrlOf, findKey, missingKey, modelProviderOf } from '../keys/find-key.ts'
import { isOwnHost } from '../keys/key-variables.ts'
import type { ProviderSources } from '../keys/provider-context.ts'

/** A chat model or a reranker with everything looked up, as its adapter needs it. */
export interface ModelParts {
  readonly link: ModelLink
  /** The protocol that the entry of `models.providers` names. */
  readonly api?: string
  /** The module configured for it. */
  readonly module?: NamedModule
  readonly apiKey?: string
  readonly baseUrl?: string
  readonly headers: Readonly<Record<string, string>>
  readonly model?: string
}

/** Throws ConfigError for a variable that is not set. */
export function modelPartsOf(link: ModelLink, sources: ProviderSources): ModelParts {
  const { key, entry } = modelProviderOf(link.id, sources)
  const expand = (text: string, at: string): string => expandVariables(text, at, sources.environment)
  const own = Object.values(link.remote.headers).map((header) => expand(header.value, header.key))
  const ofEntry = Object.entries(entry.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), expand(value, `${key}.headers.${name}`)] as const,
  )
  return {
    link,
    ...withoutUndefined({
      api: entry.api?.toLowerCase(),
      module: entry.module === undefined ? undefined : moduleOf(key, entry.module, entry.options, sources),
      apiKey: findKey(link, sources)?.value,
      baseUrl: baseUrlOf(link, sources),
      // Never that of the entry, which is the model that embeds.
      model: link.model,
    }),
    headers: {
      ...Object.fromEntries(ofEntry),
      ...Object.fromEntries(Object.keys(link.remote.headers).map((name, at) => [name, own[at] ?? ''])),
    },
  }
}

function moduleOf(
  key: string,
  name: string,
  options: Readonly<Record<string, unknown>> = {},
  { environment }: ProviderSources,
): NamedModule {
  return { key: `${key}.module`, name, options: expandAll(options, `${key}.options`, environment) }
}

/** Options that the adapters of all services take. */
export interface ServiceOptions {
  readonly model: string
  readonly baseUrl: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly traits: ModelLink['prices']
}

/** Throws ProviderError without a model. */
export function serviceOptions(parts: ModelParts): ServiceOptions {
  const { baseUrl, headers, link } = parts
  return { model: requiredModel(parts), baseUrl, headers, traits: link.prices }
}

export function requiredModel({ link, model }: ModelParts): string {
  if (model !== undefined) return model
  throw new ProviderError('config', `${link.id}: no model. Set ${link.key}.model.`, { provider: link.id })
}

export function requiredKey({ link, apiKey, baseUrl }: ModelParts): string {
  if (apiKey !== undefined) return apiKey
  throw new ProviderError('config', missingKey(link, baseUrl, `${link.key}.apiKey`), { provider: link.id })
}

/** The SDK takes this token from the environment, and it is for AWS only. Throws ProviderError for an address elsewhere without a key. */
export function keepTokenAtAws(parts: ModelParts, environment: ProviderSources['environment']): void {
  const hasToken = (environment['AWS_BEARER_TOKEN_BEDROCK'] ?? '').trim() !== ''
  const { apiKey, baseUrl } = parts
  if (hasToken && apiKey === undefined && baseUrl !== undefined && !isOwnHost('bedrock', baseUrl)) requiredKey(parts)
}

export function requiredUrl({ link, baseUrl }: ModelParts): string {
  if (baseUrl !== undefined) return baseUrl
  const entry = `models.providers.${link.id}.baseUrl`
  throw new ProviderError('config', `${link.id}: no address. Set ${link.key}.baseUrl or ${entry}.`, { provider: link.id })
}

/** For an entry of `models.providers` whose `api` none of the adapters speaks. */
export function unknownApi({ link, api }: ModelParts, allowed: readonly string[]): ConfigError {
  const names = allowed.map((name) => `"${name}"`).join(', ')
  const shown = api === undefined ? 'missing' : JSON.stringify(api)
  return new ConfigError('invalid-value', `models.providers.${link.id}.api is ${shown}, for ${link.key}; allowed: ${names}`)
}
