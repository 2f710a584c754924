import { ConfigError } from '@mnemark/spec'
import type { Config, FallbackLink } from './config.ts'
import { show } from './show-value.ts'
import type { ProviderSettings } from './settings.ts'

const PROVIDERS = [
  'auto',
  'none',
  'local',
  'openai',
  'gemini',
  'voyage',
  'mistral',
  'bedrock',
  'ollama',
  'lmstudio',
  'github-copilot',
  'openai-compatible',
]

interface Named<Value> {
  readonly key: string
  readonly value: Value
}

/** The provider and its fallbacks by name. A fallback equal to the provider is dropped with a warning. Throws ConfigError for a name nobody knows. */
export function resolveProvider(
  config: Config,
  provider: Named<string> | undefined,
  fallback: Named<FallbackLink | readonly FallbackLink[]> | undefined,
): { readonly provider: ProviderSettings; readonly warnings: readonly string[] } {
  const known = [...PROVIDERS, ...Object.keys(config.models?.providers ?? {})]
  const requested = provider?.value ?? 'auto'
  if (provider !== undefined) requireKnown(provider.key, requested, known)
  const fallbacks: string[] = []
  const warnings: string[] = []
  for (const link of linksOf(fallback?.value)) {
    const name = typeof link === 'string' ? link : link.provider
    requireKnown(fallback?.key ?? 'fallback', name, known)
    if (name === 'none') continue
    // An object may name another model of the same provider, which is a different link.
    if (name === requested && (typeof link === 'string' || link.model === undefined)) {
      warnings.push(`${fallback?.key ?? 'fallback'} names "${name}", which is the provider itself: dropped`)
    } else {
      fallbacks.push(name)
    }
  }
  return { provider: { requested, fallbacks }, warnings }
}

function linksOf(fallback: FallbackLink | readonly FallbackLink[] | undefined): readonly FallbackLink[] {
  if (fallback === undefined) return []
  return isList(fallback) ? fallback : [fallback]
}

/** Array.isArray does not narrow readonly arrays. */
function isList(fallback: FallbackLink | readonly FallbackLink[]): fallback is readonly FallbackLink[] {
  return Array.isArray(fallback)
}

function requireKnown(key: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const allowed = known.map((id) => `"${id}"`).join(', ')
  throw new ConfigError('invalid-value', `${key} is ${show(name)}; allowed: ${allowed}, or a name of models.providers`)
}
