import { type Degradation, ProviderError } from '@mnemark/spec'
import { type ChainLink, chooseQueryLink, type Coverage, healthOf, type LinkHealth } from './chain.ts'
import { type EmbedQueryOptions, embedQuery, type QueryEmbedding } from './embed-query.ts'

export type ChainedQuery =
  | (QueryEmbedding & {
      /** The link that answered; its space is the one to search, and no other. */
      readonly link: ChainLink
      readonly degraded: readonly Degradation[]
    })
  /** Keywords only; `error` is what the first link that was tried failed with. */
  | { readonly link: null; readonly vector: null; readonly degraded: readonly Degradation[]; readonly error?: ProviderError }

/**
 * The query embedded by the first link that is healthy and complete, tells the breakers what came of it, and tries the next link where
 * one fails. Rejects only when the caller's signal aborts.
 */
export async function embedQueryByChain(
  links: readonly ChainLink[],
  text: string,
  options: EmbedQueryOptions & { readonly coverage: readonly Coverage[] },
): Promise<ChainedQuery> {
  // A query without a word asks nobody, and says nothing about anyone's health.
  if (text.trim() === '') return { link: null, vector: null, degraded: [] }
  const tried = new Map<ChainLink, ProviderError | undefined>()
  for (;;) {
    const health = links.map((link) => (tried.has(link) ? unhealthy(link, tried.get(link)) : healthOf(link)))
    const { position, degraded } = chooseQueryLink(health, options.coverage)
    const link = position === null ? undefined : links[position]
    if (link === undefined) {
      const error = [...tried.values()].find((each) => each !== undefined)
      return { link: null, vector: null, degraded, ...(error === undefined ? {} : { error }) }
    }
    const answer = await ask(link, text, options)
    if (answer !== undefined && !ProviderError.isInstance(answer)) return { ...answer, link, degraded }
    tried.set(link, answer)
  }
}

const unhealthy = (link: ChainLink, error: ProviderError | undefined): LinkHealth => {
  const health = healthOf(link)
  return { ...health, isHealthy: false, cause: error ?? health.cause }
}

/** Undefined where another call has the trial. */
async function ask(
  { provider, breaker }: ChainLink,
  text: string,
  options: EmbedQueryOptions,
): Promise<QueryEmbedding | ProviderError | undefined> {
  if (!breaker.tryPass()) return undefined
  try {
    const answer = await embedQuery(provider, text, options)
    breaker.succeeded()
    return answer
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.code === 'cancelled') {
      breaker.abandoned()
      throw error
    }
    breaker.failed(error)
    return error
  }
}
