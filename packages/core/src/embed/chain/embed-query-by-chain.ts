import { type Degradation, ProviderError, StoreError } from '@mnemark/spec'
import type { CallFailure } from '../../calls/circuit-breaker.ts'
import { type ChainLink, chooseQueryLink, type Coverage, healthOf, type LinkHealth } from './chain.ts'
import { type EmbedQueryOptions, embedQuery, type QueryEmbedding } from './embed-query.ts'
import { pausedMessage } from './link-name.ts'

export type ChainedQuery =
  | (QueryEmbedding & {
      /** The link that answered; only its space may be searched. */
      readonly link: ChainLink
      readonly degraded: readonly Degradation[]
    })
  /** Keywords only; `error` is the failure of the first link that was tried. */
  | { readonly link: null; readonly vector: null; readonly degraded: readonly Degradation[]; readonly error?: QueryFailure }

/** No vector, or (StoreError `space-mismatch`) one that cannot be compared with those of the space. */
export type QueryFailure = ProviderError | StoreError

/**
 * Embeds the query by the first link that is healthy and complete, reports the result to the breakers, and tries the
 * next link where one fails. Rejects only when the caller's signal aborts.
 */
export async function embedQueryByChain(
  links: readonly ChainLink[],
  text: string,
  options: EmbedQueryOptions & { readonly coverage: readonly Coverage[] },
): Promise<ChainedQuery> {
  // A blank query calls no provider, and says nothing about any link's health.
  if (text.trim() === '') return { link: null, vector: null, degraded: [] }
  const tried = new Map<ChainLink, QueryFailure | undefined>()
  for (;;) {
    const health = links.map((link) => (tried.has(link) ? unhealthy(link, tried.get(link)) : healthOf(link)))
    const { position, degraded } = chooseQueryLink(health, options.coverage)
    const link = position === null ? undefined : links[position]
    if (link === undefined) {
      const error = [...tried.values()].find((each) => each !== undefined)
      return { link: null, vector: null, degraded, ...(error !== undefined && { error }) }
    }
    const answer = await ask(link, text, options)
    if (answer !== undefined && !(answer instanceof Error)) return { ...answer, link, degraded }
    tried.set(link, answer)
  }
}

const unhealthy = (link: ChainLink, error: QueryFailure | undefined): LinkHealth => {
  const health = healthOf(link)
  return { ...health, isHealthy: false, cause: error === undefined ? health.cause : failureOf(error) }
}

const failureOf = (error: QueryFailure): CallFailure =>
  ProviderError.isInstance(error) ? error : { code: 'space-mismatch', message: error.message }

/** Undefined where another call has the trial. */
async function ask(
  link: ChainLink,
  text: string,
  options: EmbedQueryOptions & { readonly coverage: readonly Coverage[] },
): Promise<QueryEmbedding | QueryFailure | undefined> {
  const { provider, breaker } = link
  if (!breaker.tryPass()) return undefined
  try {
    const answer = await embedQuery(provider, text, options)
    const mismatch = mismatchOf(link, answer, options.coverage)
    if (mismatch) breaker.failed(failureOf(mismatch))
    else breaker.succeeded()
    return mismatch ?? answer
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.code === 'cancelled') {
      breaker.abandoned()
      throw error
    }
    breaker.failed(error)
    return error
  }
}

/** A model changed behind its name gives vectors that cannot be compared with any stored one. */
function mismatchOf(
  { provider, fingerprint }: ChainLink,
  { vector }: QueryEmbedding,
  coverage: readonly Coverage[],
): StoreError | undefined {
  const stored = coverage.find((each) => each.fingerprint === fingerprint)?.dimensions ?? vector?.length
  if (vector === null || vector.length === stored) return undefined
  const cause = `the query got one of ${vector.length} numbers, and those in the index have ${stored}.`
  return new StoreError('space-mismatch', pausedMessage(provider, cause))
}
