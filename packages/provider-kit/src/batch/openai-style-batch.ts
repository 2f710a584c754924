import type { BatchHandle, InputType } from '@mnemark/spec'
import { failureError, type ServiceFailure } from '../failure/service-failure.ts'
import { exceptStatus, statusOf } from '../failure/status-of.ts'
import { type Fields, fieldsOf, filledText } from '../json/fields.ts'
import { jsonLines } from '../json/json-lines.ts'
import type {
  EmbeddingBatchDefinition,
  RawBatchHandle,
  RawBatchOutcome,
  RawBatchSubmission,
} from './embedding-batch-definition.ts'
import { filesMade, jobHandle, type OpenAIStyleWords, lineOutcome, meaningOf, stateOf } from './openai-style-job.ts'

/** A job to be made of an uploaded file. */
export interface OpenAIStyleOrder {
  readonly inputFile: string
  readonly inputType: InputType
  /** Holds the marker; comes back with the job. */
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * The requests about files and jobs, as the vendor's SDK makes them: one each, not repeated, throwing what the SDK throws. Answers have the
 * members of OpenAI's (`id`, `status`, `output_file_id`, …), are given as they came, and nothing of them is trusted.
 */
export interface OpenAIStyleJobs {
  /** Answers a file. */
  upload(file: File, signal: AbortSignal): Promise<unknown>
  /** Lists the files with this name; files with other names may be among them. */
  files(name: string, signal: AbortSignal): AsyncIterable<unknown>
  /** Answers the bytes as they arrive; null if there are none. */
  download(fileId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>
  deleteFile(fileId: string, signal: AbortSignal): Promise<unknown>
  /** Answers the job. */
  create(order: OpenAIStyleOrder, signal: AbortSignal): Promise<unknown>
  retrieve(jobId: string, signal: AbortSignal): Promise<unknown>
  /** Lists all jobs, newest first, page by page. */
  list(signal: AbortSignal): AsyncIterable<unknown>
  cancel(jobId: string, signal: AbortSignal): Promise<unknown>
  /** Absent where jobs cannot be removed. */
  deleteJob?(jobId: string, signal: AbortSignal): Promise<unknown>
}

/** A vendor's part of offline jobs in OpenAI's form. */
export interface OpenAIStyleBatchDefinition
  extends Pick<EmbeddingBatchDefinition, 'limits' | 'priceFactor' | 'line'>,
    OpenAIStyleWords {
  /** Returns the requests. It is called at every step, so that the first one can load an SDK. */
  jobs(): Promise<OpenAIStyleJobs>
  /**
   * Reads the service's own words out of the failure of a line. A failure without a status means that the job ended before the line's
   * turn. Default: the failure as it is.
   */
  lineFailure?(failure: ServiceFailure, about: { readonly response: Fields; readonly job: Fields }): ServiceFailure
}

/** The metadata key of the marker. */
const MARKER = 'mnemark'
/** `find` looks through this many jobs of a list: more than can be made within an hour. */
const MOST_LISTED = 4_000

const fileName = (marker: string): string => `${marker}.jsonl`

/**
 * Offline jobs in OpenAI's form: a file of JSON lines is uploaded, a job is made of it under a marker, and what it made is read from a file
 * of results and one of errors, line by line.
 */
export function openAIStyleBatch(style: OpenAIStyleBatchDefinition): EmbeddingBatchDefinition {
  return {
    limits: style.limits,
    priceFactor: style.priceFactor,
    line: (item) => style.line(item),
    submit: async (submission) => submit(await style.jobs(), submission),
    find: async (marker, signal) => find(await style.jobs(), marker, signal),
    poll: async ({ jobId }, signal) => stateOf(await jobOf(style, jobId, signal), style),
    results: ({ jobId }, signal) => results(style, jobId, signal),
    cancel: ({ jobId }, signal) => cancel(style, jobId, signal),
    cleanUp: async (job, signal) => cleanUp(await style.jobs(), job, signal),
  }
}

async function jobOf({ jobs }: OpenAIStyleBatchDefinition, jobId: string, signal: AbortSignal): Promise<Fields> {
  return fieldsOf(await (await jobs()).retrieve(jobId, signal))
}

async function submit(
  jobs: OpenAIStyleJobs,
  { file, marker, inputType, beforeJob, signal }: RawBatchSubmission,
): Promise<RawBatchHandle> {
  const uploaded = await jobs.upload(new File([file], fileName(marker), { type: file.type }), signal)
  const inputFile = filledText(fieldsOf(uploaded)['id'])
  if (inputFile === undefined) throw failureError({ code: 'bad-response', summary: 'the service names no file it took' })
  // From here on a job may exist that nobody heard of: its marker is how it is found.
  await beforeJob()
  return jobHandle(fieldsOf(await jobs.create({ inputFile, inputType, metadata: { [MARKER]: marker } }, signal)), marker)
}

async function find(jobs: OpenAIStyleJobs, marker: string, signal: AbortSignal): Promise<RawBatchHandle | null> {
  let looked = 0
  for await (const entry of jobs.list(signal)) {
    const job = fieldsOf(entry)
    if (fieldsOf(job['metadata'])[MARKER] === marker) return jobHandle(job, marker)
    if (++looked >= MOST_LISTED) break
  }
  return null
}

async function* results(style: OpenAIStyleBatchDefinition, jobId: string, signal: AbortSignal): AsyncGenerator<RawBatchOutcome> {
  const jobs = await style.jobs()
  const job = fieldsOf(await jobs.retrieve(jobId, signal))
  for (const id of filesMade(job)) {
    const file = await jobs.download(id, signal)
    if (file === null) continue
    for await (const value of jsonLines(file)) {
      const line = fieldsOf(value)
      const about = { response: fieldsOf(line['response']), job }
      yield lineOutcome(line, (failure) => style.lineFailure?.(failure, about) ?? failure)
    }
  }
}

/** How services answer a late or repeated cancellation differs or is undocumented, so the job's state is looked up. */
async function cancel(style: OpenAIStyleBatchDefinition, jobId: string, signal: AbortSignal): Promise<void> {
  try {
    await (await style.jobs()).cancel(jobId, signal)
  } catch (error) {
    if (statusOf(error) === 404) return
    if (![400, 409, 422].includes(statusOf(error) ?? 0)) throw error
    const job = await jobOf(style, jobId, signal)
    if (stateOf(job, style).status === 'running' && meaningOf(job, style) !== 'cancelling') throw error
  }
}

/** The job is deleted last: without it, its files could no longer be found. */
async function cleanUp(
  jobs: OpenAIStyleJobs,
  job: BatchHandle | { readonly marker: string },
  signal: AbortSignal,
): Promise<void> {
  const ids = 'jobId' in job ? await filesOf(jobs, job, signal) : await filesNamed(jobs, fileName(job.marker), signal)
  for (const id of ids) await jobs.deleteFile(id, signal).catch(exceptStatus(404))
  if ('jobId' in job) await jobs.deleteJob?.(job.jobId, signal).catch(exceptStatus(404))
}

async function filesOf(jobs: OpenAIStyleJobs, { jobId, extra }: BatchHandle, signal: AbortSignal): Promise<readonly string[]> {
  const job = fieldsOf(await jobs.retrieve(jobId, signal).catch(exceptStatus(404)))
  const inputFile = filledText(job['input_file_id']) ?? filledText(extra?.['inputFile'])
  return [...(inputFile === undefined ? [] : [inputFile]), ...filesMade(job)]
}

async function filesNamed(jobs: OpenAIStyleJobs, name: string, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const entry of jobs.files(name, signal)) {
    const { filename, id } = fieldsOf(entry)
    if (filename === name && typeof id === 'string') ids.push(id)
  }
  return ids
}
