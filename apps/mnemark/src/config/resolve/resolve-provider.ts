import { ConfigError } from '@mnemark/spec'
import { isBuiltIn, PROVIDER_IDS } from '../schema/provider-ids.ts'
import type { Config, FallbackLink, MemorySearchConfig, ModelConfig } from '../schema/config.ts'
import { first } from './layers.ts'
import type { Found, Layer } from './layers.ts'
import type { LinkSettings, ProviderSettings } from './settings.ts'
import { show } from '../files/show-value.ts'
import { withoutUndefined } from '../without-undefined.ts'

/**
 * The provider and its fallbacks. A fallback equal to the provider is dropped with a warning. Throws ConfigError for an unknown
 * name.
 */
export function resolveProvider(
  config: Config,
  layers: readonly Layer<MemorySearchConfig>[],
): { readonly provider: ProviderSettings; readonly warnings: readonly string[] } {
  const named = first(layers, 'provider', (part) => part.provider)
  const custom = Object.keys(config.models?.providers ?? {})
  if (named !== undefined) requireKnown(named, ['auto', 'none', ...PROVIDER_IDS], custom)
  const requested = named?.value ?? 'auto'
  const primary = linkOf(requested, layersOfProvider(layers))
  const { links, warnings } = fallbacksOf(
    first(layers, 'fallback', (part) => part.fallback),
    primary,
    custom,
  )
  const consent = first(layers, 'remote.consent', (part) => part.remote?.consent)?.value
  return { provider: { requested, primary, fallbacks: links, consent }, warnings }
}

/** A lower layer that configures another provider does not apply: its key must not be sent to another host. */
function layersOfProvider(layers: readonly Layer<MemorySearchConfig>[]): readonly Layer<MemorySearchConfig>[] {
  const provider = first(layers, 'provider', (part) => part.provider)?.value
  const end = layers.findIndex(({ part }) => part.provider !== undefined && part.provider !== provider)
  return end === -1 ? layers : layers.slice(0, end)
}

function fallbacksOf(
  fallback: Found<FallbackLink | readonly FallbackLink[]> | undefined,
  primary: LinkSettings,
  custom: readonly string[],
): { readonly links: readonly LinkSettings[]; readonly warnings: readonly string[] } {
  if (fallback === undefined) return { links: [], warnings: [] }
  const links: LinkSettings[] = []
  const warnings: string[] = []
  for (const [index, written] of (isList(fallback.value) ? fallback.value : [fallback.value]).entries()) {
    const key = isList(fallback.value) ? `${fallback.key}.${index}` : fallback.key
    const part = typeof written === 'string' ? { provider: written } : written
    requireKnown({ key, value: part.provider }, ['none', ...PROVIDER_IDS], custom)
    if (part.provider === 'none') break
    const link = atTheSameHost(linkOf(part.provider, [{ key, part }]), primary)
    // An object may name another model or another host of the same provider, which makes it a different link.
    if (isSame(link, primary)) warnings.push(`${key} names "${link.id}", which is the provider itself: dropped`)
    else links.push(link)
  }
  return { links, warnings }
}

/** Another model of the same service uses the provider's address and key, unless the link sets its own. */
function atTheSameHost(link: LinkSettings, { id, remote }: LinkSettings): LinkSettings {
  if (link.id !== id || link.remote.baseUrl !== undefined) return link
  return { ...link, remote: { ...remote, ...link.remote, headers: { ...remote.headers, ...link.remote.headers } } }
}

function isSame(link: LinkSettings, primary: LinkSettings): boolean {
  if (link.id !== primary.id) return false
  const { model = primary.model, outputDimensionality = primary.outputDimensionality, remote, local } = link
  return (
    model === primary.model &&
    outputDimensionality === primary.outputDimensionality &&
    (remote.baseUrl?.value ?? primary.remote.baseUrl?.value) === primary.remote.baseUrl?.value &&
    (local.modelPath?.value ?? primary.local.modelPath?.value) === primary.local.modelPath?.value
  )
}

function linkOf(id: string, layers: readonly Layer<ModelConfig>[]): LinkSettings {
  const remote = <Value>(name: string, read: (part: NonNullable<ModelConfig['remote']>) => Value | undefined) =>
    first(layers, `remote.${name}`, ({ remote: part }) => (part === undefined ? undefined : read(part)))
  const local = <Value>(name: string, read: (part: NonNullable<ModelConfig['local']>) => Value | undefined) =>
    first(layers, `local.${name}`, ({ local: part }) => (part === undefined ? undefined : read(part)))
  return withoutUndefined({
    id,
    key: layers[0]?.key ?? 'agents.defaults.memorySearch',
    model: first(layers, 'model', (part) => part.model)?.value,
    outputDimensionality: first(layers, 'outputDimensionality', (part) => part.outputDimensionality)?.value,
    inputType: first(layers, 'inputType', (part) => part.inputType)?.value,
    queryInputType: first(layers, 'queryInputType', (part) => part.queryInputType)?.value,
    documentInputType: first(layers, 'documentInputType', (part) => part.documentInputType)?.value,
    remote: withoutUndefined({
      baseUrl: remote('baseUrl', (part) => part.baseUrl),
      apiKey: remote('apiKey', (part) => part.apiKey),
      headers: headersOf(layers),
      nonBatchConcurrency: remote('nonBatchConcurrency', (part) => part.nonBatchConcurrency)?.value,
    }),
    local: withoutUndefined({
      modelPath: local('modelPath', (part) => part.modelPath),
      modelCacheDir: local('modelCacheDir', (part) => part.modelCacheDir),
      contextSize: local('contextSize', (part) => part.contextSize)?.value,
    }),
  })
}

/** Merged header by header: an agent may add one to those of the defaults. */
function headersOf(layers: readonly Layer<ModelConfig>[]): Readonly<Record<string, Found<string>>> {
  const found = [...layers]
    .reverse()
    .flatMap(({ key, part }) =>
      Object.entries(part.remote?.headers ?? {}).map(
        ([name, value]) => [name.toLowerCase(), { key: `${key}.remote.headers.${name}`, value }] as const,
      ),
    )
  return Object.fromEntries(found)
}

/** Array.isArray does not narrow readonly arrays. */
function isList(fallback: FallbackLink | readonly FallbackLink[]): fallback is readonly FallbackLink[] {
  return Array.isArray(fallback)
}

function requireKnown({ key, value }: Found<string>, allowed: readonly string[], custom: readonly string[]): void {
  if (allowed.includes(value) || custom.includes(value)) return
  const names = [...allowed, ...custom.filter((id) => !isBuiltIn(id))].map((id) => `"${id}"`).join(', ')
  throw new ConfigError('invalid-value', `${key} is ${show(value)}; allowed: ${names}, or a name of models.providers`)
}
