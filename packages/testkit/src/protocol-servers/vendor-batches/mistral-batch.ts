/** Mistral's offline jobs, 2026-11: `/v1/files` and `/v1/batch/jobs`. */
import { type BatchForm, readLines } from '../batch/batch-form.ts'
import type { BatchLine, ServiceJob } from '../batch/batch-job.ts'
import { countLines, type JobState } from '../batch/batch-job-state.ts'
import type { LineFailure } from '../batch/batch-results.ts'
import type { BatchService, ServiceFile } from '../batch/batch-service.ts'
import type { EmbeddingCall, WireReply, WireRequest } from '../wire/exchange.ts'
import { fileReply, type FileForm } from './openai-style-files.ts'
import { recordOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** The embeddings API of the same service. */
export interface MistralRequests {
  /** Reads a single request's body. */
  read(body: Fields): EmbeddingCall | WireReply
  answer(call: EmbeddingCall, vectors: readonly unknown[]): unknown
  validation(location: readonly (string | number)[], message: string): WireReply
  rateLimit(): WireReply
  wrongKey(): WireReply
}

const MAX_REQUESTS = 100_000
const MAX_BYTES = 512 * 2 ** 20
const MAX_HOURS = 168
const PATH = /^\/v1\/batch\/jobs(?:\/(?<id>[^/]+)(?<cancel>\/cancel)?)?$/
const CREATE_FIELDS = ['input_files', 'model', 'endpoint', 'metadata', 'timeout_hours']
const WORDS: Readonly<Record<JobState['name'], string>> = {
  validating: 'QUEUED',
  running: 'RUNNING',
  cancelling: 'CANCELLATION_REQUESTED',
  completed: 'SUCCESS',
  failed: 'FAILED',
  expired: 'TIMEOUT_EXCEEDED',
  cancelled: 'CANCELLED',
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

function showFile({ id, name, createdAtMs, text = '', output }: ServiceFile): Fields {
  const made = output?.part === 'errors' ? 'batch_error' : 'batch_result'
  return {
    id,
    object: 'file',
    bytes: Buffer.byteLength(text),
    created_at: seconds(createdAtMs),
    filename: name,
    purpose: 'batch',
    sample_type: output === undefined ? 'batch_request' : made,
    num_lines: null,
    mimetype: 'application/jsonl',
    source: output === undefined ? 'upload' : 'mistral',
    signature: null,
  }
}

const notFound = (what: string): WireReply => ({ status: 404, body: { detail: `${what} not found.` } })

export function mistralBatch(requests: MistralRequests): BatchForm {
  const files: FileForm = {
    maxBytes: MAX_BYTES,
    fields: ['visibility', 'expiry'],
    show: showFile,
    error: (status, message) => (status === 404 ? notFound('File') : requests.validation(['file'], message)),
  }
  return {
    deletesJobs: true,
    hasErrorFile: true,
    async handle(request, service, apiKey) {
      const isOurs = PATH.test(request.path) || request.path.startsWith('/v1/files')
      if (!isOurs) return undefined
      if (request.headers['authorization'] !== `Bearer ${apiKey}`) return requests.wrongKey()
      if (request.path === '/v1/files' && request.method === 'GET') return listFiles(request, service)
      return (await fileReply(request, service, files)) ?? jobReply(request, service, requests)
    },
    resultLine: ({ id, call }, vectors) => ({
      id: `batch-${id.slice(0, 8)}`,
      custom_id: id,
      response: { status_code: 200, body: requests.answer(call, vectors) },
      error: null,
    }),
    errorLine: ({ id }, failure) => ({ id: `batch-${id.slice(0, 8)}`, custom_id: id, ...errorOf(failure, requests) }),
  }
}

function errorOf(failure: LineFailure, { validation }: MistralRequests): Fields {
  if (failure === 'late') return { response: null, error: { message: 'The job ended before this request.' } }
  const body = failure === 'refused' ? validation(['input'], 'The input is refused.').body : { message: 'Internal server error' }
  return { response: { status_code: failure === 'refused' ? 422 : 500, body }, error: null }
}

/** One page of a list, by its number, from 0. */
function page<Entry>(entries: readonly Entry[], query: URLSearchParams, show: (entry: Entry) => unknown): WireReply {
  const size = Math.min(100, Number(query.get('page_size') ?? 100))
  const start = Number(query.get('page') ?? 0) * size
  return { status: 200, body: { object: 'list', data: entries.slice(start, start + size).map(show), total: entries.length } }
}

function listFiles(request: WireRequest, service: BatchService): WireReply {
  const query = new URLSearchParams(request.query)
  const search = query.get('search') ?? ''
  return page(
    service.listed(service.files).filter(({ name }) => name.includes(search)),
    query,
    showFile,
  )
}

function jobReply(request: WireRequest, service: BatchService, requests: MistralRequests): WireReply {
  const { id, cancel } = PATH.exec(request.path)?.groups ?? {}
  if (id === undefined && request.method === 'POST') return create(recordOf(request.body), service, requests)
  if (id === undefined) {
    const query = new URLSearchParams(request.query)
    const jobs = service.listed(service.jobs)
    return page(query.get('order_by') === 'created' ? jobs.toReversed() : jobs, query, (job) => show(job, service))
  }
  const job = service.job(id)
  if (job === undefined) return notFound('Job')
  if (request.method === 'DELETE') {
    service.deleteJob(id)
    return { status: 200, body: { id, object: 'batch', deleted: true } }
  }
  if (cancel === undefined) return { status: 200, body: show(job, service) }
  if (service.stateOf(job).isOver) return requests.validation(['job_id'], 'The job is over and cannot be cancelled.')
  return { status: 200, body: show(service.cancel(job), service) }
}

function create(body: Fields | undefined, service: BatchService, requests: MistralRequests): WireReply {
  const { validation } = requests
  if (body === undefined) return validation([], 'JSON decode error')
  const unknown = unknownField(body, CREATE_FIELDS)
  if (unknown !== undefined) return validation([unknown], 'Extra inputs are not permitted')
  const { input_files: inputs, endpoint, model, metadata, timeout_hours: hours = 24 } = body
  const [inputFile, ...others] = Array.isArray(inputs) ? inputs : []
  const file = typeof inputFile === 'string' && others.length === 0 ? service.file(inputFile) : undefined
  if (file?.text === undefined) return validation(['input_files'], 'File not found')
  if (endpoint !== '/v1/embeddings') return validation(['endpoint'], 'Input should be a known endpoint')
  if (!Number.isInteger(hours) || Number(hours) < 1 || Number(hours) > MAX_HOURS)
    return validation(['timeout_hours'], 'Input is out of range')
  const sample = requests.read({ model, input: ['sample'] })
  if ('status' in sample) return sample
  const pairs = Object.entries(recordOf(metadata) ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const lines = readFile(file.text, model, requests)
  const job = service.create({ inputFile: file.id, metadata: Object.fromEntries(pairs), request: { model }, ...lines })
  return job === null ? requests.rateLimit() : { status: 200, body: show(job, service) }
}

function readFile(
  text: string,
  model: unknown,
  requests: MistralRequests,
): { readonly lines: readonly BatchLine[]; readonly problem?: string } {
  return readLines(text, MAX_REQUESTS, (line) => {
    const unknown = unknownField(line, ['custom_id', 'body'])
    if (unknown !== undefined) return `unknown field ${unknown}`
    const { custom_id: id } = line
    const call = requests.read({ model, ...recordOf(line['body']) })
    return typeof id !== 'string' || 'status' in call ? 'the line is refused' : { id, call }
  })
}

function show(job: ServiceJob, service: BatchService): Fields {
  const state = service.stateOf(job)
  const { good, failed } = countLines(job, state)
  return {
    id: job.id,
    object: 'batch',
    input_files: [job.inputFile],
    endpoint: '/v1/embeddings',
    model: job.request['model'],
    agent_id: null,
    metadata: job.metadata,
    errors: state.name === 'failed' ? [{ message: job.problem ?? 'The file is not fit.', count: 1 }] : [],
    status: job.plan.word ?? WORDS[state.name],
    output_file: state.isOver ? service.outputOf(job, 'results') : null,
    error_file: state.isOver ? service.outputOf(job, 'errors') : null,
    created_at: seconds(job.createdAtMs),
    started_at: state.name === 'validating' ? null : seconds(job.createdAtMs + job.plan.validationMs),
    completed_at: state.endedAtMs === undefined ? null : seconds(state.endedAtMs),
    total_requests: job.lines.length,
    completed_requests: good + failed,
    succeeded_requests: good,
    failed_requests: failed,
  }
}
