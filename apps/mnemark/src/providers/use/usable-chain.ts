import type { Degradation, EmbeddingProvider } from '@mnemark/spec'
import type { StateSettings } from '../../state/workspace-state.ts'
import { hostOf, recordedConsent } from './consent.ts'
import type { Consent } from './consent.ts'
import { createChain } from '../build/create-chain.ts'
import type { ProviderSources } from '../keys/provider-context.ts'

/** The links that may be used now. */
export interface UsableChain {
  readonly providers: readonly EmbeddingProvider[]
  /** Why others cannot be used: reported with every answer that vectors would affect. */
  readonly degraded: readonly Degradation[]
  /** The host that `auto` found and nobody named, with the user's answer; null if there is none. */
  readonly consent: { readonly host: string; readonly provider: EmbeddingProvider; readonly answer: Consent | 'unasked' } | null
}

/**
 * The chain without what notes may not be sent to. `isEstimating` keeps that too: for counting what would be sent, where nothing is.
 * Rejects with ConfigError for a wrong configuration.
 */
export async function usableChain(
  sources: ProviderSources & StateSettings,
  { isEstimating }: { readonly isEstimating: boolean },
): Promise<UsableChain> {
  const { providers, unasked, degraded } = await createChain(sources)
  if (unasked === null) return { providers, degraded, consent: null }
  const host = hostOf(unasked)
  const answer: Consent | 'unasked' = configured(sources.provider.consent) ?? recordedConsent(sources, host) ?? 'unasked'
  const consent = { host, provider: unasked, answer }
  if (answer === 'allowed' || isEstimating) return { providers, degraded, consent }
  const others = providers.filter((provider) => provider !== unasked)
  return { providers: others, degraded: answer === 'refused' ? degraded : [...degraded, askFor(unasked)], consent }
}

function configured(consent: boolean | undefined): Consent | undefined {
  if (consent === undefined) return undefined
  return consent ? 'allowed' : 'refused'
}

function askFor(provider: EmbeddingProvider): Degradation {
  const message =
    `There is a key for ${provider.space.provider}, but nothing is sent to ${hostOf(provider)} unasked: ` +
    'run mnemark index --yes or set memorySearch.remote.consent to true to allow it, to false to be asked no more.'
  return { code: 'consent-needed', message }
}
