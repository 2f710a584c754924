import type { Degradation, SearchReply } from '@mnemark/spec'
import type { Settings } from '../config/load-settings.ts'

/** What this version makes of the configured provider. */
export interface ProviderState {
  /** False where a search has to refuse: a named provider without another way to answer. */
  readonly canAnswer: boolean
  /** What the configuration asks for and this version does not do: said with every answer. */
  readonly degraded: readonly Degradation[]
  /** How search works, in a sentence. */
  readonly summary: string
}

/** No embedding provider ships with this version, so every search is by keywords; who asked for more is told. */
export function providerState({ provider, backend, sources }: Settings): ProviderState {
  const degraded: Degradation[] = []
  if (backend === 'qmd') {
    degraded.push({
      code: 'backend-fallback',
      message: 'memory.backend is "qmd", which this version does not have: the built-in engine answers.',
    })
  }
  if (sources.includes('sessions')) {
    degraded.push({ code: 'source-failed', message: 'The source "sessions" is not part of this version: it is not searched.' })
  }
  if (provider.requested === 'none') return { canAnswer: true, degraded, summary: 'keywords only, as configured' }
  if (provider.requested === 'auto') {
    // Keywords alone are all that was promised, so only status mentions it.
    return { canAnswer: true, degraded, summary: 'keywords only: no embedding provider is available' }
  }
  degraded.push({
    code: 'no-provider',
    message:
      `The embedding provider "${provider.requested}" is not part of this version. ` +
      'Search with --keywords, or set memorySearch.provider to "auto" or "none".',
  })
  const canAnswer = provider.requested === 'local' || provider.fallbacks.length > 0
  return { canAnswer, degraded, summary: canAnswer ? 'keywords only' : 'unavailable; with --keywords, keywords only' }
}

/** The answer of a search that may not fall back to keywords on its own. */
export function unavailableReply({ provider }: Settings, degraded: readonly Degradation[]): SearchReply {
  return {
    hits: [],
    mode: 'unavailable',
    backend: 'builtin',
    provider: null,
    model: null,
    requestedProvider: provider.requested,
    degraded,
    stale: false,
    timing: {},
  }
}
