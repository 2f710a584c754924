import { existsSync } from 'node:fs'
import type { LinkSettings } from '../config/settings.ts'
import { lookForKey } from './find-key.ts'
import { modelFile } from './local-model-file.ts'
import type { ProviderSources } from './provider-context.ts'

/** The services that are taken when there is a key for them, first come first. All others only when named. */
const WITH_KEY = ['openai', 'gemini', 'voyage', 'mistral']

/** Who serves `auto`: `local` if its model file exists, else the first service there is a key for, else nobody. */
export function chooseAutomatically(sources: ProviderSources): LinkSettings | null {
  const { primary } = sources.provider
  const file = modelFile({ ...primary, id: 'local' }, sources)
  if (file !== null && existsSync(file)) return { ...primary, id: 'local' }
  for (const id of WITH_KEY) {
    const link = { ...primary, id }
    if (lookForKey(link, sources) !== null) return link
  }
  return null
}
