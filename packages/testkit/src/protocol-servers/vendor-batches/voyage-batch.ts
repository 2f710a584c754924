/** Voyage's offline jobs, 2026-11: `/v1/files` and `/v1/batches`, in public preview. */
import { type BatchForm, readLines } from '../batch/batch-form.ts'
import type { BatchLine, ServiceJob } from '../batch/batch-job.ts'
import { countLines, type JobState } from '../batch/batch-job-state.ts'
import type { LineFailure } from '../batch/batch-results.ts'
import type { BatchService } from '../batch/batch-service.ts'
import type { EmbeddingCall, WireReply, WireRequest } from '../wire/exchange.ts'
import { fileReply, type FileForm, page } from './openai-style-files.ts'
import { recordOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** The embeddings API of the same service. */
export interface VoyageRequests {
  /** Reads a single request's body. */
  read(body: Fields): EmbeddingCall | WireReply
  answer(call: EmbeddingCall, vectors: readonly unknown[]): unknown
  refused(status: number, detail: string): WireReply
  wrongKey(): WireReply
}

const MAX_REQUESTS = 100_000
const MAX_BYTES = 2 ** 30
const PATH = /^\/v1\/batches(?:\/(?<id>[^/]+)(?<cancel>\/cancel)?)?$/
const CREATE_FIELDS = ['endpoint', 'completion_window', 'input_file_id', 'request_params', 'metadata']
/** There is no state for an expired job: it ends with the results so far. */
const WORDS: Readonly<Record<JobState['name'], string>> = {
  validating: 'validating',
  running: 'in_progress',
  cancelling: 'cancelling',
  completed: 'completed',
  failed: 'failed',
  expired: 'completed',
  cancelled: 'cancelled',
}

/** Times of files have an offset, those of jobs do not: both are in its documentation. */
const timeOfFile = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00')
const timeOfJob = (ms: number): string => new Date(ms).toISOString().replace('Z', '000')

const FILES = (refused: VoyageRequests['refused']): FileForm => ({
  maxBytes: MAX_BYTES,
  fields: [],
  show: ({ id, name, purpose, createdAtMs, text = '' }) => ({
    object: 'file',
    id,
    purpose: purpose === 'batch_output' ? 'batch-output' : purpose,
    filename: name,
    bytes: Buffer.byteLength(text),
    created_at: timeOfFile(createdAtMs),
    expires_at: timeOfFile(createdAtMs + 30 * 86_400_000),
  }),
  error: refused,
})

export function voyageBatch(requests: VoyageRequests): BatchForm {
  const files = FILES(requests.refused)
  return {
    deletesJobs: false,
    hasErrorFile: true,
    async handle(request, service, apiKey) {
      const isOurs = PATH.test(request.path) || request.path.startsWith('/v1/files')
      if (isOurs && request.headers['authorization'] !== `Bearer ${apiKey}`) return requests.wrongKey()
      return (await fileReply(request, service, files)) ?? jobReply(request, service, requests)
    },
    resultLine: ({ id, call }, vectors, job) => ({
      batch_id: job.id,
      custom_id: id,
      response: { status_code: 200, body: requests.answer(call, vectors) },
      error: null,
    }),
    errorLine: ({ id }, failure, job) => ({ batch_id: job.id, custom_id: id, ...ERRORS[failure] }),
  }
}

const ERRORS: Readonly<Record<LineFailure, object>> = {
  refused: { response: { status_code: 400, message: 'The input is refused.' }, error: null },
  busy: { response: { status_code: 500, message: 'An unexpected internal error has occurred.' }, error: null },
  late: { response: null, error: { code: 'batch_expired', message: 'This request could not be executed in time.' } },
}

function jobReply(request: WireRequest, service: BatchService, requests: VoyageRequests): WireReply | undefined {
  const match = PATH.exec(request.path)
  if (match === null) return undefined
  const { id, cancel } = match.groups ?? {}
  if (id === undefined && request.method === 'POST') return create(recordOf(request.body), service, requests)
  if (id === undefined) {
    const query = new URLSearchParams(request.query)
    return { status: 200, body: page(service.listed(service.jobs), query, 100, (job) => show(job, service)) }
  }
  const job = service.job(id)
  if (job === undefined) return requests.refused(404, `Batch ${id} not found.`)
  if (cancel === undefined) return { status: 200, body: show(job, service) }
  if (service.stateOf(job).isOver) return requests.refused(400, `Batch ${id} is over and cannot be cancelled.`)
  return { status: 200, body: show(service.cancel(job), service) }
}

function create(body: Fields | undefined, service: BatchService, requests: VoyageRequests): WireReply {
  const { refused } = requests
  if (body === undefined) return refused(400, 'The request body is not valid JSON.')
  const unknown = unknownField(body, CREATE_FIELDS)
  if (unknown !== undefined) return refused(400, `Argument '${unknown}' is not supported by our API`)
  const { endpoint, completion_window: window, input_file_id: inputFile, metadata = {} } = body
  const params = recordOf(body['request_params'])
  const file = typeof inputFile === 'string' ? service.file(inputFile) : undefined
  if (file?.text === undefined) return refused(400, `File ${String(inputFile)} not found.`)
  if (endpoint !== '/v1/embeddings' || window !== '12h') return refused(400, 'endpoint or completion_window is not supported')
  if (params === undefined || 'input' in params) return refused(400, 'request_params is not as it should be')
  // The model and errors in other parameters are checked at once, with a sample text.
  const sample = requests.read({ ...params, input: ['sample'] })
  if ('status' in sample) return sample
  const pairs = Object.entries(recordOf(metadata) ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const lines = readFile(file.text, params, requests)
  const job = service.create({ inputFile: file.id, metadata: Object.fromEntries(pairs), request: params, ...lines })
  return job === null
    ? refused(429, 'Your organization has too many batches in progress. Please wait and try again.')
    : { status: 200, body: show(job, service) }
}

function readFile(
  text: string,
  params: Fields,
  requests: VoyageRequests,
): { readonly lines: readonly BatchLine[]; readonly problem?: string } {
  return readLines(text, MAX_REQUESTS, (line) => {
    const body = recordOf(line['body'])
    const unknown = unknownField(line, ['custom_id', 'body']) ?? unknownField(body ?? {}, ['input'])
    if (unknown !== undefined || body === undefined) return `unknown field ${unknown}`
    const { custom_id: id } = line
    const call = requests.read({ ...params, ...body })
    return typeof id !== 'string' || 'status' in call ? 'the line is refused' : { id, call }
  })
}

function show(job: ServiceJob, service: BatchService): Fields {
  const state = service.stateOf(job)
  const { good, failed } = countLines(job, state)
  const word = WORDS[state.name]
  const { model } = job.request
  return {
    id: job.id,
    object: 'batch',
    endpoint: '/v1/embeddings',
    errors: state.name === 'failed' ? [{ message: job.problem ?? 'The file is not fit.' }] : null,
    input_file_id: job.inputFile,
    completion_window: '12h',
    model,
    status: job.plan.word ?? word,
    output_file_id: state.isOver ? service.outputOf(job, 'results') : null,
    error_file_id: state.isOver ? service.outputOf(job, 'errors') : null,
    created_at: timeOfJob(job.createdAtMs),
    expected_completion_at: timeOfJob(job.createdAtMs + 12 * 3_600_000),
    ...(state.endedAtMs === undefined ? {} : { [`${word}_at`]: timeOfJob(state.endedAtMs) }),
    request_counts: { total: job.lines.length, completed: good, failed },
    metadata: job.metadata,
  }
}
