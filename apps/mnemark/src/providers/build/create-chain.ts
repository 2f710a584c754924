import { ProviderError } from '@mnemark/spec'
import type { Degradation, EmbeddingProvider } from '@mnemark/spec'
import { chooseLinks } from '../choose/choose-links.ts'
import { INSTALLED, notInstalled } from '../choose/installed-adapters.ts'
import type { Adapters } from '../choose/installed-adapters.ts'
import type { LinkParts } from './link-parts.ts'
import type { ProviderSources } from '../keys/provider-context.ts'

/** The embedding providers, as far as is known before anyone is asked. */
export interface ProviderChain {
  /** The links that can be used, first link first. */
  readonly providers: readonly EmbeddingProvider[]
  /** A provider that `auto` found at a host nobody named, one of `providers`: nothing may be sent to it without consent. */
  readonly unasked: EmbeddingProvider | null
  /** Why a link cannot be used, and which providers `auto` passed over. */
  readonly degraded: readonly Degradation[]
}

/** Loads the adapters of the chosen links only. Rejects with ConfigError for a wrong configuration. */
export async function createChain(sources: ProviderSources, adapters: Adapters = INSTALLED): Promise<ProviderChain> {
  const { links, isAutomatic, notInstalled: passedOver } = chooseLinks(sources, adapters)
  // A user who refused consent to what `auto` finds misses nothing.
  const remarks = sources.provider.consent === false ? [] : passedOver.map((id) => degradation(notInstalled(id)))
  if (links.length === 0) return { providers: [], unasked: null, degraded: remarks }
  const [{ partsOf }, { buildProvider }] = await Promise.all([import('./link-parts.ts'), import('./build-provider.ts')])
  // The settings of all links are checked before any is used: a working link must not hide a mistake in another.
  const parts = links.map((link) => partsOf(link, sources))
  const built = await Promise.all(parts.map((each) => attempt(() => buildProvider(each, sources, adapters))))
  const [first] = built
  return {
    providers: built.flatMap((each) => ('provider' in each ? [each.provider] : [])),
    degraded: [...remarks, ...built.flatMap((each) => ('problem' in each ? [each.problem] : []))],
    unasked:
      isAutomatic && first !== undefined && 'provider' in first && isUnnamed(first.provider, parts[0]) ? first.provider : null,
  }
}

type Built = { readonly provider: EmbeddingProvider } | { readonly problem: Degradation }

async function attempt(build: () => Promise<EmbeddingProvider>): Promise<Built> {
  try {
    return { provider: await build() }
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error
    return { problem: degradation(error) }
  }
}

const degradation = ({ message }: ProviderError): Degradation => ({ code: 'provider-unavailable', message })

/** False for a provider on this machine or network, and for a host named in the configuration. */
function isUnnamed({ traits, space }: EmbeddingProvider, parts: LinkParts | undefined): boolean {
  return !traits.isLocal && parts?.baseUrl === undefined && space.endpoint !== null
}
