import type { LinkSettings } from '../../config/resolve/settings.ts'
import { chooseAutomatically } from './choose-automatically.ts'
import { INSTALLED } from './installed-adapters.ts'
import type { Adapters } from './installed-adapters.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import type { ProviderId } from '../../config/schema/provider-ids.ts'

export interface ChosenLinks {
  /** First link first. */
  readonly links: readonly LinkSettings[]
  /** True if `auto` found the first of them. */
  readonly isAutomatic: boolean
  /** Providers that `auto` passed over because they are not installed. */
  readonly notInstalled: readonly ProviderId[]
}

/** The configured links; with `auto`, the provider it finds comes before the fallbacks. */
export function chooseLinks(sources: ProviderSources, adapters: Adapters = INSTALLED): ChosenLinks {
  const { requested, primary, fallbacks } = sources.provider
  const named = { isAutomatic: false, notInstalled: [] }
  if (requested === 'none') return { links: fallbacks, ...named }
  if (requested !== 'auto') return { links: [primary, ...fallbacks], ...named }
  const { link, notInstalled } = chooseAutomatically(sources, adapters)
  return { links: link === null ? fallbacks : [link, ...fallbacks], isAutomatic: link !== null, notInstalled }
}
