import type { BatchHandle } from '@mnemark/spec'
import {
  type EmbeddingBatchDefinition,
  exceptStatus,
  failureError,
  type Fields,
  fieldsOf,
  jsonLines,
  type RawBatchHandle,
  type RawBatchOutcome,
  type RawBatchState,
  type RawBatchSubmission,
  type ServiceFailure,
  statusOf,
} from '@mnemark/provider-kit'
import type { BatchJob } from '@mistralai/mistralai/models/components/batchjob.js'
import { refineFailure } from './failure.ts'
import type { MistralJobs } from './jobs.ts'

/**
 * 2026-11, https://docs.mistral.ai/capabilities/batch and its page on limits, the lower where they differ: 100,000 requests and 512 MB
 * a job. The SDK holds the file in memory twice while it is sent, so ours are smaller.
 */
const LIMITS = { maxRequests: 100_000, maxBytes: 32 * 2 ** 20, minRequests: 1, windowHours: 24 } as const
const PRICE_FACTOR = 0.5
/** The metadata key of the marker. */
const MARKER = 'mnemark'
/** Entries of a list that are looked through, newest first. */
const MOST_LISTED = 4_000
const PAGE = 100

export interface MistralBatchSettings {
  readonly jobs: () => Promise<MistralJobs>
  readonly model: string
  readonly dimensions: number | undefined
}

export function mistralBatch({ jobs, model, dimensions }: MistralBatchSettings): EmbeddingBatchDefinition {
  const length = dimensions === undefined ? {} : { output_dimension: dimensions }
  return {
    limits: LIMITS,
    priceFactor: PRICE_FACTOR,
    line: ({ id, text }) => ({ custom_id: id, body: { input: [text], ...length } }),
    submit: async (submission) => submit(await jobs(), submission, model),
    find: async (marker, signal) => find(await jobs(), marker, signal),
    poll: async ({ jobId }, signal) => stateOf(await (await jobs()).get(jobId, signal)),
    results: (handle, signal) => results(jobs, handle, signal),
    cancel: async ({ jobId }, signal) => cancel(await jobs(), jobId, signal),
    cleanUp: async (job, signal) => cleanUp(await jobs(), job, signal),
  }
}

const fileName = (marker: string): string => `${marker}.jsonl`

async function submit(
  jobs: MistralJobs,
  { file, marker, beforeJob, signal }: RawBatchSubmission,
  model: string,
): Promise<RawBatchHandle> {
  const inputFile = await jobs.upload(new File([file], fileName(marker), { type: file.type }), signal)
  await beforeJob()
  const job = await jobs.create(
    {
      inputFiles: [inputFile],
      endpoint: '/v1/embeddings',
      model,
      metadata: { [MARKER]: marker },
      timeoutHours: LIMITS.windowHours,
    },
    signal,
  )
  return handleOf(job, marker)
}

const handleOf = ({ id, createdAt, inputFiles }: BatchJob, marker: string): RawBatchHandle => ({
  jobId: id,
  submittedAtMs: createdAt * 1000,
  extra: { marker, inputFile: inputFiles[0] ?? '' },
})

/** Entries of a list whose pages have numbers; a page that is not full is the last. */
async function* listed<Entry>(
  read: (page: { readonly page: number; readonly pageSize: number }) => Promise<readonly Entry[]>,
): AsyncGenerator<Entry> {
  for (let page = 0; page < MOST_LISTED / PAGE; page++) {
    const entries = await read({ page, pageSize: PAGE })
    yield* entries
    if (entries.length < PAGE) return
  }
}

/** The list's own filter for metadata goes out wrongly: the SDK writes each pair as a parameter of its own. */
async function find(jobs: MistralJobs, marker: string, signal: AbortSignal): Promise<RawBatchHandle | null> {
  for await (const job of listed((page) => jobs.list(page, signal)))
    if (job.metadata?.[MARKER] === marker) return handleOf(job, marker)
  return null
}

const CANCELLING = 'CANCELLATION_REQUESTED'
const RUNNING: readonly string[] = ['QUEUED', 'RUNNING', CANCELLING]
/** States of jobs that ended early: the missing texts may be sent again. */
const ENDED: readonly string[] = ['TIMEOUT_EXCEEDED', 'CANCELLED']
const DONE: readonly string[] = ['SUCCESS', ...ENDED]

function stateOf(job: BatchJob): RawBatchState {
  const { status, completedRequests, totalRequests, outputFile } = job
  if (RUNNING.includes(status)) return { status: 'running', completed: completedRequests, total: totalRequests }
  if (DONE.includes(status)) return { status: 'done' }
  if (status === 'FAILED')
    return outputFile === undefined || outputFile === null ? { status: 'failed', failure: failureOf(job) } : { status: 'done' }
  throw failureError({ code: 'bad-response', summary: 'the job is in a state that is not known' })
}

/** A message about one line may quote that line; a message about several is the service's own. */
function failureOf({ errors }: BatchJob): ServiceFailure {
  const common = errors.find(({ count }) => count > 1)
  return {
    code: 'invalid-input',
    summary: 'the job failed before it began',
    body: { error: common?.message },
    nextStep: "Check model and dimensions, and the job's errors at Mistral.",
  }
}

const filesMade = ({ outputFile, errorFile }: BatchJob): readonly string[] =>
  [outputFile, errorFile].filter((id): id is string => typeof id === 'string' && id !== '')

async function* results(
  loading: () => Promise<MistralJobs>,
  { jobId }: BatchHandle,
  signal: AbortSignal,
): AsyncGenerator<RawBatchOutcome> {
  const jobs = await loading()
  const job = await jobs.get(jobId, signal)
  const hasEnded = ENDED.includes(job.status)
  for (const id of filesMade(job))
    for await (const line of jsonLines(await jobs.download(id, signal))) yield outcomeOf(fieldsOf(line), hasEnded)
}

function outcomeOf({ custom_id: id, response, error }: Fields, hasEnded: boolean): RawBatchOutcome {
  const { status_code: status, body } = fieldsOf(response)
  if (status === 200) {
    const entries = fieldsOf(body)['data']
    return { id, embedding: { values: fieldsOf(Array.isArray(entries) ? entries[0] : undefined)['embedding'] } }
  }
  if (typeof status === 'number') return { id, failure: refineFailure({ status, body }) }
  const failure: ServiceFailure = hasEnded
    ? { code: 'unavailable', summary: 'the job ended before this text was embedded' }
    : { code: 'bad-response', summary: 'the service gives neither a vector nor a status' }
  return { id, failure: { ...failure, body: { error } } }
}

/** How the service answers a late or repeated cancellation is undocumented, so the job's state is looked up. */
async function cancel(jobs: MistralJobs, jobId: string, signal: AbortSignal): Promise<void> {
  try {
    await jobs.cancel(jobId, signal)
  } catch (error) {
    if (statusOf(error) === 404) return
    if (![400, 409, 422].includes(statusOf(error) ?? 0)) throw error
    const job = await jobs.get(jobId, signal)
    if (stateOf(job).status === 'running' && job.status !== CANCELLING) throw error
  }
}

/** The job last: without it, what it made would be found no more. */
async function cleanUp(jobs: MistralJobs, job: BatchHandle | { readonly marker: string }, signal: AbortSignal): Promise<void> {
  const ids = 'jobId' in job ? await filesOf(jobs, job, signal) : await filesNamed(jobs, fileName(job.marker), signal)
  for (const id of ids) await jobs.deleteFile(id, signal).catch(exceptStatus(404))
  if ('jobId' in job) await jobs.deleteJob(job.jobId, signal).catch(exceptStatus(404))
}

async function filesOf(jobs: MistralJobs, { jobId, extra }: BatchHandle, signal: AbortSignal): Promise<readonly string[]> {
  const job = await jobs.get(jobId, signal).catch(exceptStatus(404))
  const inputFiles = job?.inputFiles ?? [extra?.['inputFile'] ?? '']
  return [...inputFiles.filter((id) => id !== ''), ...(job === undefined ? [] : filesMade(job))]
}

async function filesNamed(jobs: MistralJobs, name: string, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { filename, id } of listed((page) => jobs.files({ search: name, ...page }, signal)))
    if (filename === name) ids.push(id)
  return ids
}
