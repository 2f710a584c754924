import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AUTOMATIC_SERVICES, KEY_VARIABLES } from '../keys/key-variables.ts'
import type { ProviderSources } from '../keys/provider-context.ts'

/**
 * False if there is certainly no provider: nothing is configured, and no key is found. Checked before any provider code is
 * loaded, since most searches on most machines need none.
 */
export function mayFindProvider({ provider, config, trustedFile, environment }: ProviderSources): boolean {
  const { requested, primary, fallbacks } = provider
  if (requested === 'none') return fallbacks.length > 0
  if (requested !== 'auto' || fallbacks.length > 0) return true
  if (primary.local.modelPath !== undefined || primary.remote.apiKey !== undefined) return true
  if (Object.keys(config.models?.providers ?? {}).length > 0) return true
  if (trustedFile !== null && existsSync(join(dirname(trustedFile), 'agents'))) return true
  return AUTOMATIC_SERVICES.some((id) => KEY_VARIABLES[id]?.some((name) => (environment[name] ?? '').trim() !== ''))
}
