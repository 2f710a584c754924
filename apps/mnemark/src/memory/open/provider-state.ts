import type { Degradation } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import { untrustedMessage } from '../../config/describe-untrusted.ts'
import type { UsableChain } from '../../providers/use/usable-chain.ts'

/** Configured features that are off, because they are untrusted or this version lacks them: reported with every answer. */
export function settingsRemarks({
  sources,
  untrusted,
  workspace,
}: Pick<Settings, 'sources' | 'untrusted' | 'workspace'>): readonly Degradation[] {
  const degraded: Degradation[] = []
  if (untrusted !== null) degraded.push({ code: 'untrusted-settings', message: untrustedMessage(untrusted, workspace) })
  if (sources.includes('sessions')) {
    degraded.push({ code: 'source-failed', message: 'The source "sessions" is not part of this version: it is not searched.' })
  }
  return degraded
}

/** Explains that batch jobs are configured, but no provider runs them. */
export function batchRemark({ memory }: Pick<Settings, 'memory'>, { providers }: Pick<UsableChain, 'providers'>): string | null {
  if (memory.batch === undefined || providers.length === 0 || providers.some(({ batch }) => batch !== undefined)) return null
  const names = providers.map(({ space }) => space.provider).join(', ')
  return `remote.batch.enabled is set, and ${names} has no batch jobs: texts go by requests.`
}

/** Describes how search works, in a sentence. */
export function searchSummary({ provider, memory }: Pick<Settings, 'provider' | 'memory'>, chain: UsableChain): string {
  const names = chain.providers.map(({ space }) => `${space.provider} (${space.model})`)
  if (names.length > 0)
    return `${memory.vectorsOnly === true ? 'vectors' : 'keywords and vectors'} of ${names.join(', else of ')}`
  if (provider.requested === 'none') return 'keywords only, as configured'
  if (chain.consent?.answer === 'refused') return `keywords only: nothing may be sent to ${chain.consent.host}`
  if (chain.consent?.answer === 'unasked') return `keywords only: nothing is sent to ${chain.consent.host} unasked`
  if (provider.requested === 'auto' && chain.degraded.length > 0)
    return 'keywords only: what a key or a model file is there for is not installed'
  if (provider.requested === 'auto') return 'keywords only: no model file and no key of a provider is there'
  return memory.requiresVectors === true ? 'unavailable; with --keywords, keywords only' : 'keywords only'
}
