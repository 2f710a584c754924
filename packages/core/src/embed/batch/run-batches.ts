import {
  type BatchJob,
  type CallOptions,
  type EmbeddingProvider,
  fingerprint,
  type Lease,
  type ProviderError,
} from '@mnemark/spec'
import { type EmbedEffects, effectsOf } from '../embed-settings.ts'
import type { BatchContext, BatchSource, JobStore } from './batch-context.ts'
import { BatchRun } from './batch-run.ts'
import { type BatchSettings, checkBatchSettings } from './batch-settings.ts'
import { isOfSpace, needsCare } from './job-record.ts'

export interface RunBatchesOptions extends CallOptions, EmbedEffects {
  /** With a `batch`. */
  readonly provider: EmbeddingProvider
  readonly store: JobStore
  /** `vectors`, kept alive by whoever holds it. */
  readonly lease: Lease
  readonly settings?: BatchSettings | undefined
  readonly source: BatchSource
  /** False = no new jobs; those that are there are carried on. Default true. */
  readonly isSubmitting?: boolean | undefined
  /** True = no new jobs from now on, and no more waiting. */
  readonly isStopping?: (() => boolean) | undefined
  /** Whether so many tokens may still be sent besides those that `onSubmitted` was told of. The first text too many ends the new jobs. */
  readonly admits?: ((tokens: number) => boolean) | undefined
  /** Awaited for each job when the service has taken it. */
  readonly onSubmitted?: ((tokens: number) => Promise<void>) | undefined
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined
}

export interface BatchProgress {
  /** Inputs whose vector is there, or done at the service. */
  readonly done: number
  /** Inputs of the jobs of this run. */
  readonly total: number
}

export interface BatchReport {
  /** Of the jobs of this run, those of runs before too. */
  readonly filled: number
  /** Of the texts that were submitted, as the provider counts or estimated. */
  readonly tokens: number
  readonly submitted: { readonly jobs: number; readonly inputs: number }
  /** Jobs that are still at the service, and their inputs: the next run collects them. */
  readonly waiting: { readonly jobs: number; readonly inputs: number }
  /** Of these, jobs whose submission may or may not have arrived. */
  readonly unknown: number
  /** Inputs that no job takes or filled, to be sent by requests. */
  readonly rest: ReadonlySet<string>
  /** True where `admits` ended the new jobs. */
  readonly isOverBudget: boolean
  /** Why no more jobs are made in this run: two failed in a row, or the service takes none. Everything missing goes by requests then. */
  readonly off?: ProviderError
  /** Trouble with the service that ended the run: no key, no quota. The jobs stay, and no new ones are made. */
  readonly stoppedBy?: ProviderError
  /** Why no more jobs were made: the service takes no more at a time, and the time to wait is over. The next run makes them. */
  readonly postponedBy?: ProviderError
  /** How long the service asks to be left alone about its jobs, where it asks for longer than a run waits. */
  readonly retryAfterMs?: number
  /** What went wrong on the way and was dealt with. */
  readonly notes: readonly string[]
}

/**
 * Fills missing vectors by offline jobs: carries on the jobs that are there, makes new ones of what is missing, as many at a time as set,
 * waits as long as set, and keeps results as they come. A text is never in two jobs that may both be worked on. Trouble with the service
 * is reported, not thrown; rejects when the store fails, or with the reason of the signal when that aborts: the jobs stay then, and the next
 * run carries them on. Throws TypeError for a provider without jobs, RangeError for settings that cannot be.
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
  options: Pick<RunBatchesOptions, 'provider' | 'store' | 'lease' | 'settings' | 'signal' | 'isStopping'> & EmbedEffects,
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
