import { type Degradation, ProviderError, type Reranker, type TextGenerator } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import type { ProviderSources } from '../keys/provider-context.ts'

type ModelSources = ProviderSources & Pick<Settings, 'models'>

/** The reranker that may be asked now; null where none is configured, or where `problem` says why not. */
export interface UsableReranker {
  readonly reranker: Reranker | null
  readonly problem: Degradation | null
}
/** The chat models that may be asked now, first link first. */
export interface UsableGenerators {
  readonly generators: readonly TextGenerator[]
  /** Why others cannot be asked. */
  readonly problems: readonly Degradation[]
}

/** Sends nothing. Rejects with ConfigError for a wrong configuration. */
export async function usableReranker(sources: ModelSources): Promise<UsableReranker> {
  const { rerank } = sources.models
  if (rerank === null || !rerank.mayAsk) return { reranker: null, problem: null }
  const { buildReranker } = await import('./build-reranker.ts')
  const built = await attempt(() => buildReranker(rerank.link, sources))
  if (!ProviderError.isInstance(built)) return { reranker: built, problem: null }
  return { reranker: null, problem: { code: 'rerank-skipped', message: `the hits are not reranked: ${built.message}` } }
}

/** Sends nothing. Rejects with ConfigError for a wrong configuration. */
export async function usableGenerators(sources: ModelSources): Promise<UsableGenerators> {
  const { generate } = sources.models
  if (generate === null || !generate.mayAsk) return { generators: [], problems: [] }
  const { buildGenerator } = await import('./build-generator.ts')
  const built = await Promise.all(generate.links.map((link) => attempt(() => buildGenerator(link, sources))))
  return {
    generators: built.flatMap((each) => (ProviderError.isInstance(each) ? [] : [each])),
    problems: built.flatMap((each) =>
      ProviderError.isInstance(each) ? [{ code: 'provider-unavailable' as const, message: each.message }] : [],
    ),
  }
}

async function attempt<Model>(build: () => Promise<Model>): Promise<Model | ProviderError> {
  try {
    return await build()
  } catch (error) {
    if (ProviderError.isInstance(error)) return error
    throw error
  }
}
