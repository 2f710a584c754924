import type { BatchJob, MemoryStore } from '@mnemark/spec'
import { needsCare, putJob } from './job-record.ts'
import { contextOf } from './run-batches.ts'
import type { RunBatchesOptions } from './batch-context.ts'
import { settleJob, withdraw } from './settle-job.ts'

/** The jobs of a store, oldest first: those at services, and the last finished ones (`cleaned`, `abandoned`). */
export function listBatches({ jobs }: Pick<MemoryStore, 'jobs'>): Promise<readonly BatchJob[]> {
  return jobs.list()
}

/** Result of cancelling a job: `cancelling`, finished results still arrive; `withdrawn`, its texts are free. */
export type Cancellation = 'cancelling' | 'withdrawn' | 'over'

/**
 * Stops a job. Its finished results are kept: the next run collects them. A submission of unknown fate is searched once
 * more, and given up where it is not found: its texts are free, and may be paid for twice if it does exist. Rejects with
 * ProviderError.
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
