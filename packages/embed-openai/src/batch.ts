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
} from '@mnemark/provider-kit'
import type { OpenAI } from 'openai'

/**
 * 2026-11, https://platform.openai.com/docs/guides/batch: 50,000 requests and 200 MB a job. The file is held in memory while it is sent,
 * so ours are smaller.
 */
const LIMITS = { maxRequests: 50_000, maxBytes: 64 * 2 ** 20, minRequests: 1, windowHours: 24 } as const
const PRICE_FACTOR = 0.5
/** The metadata key of the marker. */
const MARKER = 'mnemark'
/** Jobs of a list that are looked through, newest first: more than can be made within an hour. */
const MOST_LISTED = 4_000
const PAGE = 100
const FILES_PAGE = 1_000

/** `bodyOf` is what a request says for one text. */
export function openAIBatch(
  client: () => Promise<OpenAI>,
  bodyOf: (text: string, inputType: InputType) => unknown,
): EmbeddingBatchDefinition {
  return {
    limits: LIMITS,
    priceFactor: PRICE_FACTOR,
    line: ({ id, text, inputType }) => ({ custom_id: id, method: 'POST', url: '/v1/embeddings', body: bodyOf(text, inputType) }),
    submit: async (submission) => submit(await client(), submission),
    find: async (marker, signal) => find(await client(), marker, signal),
    poll: async ({ jobId }, signal) => stateOf(await (await client()).batches.retrieve(jobId, { signal })),
    results: (handle, signal) => results(client, handle, signal),
    cancel: async ({ jobId }, signal) => {
      const { batches } = await client()
      // Already over, or gone.
      await batches.cancel(jobId, { signal }).catch(exceptStatus(404, 409))
    },
    cleanUp: async (job, signal) => cleanUp(await client(), job, signal),
  }
}

const fileName = (marker: string): string => `${marker}.jsonl`

async function submit(
  { files, batches }: OpenAI,
  { file, marker, beforeJob, signal }: RawBatchSubmission,
): Promise<RawBatchHandle> {
  const upload = new File([file], fileName(marker), { type: file.type })
  const { id } = await files.create({ file: upload, purpose: 'batch' }, { signal })
  if (typeof id !== 'string') throw failureError({ code: 'bad-response', summary: 'the service names no file it took' })
  await beforeJob()
  const job = { input_file_id: id, endpoint: '/v1/embeddings', completion_window: '24h', metadata: { [MARKER]: marker } } as const
  return handleOf(await batches.create(job, { signal }), marker)
}

function handleOf(job: Fields | OpenAI.Batch, marker: string): RawBatchHandle {
  const { id, created_at: createdAt, input_file_id: inputFile } = job as Fields
  return {
    jobId: filledText(id) ?? '',
    submittedAtMs: typeof createdAt === 'number' ? createdAt * 1000 : undefined,
    extra: { marker, inputFile: filledText(inputFile) ?? '' },
  }
}

async function find({ batches }: OpenAI, marker: string, signal: AbortSignal): Promise<RawBatchHandle | null> {
  let looked = 0
  for await (const job of batches.list({ limit: PAGE }, { signal })) {
    if (job.metadata?.[MARKER] === marker) return handleOf(job, marker)
    if (++looked >= MOST_LISTED) break
  }
  return null
}

const RUNNING = new Set(['validating', 'in_progress', 'finalizing', 'cancelling'])
const DONE = new Set(['completed', 'expired', 'cancelled'])

function stateOf(reply: unknown): RawBatchState {
  const job = fieldsOf(reply)
  const status = filledText(job['status'])
  if (status !== undefined && RUNNING.has(status)) {
    const { total, completed, failed } = fieldsOf(job['request_counts'])
    return { status: 'running', completed: Number(completed) + Number(failed), total: Number(total) }
  }
  if (status !== undefined && DONE.has(status)) return { status: 'done' }
  if (status === 'failed') return { status: 'failed', failure: failureOf(job['errors']) }
  if ('error' in job) throw failureError({ code: 'not-found', summary: 'the service knows no such job', body: job })
  throw failureError({
    code: 'bad-response',
    summary: status === undefined ? 'the answer about a job has no status' : 'the job is in a state that is not known',
  })
}

/** A job fails whole when its file is not taken. */
function failureOf(errors: unknown): ServiceFailure {
  const entries = fieldsOf(errors)['data']
  const first = fieldsOf(Array.isArray(entries) ? entries[0] : undefined)
  const { code, message } = first
  const isLimit = code === 'token_limit_exceeded'
  return {
    code: isLimit ? 'rate-limit' : 'invalid-input',
    summary: 'the job failed before it began',
    body: { error: { code, message } },
    nextStep: isLimit ? 'Wait until other jobs have ended.' : 'Check model and dimensions.',
  }
}

async function* results(
  client: () => Promise<OpenAI>,
  handle: BatchHandle,
  signal: AbortSignal,
): AsyncGenerator<RawBatchOutcome> {
  const { batches, files } = await client()
  const job = await batches.retrieve(handle.jobId, { signal })
  for (const id of [job.output_file_id, job.error_file_id]) {
    if (typeof id !== 'string') continue
    const { body } = await files.content(id, { signal })
    if (body !== null) for await (const line of jsonLines(body)) yield outcomeOf(fieldsOf(line))
  }
}

function outcomeOf({ custom_id: id, response, error }: Fields): RawBatchOutcome {
  const { status_code: status, body } = fieldsOf(response)
  if (status === 200) {
    const entries = fieldsOf(body)['data']
    return { id, embedding: { values: fieldsOf(Array.isArray(entries) ? entries[0] : undefined)['embedding'] } }
  }
  if (typeof status === 'number') return { id, failure: { status, body } }
  // Not reached before the window ended, or the job was cancelled: it may be sent again.
  return { id, failure: { code: 'unavailable', summary: 'the job ended before this text was embedded', body: { error } } }
}

async function cleanUp(
  { batches, files }: OpenAI,
  job: BatchHandle | { readonly marker: string },
  signal: AbortSignal,
): Promise<void> {
  const ids = 'jobId' in job ? await filesOf(batches, job, signal) : await filesNamed(files, fileName(job.marker), signal)
  for (const id of ids) await files.delete(id, { signal }).catch(exceptStatus(404))
}

async function filesOf(
  batches: OpenAI['batches'],
  { jobId, extra }: BatchHandle,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const job = await batches.retrieve(jobId, { signal }).catch(exceptStatus(404))
  const ids = [job?.input_file_id ?? extra?.['inputFile'], job?.output_file_id, job?.error_file_id]
  return ids.filter((id): id is string => typeof id === 'string' && id !== '')
}

async function filesNamed(files: OpenAI['files'], name: string, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const file of files.list({ purpose: 'batch', limit: FILES_PAGE }, { signal }))
    if (file.filename === name) ids.push(file.id)
  return ids
}
