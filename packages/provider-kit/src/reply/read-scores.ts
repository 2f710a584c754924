import { failureError } from '../failure/service-failure.ts'
import { inInputOrder } from './in-input-order.ts'

/** One entry of a reranker's reply. Nothing of it is trusted. */
export interface RawScore {
  /** The position of the passage it belongs to, where the service says so. */
  readonly index?: unknown
  readonly score: unknown
}

const bad = (summary: string): Error => failureError({ code: 'bad-response', summary })

/** The scores of a reply in the order of the passages: exactly one finite number each, or a `bad-response`. */
export function readScores(entries: readonly RawScore[], count: number): readonly number[] {
  if (entries.length !== count) throw bad(`${entries.length} scores came back for ${count} passages`)
  const unclear = (position: number): Error =>
    bad(`the answer has no score for passage ${position}, or its positions are not clear`)
  return inInputOrder(entries, unclear).map(({ score }, position) => {
    if (typeof score !== 'number' || !Number.isFinite(score)) throw bad(`the score of passage ${position} is not a finite number`)
    return score
  })
}
