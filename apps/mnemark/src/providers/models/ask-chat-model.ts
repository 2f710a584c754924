import type { AskModel } from '@mnemark/bank'
import type { MemoryStore, Degradation } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import { usableGenerators } from './usable-models.ts'

/** The configured chat models as one function; `ask` is null where none may be asked. */
export interface ChatModel {
  readonly ask: AskModel | null
  /** Why others cannot be asked. */
  readonly problems: readonly Degradation[]
  /** Resolves when the tokens used are written to the index. */
  readonly idle: () => Promise<void>
}

const NOBODY: ChatModel = { ask: null, problems: [], idle: () => Promise.resolve() }

/** Sends nothing by itself. The tokens count against `models.generate.dailyTokens`, over all processes on the same index. */
export async function openChatModel(
  sources: ProviderSources & Pick<Settings, 'models' | 'timeZone'>,
  store: MemoryStore,
): Promise<ChatModel> {
  const { generators, problems } = await usableGenerators(sources)
  if (generators.length === 0) return { ...NOBODY, problems }
  const { createGeneratorChain, generateByChain, sharedAllowance } = await import('@mnemark/core/generate')
  const { setTimeout: sleep } = await import('node:timers/promises')
  const limit = sources.models.generate?.dailyTokens
  const wait = (ms: number, signal?: AbortSignal): Promise<void> => sleep(ms, undefined, { signal })
  const { timeZone } = sources
  const allowance =
    limit === undefined ? undefined : sharedAllowance({ store, sleep: wait, kind: 'generate', limit, timeZone, now: Date.now })
  const chain = createGeneratorChain(generators)
  return {
    ask: async (request) => {
      const { link, ...reply } = await generateByChain(chain, request, { allowance })
      return { ...reply, model: link.generator.model }
    },
    problems,
    idle: async () => allowance?.idle(),
  }
}
