import { BatchClock } from './batch-clock.ts'
import type { JobPlan, ServiceJob } from './batch-job.ts'
import { jobStateAt, type JobState, PLAN } from './batch-job-state.ts'
import { type JobForm, resultLines } from './batch-results.ts'
import type { Delivery } from '../wire/deliver.ts'
import type { WireReply, WireRequest } from '../wire/exchange.ts'

export interface ServiceFile {
  readonly id: string
  readonly name: string
  readonly purpose: string
  readonly createdAtMs: number
  /** Content of an input file. */
  readonly text?: string
  /** Origin of an output file: its job, and which of the job's two files it is. */
  readonly output?: { readonly job: string; readonly part: 'results' | 'errors' }
}

export interface OpenUpload {
  readonly name: string
  /** Announced length in bytes. */
  readonly length: number
  bytes: Buffer
}

/** An event at the service, in order. */
export interface BatchEvent {
  readonly atMs: number
  readonly what: 'upload' | 'create' | 'cancel' | 'download' | 'delete-file' | 'delete-job'
  /** Id of the file or job. */
  readonly id: string
}

export interface BatchBehaviour {
  /** Plans of new jobs; a function gets the number of the job, from 0. */
  readonly plan?: Partial<JobPlan> | ((job: number) => Partial<JobPlan>)
  /** Answers instead of the service, which then does nothing. Undefined = the service answers. */
  readonly intercept?: (request: WireRequest) => WireReply | undefined
  /**
   * Delivery of a reply after the service has done its part: with `reset` it is done, but the client gets no answer.
   * Default `whole`.
   */
  readonly delivery?: (request: WireRequest) => Delivery
  /** Delay until lists show a new job or file, in ms. Default 0. */
  readonly listLagMs?: number
  /** Most open jobs; one more is refused as over quota. Default: no limit. */
  readonly maxOpenJobs?: number
}

/**
 * The offline side of a service: files, and jobs that progress on a clock that the test moves. Holds everything that
 * wires share, and a log of what really happened, whatever its clients were told.
 */
export class BatchService {
  readonly clock: BatchClock = new BatchClock()
  readonly log: BatchEvent[] = []
  /** Open uploads, for services that take files in pieces. */
  readonly uploads: Map<string, OpenUpload> = new Map()
  readonly #form: JobForm
  readonly #files = new Map<string, ServiceFile>()
  readonly #jobs = new Map<string, ServiceJob>()
  /** Texts of every job ever made, including deleted ones. */
  readonly #submitted = new Map<string, number>()
  /** Jobs whose end was recorded, and their output files. */
  readonly #ended = new Set<string>()
  readonly #outputs = new Set<string>()
  #behaviour: BatchBehaviour = {}
  #ids = 0
  #jobCount = 0

  constructor(form: JobForm) {
    this.#form = form
  }

  behave(behaviour: BatchBehaviour): void {
    this.#behaviour = behaviour
  }

  get behaviour(): BatchBehaviour {
    return this.#behaviour
  }

  /** Number of accepted jobs with each text. A text in more than one was paid for twice. */
  get timesSubmitted(): ReadonlyMap<string, number> {
    return this.#submitted
  }

  get files(): readonly ServiceFile[] {
    this.#makeOutputs()
    return [...this.#files.values()]
  }

  /** Jobs that were not deleted, oldest first. */
  get jobs(): readonly ServiceJob[] {
    return [...this.#jobs.values()]
  }

  /** Files that were not removed, and jobs that still run, or exist although their service can delete them. */
  get leftovers(): readonly string[] {
    const jobs = this.jobs.filter((job) => this.#form.deletesJobs || !this.stateOf(job).isOver)
    return [...this.files.map(({ id }) => id), ...jobs.map(({ id }) => id)]
  }

  upload(name: string, purpose: string, text: string): ServiceFile {
    const file = { id: this.#newId('file'), name, purpose, createdAtMs: this.clock.nowMs, text }
    this.#files.set(file.id, file)
    this.#note('upload', file.id)
    return file
  }

  file(id: string): ServiceFile | undefined {
    this.#makeOutputs()
    return this.#files.get(id)
  }

  deleteFile(id: string): boolean {
    if (!this.#files.delete(id)) return false
    this.#note('delete-file', id)
    return true
  }

  /** The lines of a file, generated on reading. */
  contentOf(file: ServiceFile): Iterable<string> {
    this.#note('download', file.id)
    const { output } = file
    const job = output === undefined ? undefined : this.#jobs.get(output.job)
    if (output === undefined || job === undefined) return [file.text ?? '']
    return resultLines(this.#form, job, { state: this.stateOf(job), part: output.part })
  }

  /** Null where the quota of open jobs is used up. */
  create(job: Pick<ServiceJob, 'inputFile' | 'metadata' | 'request' | 'lines' | 'problem'>): ServiceJob | null {
    const { maxOpenJobs = Number.POSITIVE_INFINITY, plan } = this.#behaviour
    if (this.jobs.filter((each) => !this.stateOf(each).isOver).length >= maxOpenJobs) return null
    const own = typeof plan === 'function' ? plan(this.#jobCount) : plan
    this.#jobCount++
    const created = { ...job, id: this.#newId('batch'), createdAtMs: this.clock.nowMs, plan: { ...PLAN, ...own } }
    this.#jobs.set(created.id, created)
    this.#note('create', created.id)
    for (const text of created.lines.flatMap(({ call }) => call.texts))
      this.#submitted.set(text, (this.#submitted.get(text) ?? 0) + 1)
    return created
  }

  job(id: string): ServiceJob | undefined {
    return this.#jobs.get(id)
  }

  stateOf(job: ServiceJob): JobState {
    return jobStateAt(job, this.clock.nowMs)
  }

  /** The id of one of a job's output files, deleted or not; null where there is none, as for a file without lines. */
  outputOf({ id }: ServiceJob, part: 'results' | 'errors'): string | null {
    this.#makeOutputs()
    const name = outputId(id, part)
    return this.#outputs.has(name) ? name : null
  }

  cancel(job: ServiceJob): ServiceJob {
    if (this.stateOf(job).isOver || job.cancelledAtMs !== undefined) return job
    const cancelled = { ...job, cancelledAtMs: this.clock.nowMs }
    this.#jobs.set(job.id, cancelled)
    this.#note('cancel', job.id)
    return cancelled
  }

  deleteJob(id: string): boolean {
    this.#makeOutputs()
    if (!this.#jobs.delete(id)) return false
    this.#note('delete-job', id)
    return true
  }

  /** Newest first, without entries that are too new for a list. */
  listed<Entry extends { readonly createdAtMs: number }>(entries: readonly Entry[]): readonly Entry[] {
    const { listLagMs = 0 } = this.#behaviour
    return entries.filter(({ createdAtMs }) => this.clock.nowMs - createdAtMs >= listLagMs).toReversed()
  }

  /** Makes the files of jobs that have ended; called before every look at the files. */
  #makeOutputs(): void {
    for (const job of this.#jobs.values()) {
      const state = this.stateOf(job)
      if (!state.isOver || this.#ended.has(job.id)) continue
      this.#ended.add(job.id)
      for (const part of PARTS) {
        if (!hasLine(resultLines(this.#form, job, { state, part }))) continue
        const id = outputId(job.id, part)
        this.#outputs.add(id)
        const output = { job: job.id, part }
        this.#files.set(id, { id, name: `${id}.jsonl`, purpose: 'batch_output', createdAtMs: this.clock.nowMs, output })
      }
    }
  }

  #newId(kind: string): string {
    this.#ids++
    return `${kind}-${this.#ids}`
  }

  #note(what: BatchEvent['what'], id: string): void {
    this.log.push({ atMs: this.clock.nowMs, what, id })
  }
}

const PARTS = ['results', 'errors'] as const
const outputId = (job: string, part: 'results' | 'errors'): string => `${job}-${part}`

function hasLine(lines: Iterable<string>): boolean {
  for (const _ of lines) return true
  return false
}
