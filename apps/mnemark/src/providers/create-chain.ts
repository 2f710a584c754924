import { ProviderError } from '@mnemark/spec'
import type { Degradation, EmbeddingProvider } from '@mnemark/spec'
import { chooseLinks } from './choose-links.ts'
import type { LinkParts } from './link-parts.ts'
import type { ProviderSources } from './provider-context.ts'

/** Who makes vectors, as far as can be said before anybody is asked. */
export interface ProviderChain {
  /** The links that can be used, first link first. */
  readonly providers: readonly EmbeddingProvider[]
  /** What `auto` found at a host that nobody has named: one of `providers`, and nothing may be sent to it without consent. */
  readonly unasked: EmbeddingProvider | null
  /** Why a link cannot be used. */
  readonly degraded: readonly Degradation[]
}

const NOBODY: ProviderChain = { providers: [], unasked: null, degraded: [] }

/** Loads the adapters of the links that are asked for and nothing else. Rejects with ConfigError for a wrong configuration. */
export async function createChain(sources: ProviderSources): Promise<ProviderChain> {
  const { links, isAutomatic } = chooseLinks(sources)
  if (links.length === 0) return NOBODY
  const [{ partsOf }, { buildProvider }] = await Promise.all([import('./link-parts.ts'), import('./build-provider.ts')])
  // The settings of all links are looked at before any is used: one that answers must not hide a mistake in another.
  const parts = links.map((link) => partsOf(link, sources))
  const built = await Promise.all(parts.map((each) => attempt(() => buildProvider(each, sources))))
  const [first] = built
  return {
    providers: built.flatMap((each) => ('provider' in each ? [each.provider] : [])),
    degraded: built.flatMap((each) => ('problem' in each ? [each.problem] : [])),
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
    return { problem: { code: 'provider-unavailable', message: error.message } }
  }
}

/** False for what runs on this machine or network, and for a host that the configuration names. */
function isUnnamed({ traits, space }: EmbeddingProvider, parts: LinkParts | undefined): boolean {
  return !traits.isLocal && parts?.baseUrl === undefined && space.endpoint !== null
}
