import { ConfigError, ProviderError } from '@mnemark/spec'
import type { EmbeddingProvider, ProviderModuleOptions } from '@mnemark/spec'
import { loadModule, reasonOf } from '../../config/files/load-module.ts'
import type { NamedModule } from '../../config/files/load-module.ts'
import type { LinkParts } from './link-parts.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'

/**
 * Creates the provider of a configured module. Rejects with ConfigError for an invalid module, with ProviderError `config` if its
 * function throws anything but a ProviderError.
 */
export async function ownProvider(module: NamedModule, parts: LinkParts, configFile: string | null): Promise<EmbeddingProvider> {
  const { file, create } = await loadModule(module, 'createProvider', configFile)
  const provider = await called(() => create(optionsOf(module, parts)), `${module.key}: createProvider of ${file}`, parts.link.id)
  if (isProvider(provider)) return provider
  throw new ConfigError(
    'invalid-value',
    `${module.key}: createProvider of ${file} must return an EmbeddingProvider of @mnemark/spec: specVersion "v1", space, traits, limits and embed`,
  )
}

function optionsOf({ options }: NamedModule, parts: LinkParts): ProviderModuleOptions {
  const { link, apiKey, baseUrl, headers, model, dimensions, limits } = parts
  return {
    id: link.id,
    ...withoutUndefined({ apiKey, baseUrl, model, dimensions }),
    headers,
    limits,
    options,
  }
}

async function called(create: () => unknown, what: string, provider: string): Promise<unknown> {
  try {
    return await create()
  } catch (cause) {
    if (ProviderError.isInstance(cause)) throw cause
    throw new ProviderError('config', `${what} failed: ${reasonOf(cause)}`, { provider, cause })
  }
}

function isProvider(value: unknown): value is EmbeddingProvider {
  if (typeof value !== 'object' || value === null) return false
  const has = (name: string, type: string): boolean =>
    typeof Reflect.get(value, name) === type && Reflect.get(value, name) !== null
  return (
    Reflect.get(value, 'specVersion') === 'v1' &&
    has('embed', 'function') &&
    ['space', 'traits', 'limits'].every((name) => has(name, 'object'))
  )
}
