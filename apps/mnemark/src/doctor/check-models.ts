import { ConfigError } from '@mnemark/spec'
import type { Settings } from '../config/load-settings.ts'
import { toFailure } from '../failure.ts'
import { askModels, type AskedModel } from '../providers/models/ask-models.ts'
import { searchCost, searchCostText } from '../providers/models/search-cost.ts'
import { usableGenerators, usableReranker } from '../providers/models/usable-models.ts'
import type { Check } from './check.ts'

/** Asks each configured chat model and the reranker for a few tokens; nothing where none is configured. */
export async function checkModels(settings: Settings): Promise<readonly Check[]> {
  const { generate, rerank } = settings.models
  if (generate === null && rerank === null) return []
  try {
    const [{ generators, problems }, { reranker, problem }] = await Promise.all([
      usableGenerators(settings),
      usableReranker(settings),
    ])
    const asked = await askModels(generators, reranker)
    return [
      ...(generate?.mayAsk === false ? [held('generator', 'models.generate.consent')] : []),
      ...problems.map(({ message }): Check => ({ name: 'generator', status: 'warning', message })),
      ...(rerank?.mayAsk === false ? [held('reranker', 'models.rerank.consent')] : []),
      ...(problem === null ? [] : [{ name: 'reranker', status: 'warning', message: problem.message } as const]),
      ...asked.map((each) => describe(each, reranker === null ? '' : searchCostText(searchCost(reranker, settings.memory)))),
    ]
  } catch (error) {
    if (!ConfigError.isInstance(error)) throw error
    const { message, next } = toFailure(error)
    return [{ name: 'configuration', status: 'failed', message, next }]
  }
}

function held(name: Check['name'], key: string): Check {
  return { name, status: 'ok', message: `nothing is sent to it: ${key} is false` }
}

function describe({ kind, provider, model, host, ms, problem }: AskedModel, cost: string): Check {
  if (problem !== undefined) return { name: kind, status: 'failed', message: problem.message }
  const more = kind === 'reranker' ? `; ${cost}` : ''
  return { name: kind, status: 'ok', message: `${provider} (${model}) at ${host} answers in ${ms} ms${more}` }
}
