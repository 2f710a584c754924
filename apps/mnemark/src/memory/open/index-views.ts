import type { Degradation, IndexView, IndexViews, LegsQuery, LegsReply, MemoryStore } from '@mnemark/spec'
import type { UsableChain } from '../../providers/use/usable-chain.ts'
import type { Settings } from '../../config/load-settings.ts'
import { commandsIn } from './in-commands.ts'

/** The views of an index as commands see them: links that could not be used are named, and messages name commands as the next step. */
export function viewsInCommands(
  views: IndexViews,
  { providers, degraded }: UsableChain,
  { provider, memory }: Pick<Settings, 'provider' | 'memory'>,
): IndexViews {
  const isRefusing = degraded.length > 0 && memory.requiresVectors === true && providers.length === 0
  return {
    withIndex: (use, options) =>
      views.withIndex(
        (view) =>
          use({
            ...view,
            degraded: view.degraded.map(inCommands),
            searchLegs: async (query) => {
              if (isRefusing && query.keywordsOnly !== true) return unavailable(query, degraded, provider.requested)
              const reply = await view.searchLegs(query)
              return { ...reply, degraded: [...degraded, ...reply.degraded].map(inCommands) }
            },
          }),
        options,
      ),
  }
}

function inCommands({ code, message }: Degradation): Degradation {
  return { code, message: commandsIn(message) }
}

/** The views of an index that may not be filled, and why: as it is, and every question unanswered. */
export function heldViews(store: MemoryStore, message: string): IndexViews {
  const degraded: readonly Degradation[] = [{ code: 'consent-needed', message }]
  return {
    withIndex: async (use) => {
      const snapshot = await store.snapshot()
      try {
        const searchLegs: IndexView['searchLegs'] = async (query) => unavailable(query, degraded, null)
        return await use({ snapshot, degraded: [], stale: true, searchLegs })
      } finally {
        snapshot.release()
      }
    },
  }
}

function unavailable<Name extends string>(
  { legs }: LegsQuery<Name>,
  degraded: readonly Degradation[],
  requestedProvider: string | null,
): LegsReply<Name> {
  const none = Object.fromEntries(Object.keys(legs).map((name) => [name, []])) as unknown as LegsReply<Name>['legs']
  return { legs: none, mode: 'unavailable', provider: null, model: null, requestedProvider, degraded }
}
