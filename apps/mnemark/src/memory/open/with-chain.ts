import type { Degradation, MemoryBackend, SearchReply } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import type { UsableChain } from '../../providers/use/usable-chain.ts'

/** Wraps a memory so that its answers name the links that could not be used. */
export function withChain(
  memory: MemoryBackend,
  { providers, degraded }: UsableChain,
  { provider, memory: settings }: ChainSettings,
): MemoryBackend {
  if (degraded.length === 0) return memory
  const isRefusing = settings.requiresVectors === true && providers.length === 0
  return {
    specVersion: memory.specVersion,
    get name() {
      return memory.name
    },
    search: async (query) => {
      if (query.overrides?.keywordsOnly === true) return memory.search(query)
      if (isRefusing && query.text.trim() !== '') return refusal(memory.name, provider.requested, degraded)
      return told(await memory.search(query), degraded)
    },
    list: (query) => memory.list(query),
    sync: async (options) => told(await memory.sync(options), degraded),
    status: async (options) => told(await memory.status(options), degraded),
    read: (request) => memory.read(request),
    close: () => memory.close(),
  }
}

type ChainSettings = Pick<Settings, 'provider' | 'memory'>

function told<Answer extends { readonly degraded: readonly Degradation[] }>(
  answer: Answer,
  degraded: readonly Degradation[],
): Answer {
  return { ...answer, degraded: [...degraded, ...answer.degraded] }
}

/** A provider requested by name is not replaced. */
function refusal(backend: string, requestedProvider: string, degraded: readonly Degradation[]): SearchReply {
  const messages = degraded.map(({ code, message }) => ({
    code,
    message: `${message} Or search by words alone with --keywords, or set memorySearch.fallback.`,
  }))
  return {
    hits: [],
    mode: 'unavailable',
    backend,
    provider: null,
    model: null,
    requestedProvider,
    degraded: messages,
    stale: false,
    timing: {},
  }
}
