import type { BatchJob, MemoryStore } from '@mnemark/spec'
import { needsCare, putJob } from './job-record.ts'
import { contextOf } from './run-batches.ts'
import type { RunBatchesOptions } from './batch-context.ts'
import { settleJob, withdraw } from './settle-job.ts'

/** The jobs of a store, oldest first: those at services, and the last of those that are over (`cleaned`, `abandoned`). */
export function listBatches({ jobs }: Pick<MemoryStore, 'jobs'>): Promise<readonly BatchJob[]> {
  return jobs.list()
}

/** What became of a job that was to be cancelled: `cancelling`, what is done of it still comes; `withdrawn`, its texts are free. */
export type Cancellation = 'cancelling' | 'withdrawn' | 'over'

/**
 * Stops a job. What it has done is kept: the next run collects it. A submission of unknown fate is looked for once more, and given up
 * where it is not found: its texts are free, and may be paid for twice should it exist after all. Rejects with ProviderError.
 */
export async function cancelBatch(
  options: Pick<RunBatchesOptions, 'provider' | 'store' | 'lease' | 'settings' | 'signal' | 'now' | 'sleep' | 'random'>,
  job: BatchJob,
): Promise<Cancellation> {
  const context = contextOf(options)
  if (!needsCare(job) || job.state === 'collected') return 'over'
  const settled =
    job.state === 'submitted' ? job : await settleJob({ ...context, settings: { ...context.settings, findMs: 1 } }, job)
  if (settled?.handle === undefined) {
    if (settled !== undefined) await withdraw(context, settled, true)
    return 'withdrawn'
  }
  await context.batch.cancel(settled.handle, { signal: options.signal })
  await putJob(context, { ...settled, note: 'Cancelled; what was done is collected by the next run.' })
  return 'cancelling'
}
