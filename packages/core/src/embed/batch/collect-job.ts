import { type BatchHandle, type BatchJob, ProviderError } from '@mnemark/spec'
import type { BatchContext } from './batch-context.ts'
import { persist } from './service-patience.ts'

export interface Collected {
  readonly filled: number
  /** Inputs without a vector that the service refused: another job would refuse them too. */
  readonly refused: readonly string[]
  /** Inputs without a vector that the service did not reach, failed on, or answered badly or not at all. */
  readonly unreached: readonly string[]
  /** The most common error; undefined where there was none. */
  readonly commonest: ProviderError | undefined
}

/** Results in one transaction, so that none is large. */
const PAGE = 128

/** Reads the results of a job and stores each vector as it comes, joined by id: the first of duplicates, none of unknown ids. */
export async function collectJob(
  context: BatchContext,
  job: BatchJob,
  { handle, onProgress }: { readonly handle: BatchHandle; readonly onProgress: (filled: number) => void },
): Promise<Collected> {
  const left = new Set(job.inputs)
  const page: { readonly hash: string; readonly vector: Float32Array }[] = []
  const flush = async (): Promise<void> => {
    if (page.length === 0) return
    await context.store.putVectors(context.lease, context.provider.space, page.splice(0))
    onProgress(job.inputs.length - left.size)
  }
  // After an interruption results are read again from the start, and stored ones are skipped.
  const errors = await persist(context, async () => {
    const said = new Map<string, ProviderError>()
    for await (const outcome of context.batch.results(handle, { signal: context.signal })) {
      if (!left.has(outcome.id)) continue
      if ('vector' in outcome) {
        left.delete(outcome.id)
        page.push({ hash: outcome.id, vector: outcome.vector })
        if (page.length >= PAGE) await flush()
      } else if (ProviderError.isInstance(outcome.error)) said.set(outcome.id, outcome.error)
    }
    return said
  }).finally(flush)
  return summary(job, left, errors)
}

const REFUSALS: ReadonlySet<string> = new Set(['invalid-input', 'input-too-long'])

function summary(job: BatchJob, left: ReadonlySet<string>, errors: ReadonlyMap<string, ProviderError>): Collected {
  const isRefused = (hash: string): boolean => REFUSALS.has(errors.get(hash)?.code ?? '')
  return {
    filled: job.inputs.length - left.size,
    refused: [...left].filter(isRefused),
    unreached: [...left].filter((hash) => !isRefused(hash)),
    commonest: commonest([...left].flatMap((hash) => errors.get(hash) ?? [])),
  }
}

/** The most common error by message; among equals the longer message. */
function commonest(errors: readonly ProviderError[]): ProviderError | undefined {
  const counts = new Map<string, { readonly error: ProviderError; count: number }>()
  for (const error of errors) {
    const known = counts.get(error.message)
    if (known === undefined) counts.set(error.message, { error, count: 1 })
    else known.count++
  }
  const ranked = [...counts.values()].toSorted(
    (left, right) => right.count - left.count || right.error.message.length - left.error.message.length,
  )
  return ranked[0]?.error
}
