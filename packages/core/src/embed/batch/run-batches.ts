import { type BatchJob, fingerprint } from '@mnemark/spec'
import { type CallEffects, effectsOf } from '../../calls/call-effects.ts'
import type { BatchContext, BatchSource, RunBatchesOptions } from './batch-context.ts'
import type { BatchReport } from './batch-report.ts'
import { BatchRun } from './batch-run.ts'
import { checkBatchSettings } from './batch-settings.ts'
import { isOfSpace, needsCare } from './job-record.ts'

/**
 * Fills missing vectors by offline jobs: carries on existing jobs, makes new ones for missing inputs, as many at a time
 * as set, waits as long as set, and stores results as they come. A text is never in two jobs that may both run. Trouble
 * with the service is reported, not thrown; rejects when the store fails, or with the reason of the signal when that
 * aborts: the jobs stay then, and the next run carries them on. Throws TypeError for a provider without jobs,
 * RangeError for impossible settings.
 */
export async function runBatches(options: RunBatchesOptions): Promise<BatchReport> {
  const context = contextOf(options)
  const jobs = await jobsOf(context)
  return new BatchRun(context, options, jobs).run()
}

/** As `runBatches`, without new jobs. */
export function resumeBatches(options: Omit<RunBatchesOptions, 'isSubmitting' | 'source' | 'admits'>): Promise<BatchReport> {
  return runBatches({ ...options, source: NO_SOURCE, isSubmitting: false })
}

async function* nothing(): AsyncGenerator<never> {}
const NO_SOURCE: BatchSource = { missing: nothing, read: nothing }

export function contextOf(
  options: Pick<RunBatchesOptions, 'provider' | 'store' | 'lease' | 'settings' | 'signal' | 'isStopping'> & CallEffects,
): BatchContext {
  const { provider, store, lease, signal } = options
  const { batch } = provider
  if (batch === undefined) throw new TypeError(`${provider.space.provider} runs no batch jobs`)
  const settings = checkBatchSettings(options.settings ?? {})
  const effects = effectsOf(options)
  const deadlineMs = effects.now() + settings.waitMs
  return {
    provider,
    batch,
    fingerprint: fingerprint(provider.space),
    store,
    lease,
    settings,
    effects,
    signal,
    deadlineMs,
    isStopping: options.isStopping ?? (() => false),
  }
}

async function jobsOf({ store, fingerprint: space }: BatchContext): Promise<readonly BatchJob[]> {
  return (await store.jobs.list()).filter((job) => needsCare(job) && isOfSpace(job, space))
}
