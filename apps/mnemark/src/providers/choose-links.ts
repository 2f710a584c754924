import type { LinkSettings } from '../config/settings.ts'
import { chooseAutomatically } from './choose-automatically.ts'
import type { ProviderSources } from './provider-context.ts'

/** The links that are asked for, first link first; with `auto`, whoever is found before the fallbacks. */
export function chooseLinks(sources: ProviderSources): {
  readonly links: readonly LinkSettings[]
  readonly isAutomatic: boolean
} {
  const { requested, primary, fallbacks } = sources.provider
  if (requested === 'none') return { links: fallbacks, isAutomatic: false }
  if (requested !== 'auto') return { links: [primary, ...fallbacks], isAutomatic: false }
  const found = chooseAutomatically(sources)
  return found === null ? { links: fallbacks, isAutomatic: false } : { links: [found, ...fallbacks], isAutomatic: true }
}
