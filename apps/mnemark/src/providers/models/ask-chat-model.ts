import type { AskModel } from '@mnemark/bank'
import type { Degradation, MemoryStore, TextGenerator } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import { usableGenerators } from './usable-models.ts'

type ModelSources = ProviderSources & Pick<Settings, 'models' | 'timeZone'>

/** Chat models as one function: the first that answers. */
export interface AskedGenerators {
  readonly ask: AskModel
  /** Resolves when the tokens used are written to the index. */
  readonly idle: () => Promise<void>
}

/** The configured chat models; `ask` is null where none may be asked. */
export interface ChatModel {
  readonly ask: AskModel | null
  /** Why others cannot be asked. */
  readonly problems: readonly Degradation[]
  readonly idle: () => Promise<void>
}

/** Sends nothing by itself. */
export async function openChatModel(sources: ModelSources, store: MemoryStore): Promise<ChatModel> {
  const { generators, problems } = await usableGenerators(sources)
  if (generators.length === 0) return { ask: null, problems, idle: () => Promise.resolve() }
  return { ...(await askGenerators(generators, sources, store)), problems }
}

/** The tokens count against `models.generate.dailyTokens`, over all processes on the same index. */
export async function askGenerators(
  generators: readonly TextGenerator[],
  { models, timeZone }: Pick<Settings, 'models' | 'timeZone'>,
  store: MemoryStore,
): Promise<AskedGenerators> {
  const { createGeneratorChain, generateByChain, sharedAllowance } = await import('@mnemark/core/generate')
  const { setTimeout: sleep } = await import('node:timers/promises')
  const limit = models.generate?.dailyTokens
  const wait = (ms: number, signal?: AbortSignal): Promise<void> => sleep(ms, undefined, { signal })
  const allowance =
    limit === undefined ? undefined : sharedAllowance({ store, sleep: wait, kind: 'generate', limit, timeZone, now: Date.now })
  const chain = createGeneratorChain(generators)
  return {
    ask: async (request) => {
      const { link, ...reply } = await generateByChain(chain, request, { allowance })
      return { ...reply, model: link.generator.model }
    },
    idle: async () => allowance?.idle(),
  }
}
