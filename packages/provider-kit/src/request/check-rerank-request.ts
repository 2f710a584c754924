import type { Reranker, RerankRequest } from '@mnemark/spec'
import { failureError } from '../failure/service-failure.ts'

/** Throws TypeError for members that are none, as JavaScript without types may pass them. */
export function requirePassages({ query, passages }: RerankRequest): void {
  if (typeof query !== 'string') throw new TypeError(`query must be a string, got ${typeof query}`)
  if (!Array.isArray(passages)) throw new TypeError(`passages must be a list of strings, got ${typeof passages}`)
  const wrong = passages.findIndex((passage) => typeof passage !== 'string')
  if (wrong !== -1) throw new TypeError(`passages[${wrong}] must be a string, got ${typeof passages[wrong]}`)
}

export interface RerankRules {
  readonly limits: NonNullable<Reranker['limits']>
  readonly countTokens?: ((text: string) => number) | undefined
}

/** Throws for a request that is known to fail, before anything is sent. */
export function checkRerankRequest({ query, passages }: RerankRequest, { limits, countTokens }: RerankRules): void {
  if (query.trim() === '') throw failureError({ code: 'invalid-input', summary: 'the query is empty' })
  const { maxPassages = Number.POSITIVE_INFINITY, maxPassageTokens } = limits
  if (passages.length > maxPassages)
    throw failureError({
      code: 'invalid-input',
      summary: `${passages.length} passages where at most ${maxPassages} go into one request`,
      nextStep: `Send at most ${maxPassages} at a time.`,
    })
  if (maxPassageTokens === undefined || countTokens === undefined) return
  const inputIndexes = passages.flatMap((passage, index) => (countTokens(passage) > maxPassageTokens ? [index] : []))
  if (inputIndexes.length > 0)
    throw failureError({ code: 'input-too-long', summary: `a passage has more than ${maxPassageTokens} tokens`, inputIndexes })
}
