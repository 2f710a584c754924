import { type BatchJob, ProviderError } from '@mnemark/spec'
import { type BatchContext, type BatchSource, label, type RunBatchesOptions } from './batch-context.ts'
import { type Collected, collectJob } from './collect-job.ts'
import { type JobGroup, JobPacker } from './job-packer.ts'
import { closeJob, isOfSpace, isOpen, putJob } from './job-record.ts'
import { anySignal } from '../../timing/any-signal.ts'
import type { BatchReport } from './batch-report.ts'
import { Backoff, persist } from './service-patience.ts'
import { settleJob } from './settle-job.ts'
import { type Submission, submitJob } from './submit-job.ts'
import { watchJob } from './watch-job.ts'

/** After this many failed jobs in a row, the run asks the service for no more. */
const MAX_FAILED_IN_A_ROW = 2
/** How often one group is submitted to a service whose queue is full. */
const MAX_FULL = 5
/** Codes of errors that every further job would meet. */
const WITHOUT_HOPE: ReadonlySet<string> = new Set(['auth', 'quota', 'config', 'tls', 'refused-redirect'])

/** Codes of a finished job whose results are gone or unusable. */
const LOST_RESULTS: ReadonlySet<string> = new Set(['not-found', 'bad-response', 'invalid-input'])

/** One run: one worker for each job that may be at the service, each with one job at a time, old jobs first. */
export class BatchRun {
  readonly #context: BatchContext
  readonly #options: RunBatchesOptions
  readonly #source: BatchSource
  readonly #queue: BatchJob[]
  readonly #halt = new AbortController()
  readonly #rest = new Set<string>()
  /** Inputs to send in one more job, and those already sent again. */
  #again = new Set<string>()
  readonly #sentAgain = new Set<string>()
  readonly #notes: string[] = []
  readonly #progress = new Map<string, { done: number; readonly total: number }>()
  readonly #totals = { filled: 0, tokens: 0, jobs: 0, inputs: 0 }
  #packer: JobPacker | undefined
  #packing: Promise<unknown> = Promise.resolve()
  /** Tokens of groups that are being submitted. */
  #pendingTokens = 0
  /** Number of jobs that workers wait for. */
  #watched = 0
  #failedInARow = 0
  #isOverBudget = false
  #off: ProviderError | undefined
  #stoppedBy: ProviderError | undefined
  #postponedBy: ProviderError | undefined
  #retryAfterMs: number | undefined

  constructor(context: BatchContext, options: RunBatchesOptions, jobs: readonly BatchJob[]) {
    const signal = anySignal(context.signal, this.#halt.signal)
    this.#context = { ...context, signal }
    this.#options = options
    this.#source = options.source
    this.#queue = [...jobs]
  }

  async run(): Promise<BatchReport> {
    const failures: unknown[] = []
    const guarded = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        failures.push(error)
        this.#halt.abort(error)
      })
    await guarded(this.#lookAtOld())
    const workers = Array.from({ length: this.#context.settings.concurrency }, () => guarded(this.#work()))
    await Promise.all(workers)
    await this.#packer?.close()
    // Later failures are consequences of the first one in the other workers.
    if (failures.length > 0) throw failures[0]
    return this.#report()
  }

  /**
   * Takes jobs of unknown fate first, since they may free texts for new jobs. Then, where there are more jobs than
   * places, looks at each once, so that one that never ends does not hold back another's results.
   */
  async #lookAtOld(): Promise<void> {
    const hurried = { ...this.#context, deadlineMs: Number.NEGATIVE_INFINITY }
    const hasPlaces = this.#queue.length <= this.#context.settings.concurrency
    const open: BatchJob[] = []
    for (const job of this.#queue.splice(0)) {
      const left = hasPlaces && job.state === 'submitted' ? job : await this.#carry(hurried, job)
      if (left?.state === 'submitted') open.push(left)
    }
    this.#queue.push(...open)
  }

  /** A worker ends when its job is left at the service: the job still takes its place there. */
  async #work(): Promise<void> {
    for (;;) {
      const job = this.#queue.shift() ?? (await this.#submitNext())
      if (job === undefined) return
      const left = await this.#carry(this.#context, job)
      if (left?.state === 'submitted') return
    }
  }

  /** Carries a job as far as it goes now. Undefined = it has ended; else it is left for later. */
  async #carry(context: BatchContext, job: BatchJob): Promise<BatchJob | undefined> {
    if (this.#stoppedBy !== undefined) return job
    try {
      const settled = job.state === 'intended' || job.state === 'unknown' ? await settleJob(context, job) : job
      if (settled === undefined || settled.state === 'unknown') return settled
      if (settled.state === 'submitted') return await this.#finish(context, settled)
      await this.#cleanUp(settled, settled.note ?? '')
      return undefined
    } catch (error) {
      if (!ProviderError.isInstance(error) || error.code === 'cancelled') throw error
      if (WITHOUT_HOPE.has(error.code)) this.#stoppedBy = error
      else this.#left(job, error)
      return job
    }
  }

  async #finish(context: BatchContext, job: BatchJob): Promise<BatchJob | undefined> {
    const { handle } = job
    if (handle === undefined) return job
    const progress = { done: 0, total: job.inputs.length }
    this.#progress.set(job.marker, progress)
    const advance = (done: number): void => {
      progress.done = Math.min(progress.total, Math.max(progress.done, done))
      this.#reportProgress()
    }
    advance(0)
    this.#watched++
    const watched = await watchJob(context, handle, advance).finally(() => this.#watched--)
    if (watched.status === 'waiting') {
      if (watched.error !== undefined) this.#left(job, watched.error)
      return job
    }
    if (watched.status !== 'done') return this.#giveUp(job, watched)
    const collected = await collectJob(this.#context, job, { handle, onProgress: advance }).catch((error: unknown) => {
      const isLost = ProviderError.isInstance(error) && LOST_RESULTS.has(error.code)
      if (isLost) return error
      throw error
    })
    if (ProviderError.isInstance(collected)) return this.#giveUp(job, { status: 'lost', error: collected })
    return this.#keep(job, collected)
  }

  async #keep(job: BatchJob, collected: Collected): Promise<undefined> {
    this.#totals.filled += collected.filled
    const isFailed = collected.filled === 0 && job.inputs.length > 0
    const left = collected.refused.length + collected.unreached.length
    const why = collected.commonest === undefined ? '' : ` Most of the rest: ${collected.commonest.message}`
    const note = `${collected.filled} of ${job.inputs.length} texts came back.${left > 0 ? why : ''}`
    if (left > 0) this.#note(job, note)
    this.#sortRest(collected)
    await this.#cleanUp(await putJob(this.#context, { ...job, state: 'collected', inputs: [], note }), note)
    this.#ended(isFailed ? (collected.commonest ?? this.#empty()) : undefined)
    return undefined
  }

  /** Gives up a job that failed whole, or that the service no longer reports. Stops it first where it may still run. */
  async #giveUp(
    job: BatchJob,
    { status, error }: { readonly status: 'failed' | 'lost'; readonly error: ProviderError },
  ): Promise<undefined> {
    this.#note(job, error.message)
    this.#sortRest({ refused: [], unreached: job.inputs })
    if (status === 'lost' && error.code !== 'not-found') await this.#stop(job, error.message)
    else await this.#cleanUp(job, error.message, 'abandoned')
    this.#ended(error)
    return undefined
  }

  /** Results that arrive until the job has stopped are removed by the next run. */
  async #stop(job: BatchJob, note: string): Promise<void> {
    const { batch, signal } = this.#context
    const { handle } = job
    if (handle !== undefined) await batch.cancel(handle, { signal }).catch((thrown: unknown) => this.#noted(job, thrown))
    await putJob(this.#context, { ...job, state: 'collected', inputs: [], note })
  }

  /** A job whose files cannot be removed now stays `collected`, and the next run tries again. */
  async #cleanUp(job: BatchJob, note: string, state: 'cleaned' | 'abandoned' = 'cleaned'): Promise<void> {
    const { batch, signal } = this.#context
    const target = job.handle ?? { marker: job.marker }
    try {
      await persist(this.#context, () => batch.cleanUp(target, { signal }))
    } catch (error) {
      this.#noted(job, error)
      await putJob(this.#context, { ...job, state: 'collected', inputs: [], note })
      return
    }
    await closeJob(this.#context, job, { state, note })
  }

  #noted(job: BatchJob, error: unknown): void {
    if (!ProviderError.isInstance(error) || error.code === 'cancelled') throw error
    this.#note(job, `what is left of it at the service is removed by the next run: ${error.message}`)
  }

  /** The next run continues the job. */
  #left(job: BatchJob, error: ProviderError): void {
    this.#note(job, error.message)
    this.#hinted(error)
  }

  #hinted({ retryAfterMs = 0 }: ProviderError): void {
    if (retryAfterMs > 0) this.#retryAfterMs = Math.max(this.#retryAfterMs ?? 0, retryAfterMs)
  }

  #note({ marker }: BatchJob, words: string): void {
    const note = `job ${marker}: ${words}`
    if (!this.#notes.includes(note)) this.#notes.push(note)
  }

  #sortRest({ refused, unreached }: { readonly refused: readonly string[]; readonly unreached: readonly string[] }): void {
    for (const hash of refused) this.#rest.add(hash)
    for (const hash of unreached) {
      const isSentAgain = this.#context.settings.rest === 'batch' && !this.#sentAgain.has(hash)
      ;(isSentAgain ? this.#again : this.#rest).add(hash)
    }
  }

  #ended(error: ProviderError | undefined): void {
    if (error === undefined) this.#failedInARow = 0
    else if (++this.#failedInARow >= MAX_FAILED_IN_A_ROW) this.#off ??= error
  }

  #empty(): ProviderError {
    const { provider } = this.#context.provider.space
    return new ProviderError('bad-response', `${label(this.#context)}: a job came back without a result.`, { provider })
  }

  get #isOpen(): boolean {
    const { isSubmitting = true } = this.#options
    const isHindered = this.#off !== undefined || this.#stoppedBy !== undefined || this.#postponedBy !== undefined
    return isSubmitting && !isHindered && !this.#context.isStopping()
  }

  /** Submits jobs for missing inputs until one is accepted. Undefined = no more. */
  async #submitNext(): Promise<BatchJob | undefined> {
    while (this.#isOpen) {
      const group = await this.#nextGroup()
      if (group === undefined) return undefined
      const submission = await this.#submit(group).finally(() => {
        this.#pendingTokens -= group.tokens
      })
      if (submission === undefined) return undefined
      if (submission.status === 'refused') {
        if (WITHOUT_HOPE.has(submission.error.code)) this.#off ??= submission.error
        this.#notes.push(submission.error.message)
        this.#sortRest({ refused: [], unreached: group.inputs.map(({ hash }) => hash) })
        this.#ended(submission.error)
        continue
      }
      this.#totals.tokens += group.tokens
      this.#totals.jobs++
      this.#totals.inputs += submission.job.inputs.length
      await this.#options.onSubmitted?.(group.tokens)
      return submission.job
    }
    return undefined
  }

  /** Submits again while the service says that its queue is full; undefined where the time to wait ends first. */
  async #submit(group: JobGroup): Promise<Submission | undefined> {
    const backoff = new Backoff(this.#context)
    for (let attempts = 1; ; ) {
      const submission = await submitJob(this.#context, this.#source, group)
      if (submission.status !== 'refused' || !submission.error.isRetryable || attempts >= MAX_FULL) return submission
      // A place may become free when another of our jobs ends.
      if (this.#watched === 0) attempts++
      if (await backoff.wait(submission.error.retryAfterMs)) continue
      this.#postponedBy = submission.error
      this.#hinted(submission.error)
      return undefined
    }
  }

  /** Packs one group at a time: the source is an iterator. */
  #nextGroup(): Promise<JobGroup | undefined> {
    const next = this.#packing.then(() => this.#pack())
    this.#packing = next.catch(() => {})
    return next
  }

  async #pack(): Promise<JobGroup | undefined> {
    for (;;) {
      const isFirst = this.#packer === undefined
      this.#packer ??= this.#createPacker(undefined)
      const group = await this.#packer.take()
      this.#isOverBudget ||= this.#packer.isStopped
      if (group !== undefined) {
        this.#pendingTokens += group.tokens
        return group
      }
      if (this.#again.size === 0 || this.#isOverBudget) return undefined
      if (!isFirst) await this.#packer.close()
      const only = this.#again
      this.#again = new Set()
      for (const hash of only) this.#sentAgain.add(hash)
      this.#packer = this.#createPacker(only)
    }
  }

  #createPacker(only: ReadonlySet<string> | undefined): JobPacker {
    const { admits = () => true } = this.#options
    const admitsMore = (tokens: number): boolean => admits(this.#pendingTokens + tokens)
    return new JobPacker(this.#context, this.#source, { admits: admitsMore, onUnfit: (hash) => this.#rest.add(hash), only })
  }

  #reportProgress(): void {
    const all = [...this.#progress.values()]
    const sum = (name: 'done' | 'total'): number => all.reduce((total, each) => total + each[name], 0)
    this.#options.onProgress?.({ done: sum('done'), total: sum('total') })
  }

  async #report(): Promise<BatchReport> {
    const { store, fingerprint } = this.#context
    const isLeft = (job: BatchJob): boolean => isOpen(job) && job.inputs.length > 0 && isOfSpace(job, fingerprint)
    const left = (await store.jobs.list()).filter(isLeft)
    for (const hash of this.#again) this.#rest.add(hash)
    const { filled, tokens, jobs, inputs } = this.#totals
    return {
      filled,
      tokens,
      submitted: { jobs, inputs },
      waiting: { jobs: left.length, inputs: left.reduce((sum, job) => sum + job.inputs.length, 0) },
      unknown: left.filter(({ state }) => state === 'unknown').length,
      rest: this.#rest,
      isOverBudget: this.#isOverBudget,
      ...(this.#off === undefined ? {} : { off: this.#off }),
      ...(this.#stoppedBy === undefined ? {} : { stoppedBy: this.#stoppedBy }),
      ...(this.#postponedBy === undefined ? {} : { postponedBy: this.#postponedBy }),
      ...(this.#retryAfterMs === undefined ? {} : { retryAfterMs: this.#retryAfterMs }),
      notes: this.#notes,
    }
  }
}
