import type { BatchJob, CallOptions, EmbeddingProvider, Lease, MemorySettings, MemoryStore } from '@mnemark/spec'
import { fingerprint, StoreError } from '@mnemark/spec'
import type { BatchReport, Cancellation } from '../embed/batch/index.ts'
import { needsCare } from '../embed/batch/job-record.ts'
import { effectsOf } from '../calls/call-effects.ts'
import { keepAlive, withLease } from '../index/with-lease.ts'

/** How long to wait for another process that embeds. */
const LEASE_WAIT_MS = 5_000

export interface BatchJobsOptions {
  readonly store: MemoryStore
  /** The chain of a memory: providers whose jobs may be carried on or cancelled. */
  readonly providers: readonly EmbeddingProvider[]
  /** `batch` says how long to wait. */
  readonly settings?: MemorySettings | undefined
  readonly now?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

export interface ResumeOptions extends CallOptions {
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined
}

/** The batch jobs of one store, managed outside its syncs. */
export interface BatchJobs {
  /** Oldest first: jobs at services, and the last finished ones. */
  list(): Promise<readonly BatchJob[]>
  /** Open jobs, split by whether a provider can be asked about them; those without one are `orphans`. */
  sort(): Promise<{ readonly known: readonly BatchJob[]; readonly orphans: readonly BatchJob[] }>
  /**
   * Waits for jobs and collects finished ones, submits none: one report for each provider that has jobs. Rejects with
   * StoreError `lease-held`.
   */
  resume(options?: ResumeOptions): Promise<readonly { readonly provider: EmbeddingProvider; readonly report: BatchReport }[]>
  /** Stops a job that `sort` lists as known. Rejects with ProviderError, StoreError `lease-held`, TypeError for any other job. */
  cancel(job: BatchJob, options?: CallOptions): Promise<Cancellation>
}

/** The code of jobs is loaded with the first call that asks a service. */
export function batchJobs({ store, providers, settings, ...given }: BatchJobsOptions): BatchJobs {
  const effects = effectsOf(given)
  const providerOf = (job: BatchJob): EmbeddingProvider | undefined => {
    const wanted = fingerprint(job.space)
    return providers.find(({ space, batch }) => batch !== undefined && fingerprint(space) === wanted)
  }
  const underLease = async <Result>(
    signal: AbortSignal | undefined,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<Result> => {
    const context = { store, sleep: effects.sleep }
    const request = { name: 'vectors', waitMs: LEASE_WAIT_MS, signal } as const
    const done = await withLease(context, request, (lease) => keepAlive(context, lease, () => work(lease)))
    if (done) return done.result
    throw new StoreError(
      'lease-held',
      'Another process is embedding these notes and looks after their jobs. Try again when it is done.',
    )
  }
  const sort: BatchJobs['sort'] = async () => {
    const open = (await store.jobs.list()).filter(needsCare)
    const isKnown = (job: BatchJob): boolean => providerOf(job) !== undefined
    return { known: open.filter(isKnown), orphans: open.filter((job) => !isKnown(job)) }
  }
  return {
    list: () => store.jobs.list(),
    sort,
    resume: ({ signal, onProgress } = {}) =>
      underLease(signal, async (lease) => {
        const { resumeBatches } = await import('../embed/batch/index.ts')
        const { known } = await sort()
        const reports: { readonly provider: EmbeddingProvider; readonly report: BatchReport }[] = []
        for (const provider of new Set(known.flatMap((job) => providerOf(job) ?? []))) {
          const report = await resumeBatches({
            provider,
            store,
            lease,
            settings: settings?.batch,
            signal,
            onProgress,
            ...effects,
          })
          reports.push({ provider, report })
        }
        return reports
      }),
    cancel: (job, { signal } = {}) =>
      underLease(signal, async (lease) => {
        const provider = providerOf(job)
        if (provider === undefined) throw new TypeError(`no provider of this memory made the job ${job.marker}`)
        const { cancelBatch } = await import('../embed/batch/index.ts')
        return cancelBatch({ provider, store, lease, signal, ...effects }, job)
      }),
  }
}
