import { existsSync } from 'node:fs'
import type { LinkSettings } from '../config/settings.ts'
import { lookForKey } from './find-key.ts'
import { AUTOMATIC_SERVICES } from './key-variables.ts'
import { modelFile } from './local-model-file.ts'
import type { ProviderSources } from './provider-context.ts'

/** Who serves `auto`: `local` if its model file exists, else the first service there is a key for, else nobody. */
export function chooseAutomatically(sources: ProviderSources): LinkSettings | null {
  const { primary } = sources.provider
  const file = modelFile({ ...primary, id: 'local' }, sources)
  if (file !== null && existsSync(file)) return { ...primary, id: 'local' }
  for (const id of AUTOMATIC_SERVICES) {
    const link = { ...primary, id }
    if (lookForKey(link, sources) !== null) return link
  }
  return null
}
