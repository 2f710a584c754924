import type { EmbeddingInput, EmbeddingProvider } from '@mnemark/spec'
import type { EmbedOptions, EmbedSummary } from './embed-options.ts'
import { EmbedRun } from './embed-run.ts'
import type { InputResult } from './input/input-results.ts'
import type { InputSource } from './request/request-queue.ts'

/**
 * Embeds every input, in as few requests as the limits allow, and hands out results as they come, so that they can be
 * stored before the end. `onResults` is awaited, one call at a time, and in no particular order of inputs.
 *
 * A refused input fails alone. Trouble with the service (no key, no quota, no answer after all attempts) ends the run
 * with `stoppedBy`; requests in flight are still awaited. Rejects with the reason of the signal when that aborts, and
 * with whatever `onResults` or the source throws; requests in flight are aborted.
 */
export function embedEach(
  provider: EmbeddingProvider,
  inputs: InputSource,
  options: EmbedOptions & { readonly onResults: (results: readonly InputResult[]) => void | Promise<void> },
): Promise<EmbedSummary> {
  return new EmbedRun(provider, inputs, options).run()
}

/** As `embedEach`, for inputs that fit into memory: results by index. `unreached` = the run ended before it. */
export async function embedAll(
  provider: EmbeddingProvider,
  inputs: readonly EmbeddingInput[],
  options: EmbedOptions,
): Promise<EmbedSummary & { readonly results: readonly (InputResult | UnreachedInput)[] }> {
  const results = inputs.map((_, index): InputResult | UnreachedInput => ({ index, status: 'unreached' }))
  const onResults = (finished: readonly InputResult[]): void => {
    for (const result of finished) results[result.index] = result
  }
  return { ...(await embedEach(provider, inputs, { ...options, onResults })), results }
}

export interface UnreachedInput {
  readonly index: number
  readonly status: 'unreached'
}
