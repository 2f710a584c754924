import { type BatchHandle, type BatchJob, ProviderError } from '@mnemark/spec'
import type { BatchContext } from './batch-context.ts'
import { persist } from './service-patience.ts'

export interface Collected {
  readonly filled: number
  /** Inputs without a vector that the service refused: another job would refuse them too. */
  readonly refused: readonly string[]
  /** Inputs without a vector that were not reached, failed at the service, or came back broken or not at all. */
  readonly unreached: readonly string[]
  /** What was said of most of them; undefined where nothing was. */
  readonly commonest: ProviderError | undefined
}

/** Written to the store at a time: each is a transaction, and none is large. */
const PAGE = 128

/** Reads the results of a job and keeps each vector as it comes, joined by id: of a doubled one the first, of an unknown one none. */
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
  // Read again from the start where it broke off: what was kept is passed over.
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

/** By message; among equals the one that says more. */
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
