import { existsSync } from 'node:fs'
import type { LinkSettings } from '../../config/resolve/settings.ts'
import { lookForKey } from '../keys/find-key.ts'
import type { Adapters } from './installed-adapters.ts'
import { AUTOMATIC_SERVICES } from '../keys/key-variables.ts'
import { modelFile } from './local-model-file.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import type { ProviderId } from '../../config/schema/provider-ids.ts'

/** The provider for `auto`, and those that would serve if they were installed. */
export interface AutomaticChoice {
  readonly link: LinkSettings | null
  /** Earlier choices that were passed over. */
  readonly notInstalled: readonly ProviderId[]
}

/** Chooses `local` if its model file exists, else the first service with a key, else nothing; only installed ones count. */
export function chooseAutomatically(sources: ProviderSources, adapters: Adapters): AutomaticChoice {
  const { primary } = sources.provider
  const notInstalled: ProviderId[] = []
  for (const id of ['local', ...AUTOMATIC_SERVICES] as const) {
    const link = { ...primary, id }
    if (!isAtHand(link, sources)) continue
    if (adapters.isInstalled(id)) return { link, notInstalled }
    notInstalled.push(id)
  }
  return { link: null, notInstalled }
}

function isAtHand(link: LinkSettings, sources: ProviderSources): boolean {
  if (link.id !== 'local') return lookForKey(link, sources) !== null
  const file = modelFile(link, sources)
  return file !== null && existsSync(file)
}
