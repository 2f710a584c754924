import type { BatchHandle, InputType } from '@mnemark/spec'
import {
  type EmbeddingBatchDefinition,
  exceptStatus,
  failureError,
  type Fields,
  fieldsOf,
  filledText,
  jsonLines,
  type RawBatchHandle,
  type RawBatchOutcome,
  type RawBatchState,
  type RawBatchSubmission,
  type ServiceFailure,
  statusOf,
} from '@mnemark/provider-kit'
import { refineFailure } from './failure.ts'
import type { VoyageService } from './service.ts'

/**
 * 2026-11, https://docs.voyageai.com/docs/batch-inference: 100,000 inputs and 1 GB a job. The file is held in memory while it is sent,
 * so ours are smaller.
 */
const LIMITS = { maxRequests: 100_000, maxBytes: 64 * 2 ** 20, minRequests: 1, windowHours: 12 } as const
const PRICE_FACTOR = 0.67
/** The metadata key of the marker. */
const MARKER = 'mnemark'
/** Entries of a list that are looked through, newest first; a service lets 100 jobs be open. */
const MOST_LISTED = 4_000
const PAGE = 100

/** `paramsOf` is what all texts of a job have in common: model, input type, dimensions. */
export function voyageBatch(service: VoyageService, paramsOf: (inputType: InputType) => Fields): EmbeddingBatchDefinition {
  return {
    limits: LIMITS,
    priceFactor: PRICE_FACTOR,
    line: ({ id, text }) => ({ custom_id: id, body: { input: [text] } }),
    submit: (submission) => submit(service, submission, paramsOf(submission.inputType)),
    find: (marker, signal) => find(service, marker, signal),
    poll: async ({ jobId }, signal) => stateOf(await jobOf(service, jobId, signal)),
    results: (handle, signal) => results(service, handle, signal),
    cancel: ({ jobId }, signal) => cancel(service, jobId, signal),
    cleanUp: (job, signal) => cleanUp(service, job, signal),
  }
}

const fileName = (marker: string): string => `${marker}.jsonl`
const jobPath = (jobId: string): string => `/batches/${encodeURIComponent(jobId)}`
const jobOf = (service: VoyageService, jobId: string, signal: AbortSignal): Promise<Fields> =>
  service.call({ method: 'GET', path: jobPath(jobId), signal })

async function submit(
  service: VoyageService,
  { file, marker, beforeJob, signal }: RawBatchSubmission,
  params: Fields,
): Promise<RawBatchHandle> {
  const form = new FormData()
  form.append('purpose', 'batch')
  form.append('file', file, fileName(marker))
  const { id } = await service.call({ method: 'POST', path: '/files', body: form, signal })
  if (typeof id !== 'string') throw failureError({ code: 'bad-response', summary: 'the service names no file it took' })
  await beforeJob()
  const body = {
    endpoint: '/v1/embeddings',
    completion_window: '12h',
    input_file_id: id,
    request_params: params,
    metadata: { [MARKER]: marker },
  }
  return handleOf(await service.call({ method: 'POST', path: '/batches', body, signal }), marker)
}

function handleOf(job: Fields, marker: string): RawBatchHandle {
  return {
    jobId: filledText(job['id']) ?? '',
    submittedAtMs: timeMs(job['created_at']),
    extra: { marker, inputFile: filledText(job['input_file_id']) ?? '' },
  }
}

/** Texts with or without an offset; without one they are of UTC, where JavaScript would take them for local. */
function timeMs(value: unknown): number | undefined {
  const time = filledText(value)
  if (time === undefined) return undefined
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Entries of a list, newest first. */
async function* listed(service: VoyageService, list: string, signal: AbortSignal): AsyncGenerator<Fields> {
  let after: string | undefined
  for (let page = 0; page < MOST_LISTED / PAGE; page++) {
    const query = `limit=${PAGE}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`
    const { data, has_more: hasMore } = await service.call({ method: 'GET', path: `${list}?${query}`, signal })
    if (!Array.isArray(data)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named data' })
    const entries = data.map((entry: unknown) => fieldsOf(entry))
    yield* entries
    after = filledText(entries.at(-1)?.['id'])
    if (hasMore !== true || after === undefined) return
  }
}

async function find(service: VoyageService, marker: string, signal: AbortSignal): Promise<RawBatchHandle | null> {
  for await (const job of listed(service, '/batches', signal))
    if (fieldsOf(job['metadata'])[MARKER] === marker) return handleOf(job, marker)
  return null
}

const CANCELLING = ['cancelling', 'canceling']
const RUNNING = new Set(['validating', 'in_progress', 'finalizing', ...CANCELLING])
/** The last three are in no list of states, but in older examples. */
const DONE = new Set(['completed', 'cancelled', 'canceled', 'expired', 'partially_completed'])

function stateOf(job: Fields): RawBatchState {
  const status = filledText(job['status'])
  if (status !== undefined && RUNNING.has(status)) {
    const { total, completed, failed } = fieldsOf(job['request_counts'])
    return { status: 'running', completed: Number(completed) + Number(failed), total: Number(total) }
  }
  if (status !== undefined && DONE.has(status)) return { status: 'done' }
  if (status === 'failed')
    return filledText(job['output_file_id']) === undefined ? { status: 'failed', failure: WHOLE_JOB } : { status: 'done' }
  throw failureError({
    code: 'bad-response',
    summary: status === undefined ? 'the answer about a job has no status' : 'the job is in a state that is not known',
  })
}

/** The service's message about a bad line may quote the line, so this one replaces it. */
const WHOLE_JOB: ServiceFailure = {
  code: 'invalid-input',
  summary: 'the job failed before it began',
  nextStep: "Check that the model is one that takes jobs, and the job's errors at Voyage.",
}

const filesMade = (job: Fields): readonly string[] =>
  [job['output_file_id'], job['error_file_id']].flatMap((id) => filledText(id) ?? [])

async function* results(service: VoyageService, { jobId }: BatchHandle, signal: AbortSignal): AsyncGenerator<RawBatchOutcome> {
  for (const id of filesMade(await jobOf(service, jobId, signal)))
    for await (const line of jsonLines(await service.file(id, signal))) yield outcomeOf(fieldsOf(line))
}

/** A line that failed has its reason in one of two places. */
function outcomeOf({ custom_id: id, response, error }: Fields): RawBatchOutcome {
  const { status_code: status, body, message } = fieldsOf(response)
  if (status === 200) {
    const entries = fieldsOf(body)['data']
    return { id, embedding: { values: fieldsOf(Array.isArray(entries) ? entries[0] : undefined)['embedding'] } }
  }
  if (typeof status === 'number') return { id, failure: refineFailure({ status, body: body ?? { detail: message } }) }
  // Not reached before the window ended, or the job was cancelled: it may be sent again.
  return { id, failure: { code: 'unavailable', summary: 'the job ended before this text was embedded', body: { error } } }
}

/** How the service answers a late or repeated cancellation is undocumented, so the job's state is looked up. */
async function cancel(service: VoyageService, jobId: string, signal: AbortSignal): Promise<void> {
  try {
    await service.call({ method: 'POST', path: `${jobPath(jobId)}/cancel`, signal })
  } catch (error) {
    if (statusOf(error) === 404) return
    if (![400, 409, 422].includes(statusOf(error) ?? 0)) throw error
    const job = await jobOf(service, jobId, signal)
    if (stateOf(job).status === 'running' && !CANCELLING.includes(filledText(job['status']) ?? '')) throw error
  }
}

async function cleanUp(
  service: VoyageService,
  job: BatchHandle | { readonly marker: string },
  signal: AbortSignal,
): Promise<void> {
  const ids = 'jobId' in job ? await filesOf(service, job, signal) : await filesNamed(service, fileName(job.marker), signal)
  for (const id of ids)
    await service.call({ method: 'DELETE', path: `/files/${encodeURIComponent(id)}`, signal }).catch(exceptStatus(404))
}

async function filesOf(service: VoyageService, { jobId, extra }: BatchHandle, signal: AbortSignal): Promise<readonly string[]> {
  const job = (await jobOf(service, jobId, signal).catch(exceptStatus(404))) ?? {}
  const inputFile = filledText(job['input_file_id']) ?? filledText(extra?.['inputFile'])
  return [...(inputFile === undefined ? [] : [inputFile]), ...filesMade(job)]
}

async function filesNamed(service: VoyageService, name: string, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { filename, id } of listed(service, '/files', signal))
    if (filename === name && typeof id === 'string') ids.push(id)
  return ids
}
