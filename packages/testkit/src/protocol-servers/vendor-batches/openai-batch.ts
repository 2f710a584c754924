/** OpenAI's offline jobs, 2026-11: `/v1/files` and `/v1/batches`. */
import { type BatchForm, readLines } from '../batch/batch-form.ts'
import type { BatchLine, ServiceJob } from '../batch/batch-job.ts'
import { countLines, type JobState } from '../batch/batch-job-state.ts'
import type { LineFailure } from '../batch/batch-results.ts'
import type { BatchService } from '../batch/batch-service.ts'
import type { EmbeddingCall, WireReply, WireRequest } from '../wire/exchange.ts'
import { openAIAnswer, openAIError } from '../wire/openai-style.ts'
import { fileReply, type FileForm, page } from './openai-style-files.ts'
import { recordOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>

const MAX_REQUESTS = 50_000
const MAX_BYTES = 200 * 2 ** 20
const PATH = /^\/v1\/batches(?:\/(?<id>[^/]+)(?<cancel>\/cancel)?)?$/
const CREATE_FIELDS = ['input_file_id', 'endpoint', 'completion_window', 'metadata', 'output_expires_after']
const WORDS: Readonly<Record<JobState['name'], string>> = {
  validating: 'validating',
  running: 'in_progress',
  cancelling: 'cancelling',
  completed: 'completed',
  failed: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

const error = (status: number, message: string, code: string | null = null): WireReply =>
  openAIError({ status, message, type: 'invalid_request_error', code })

const FILES: FileForm = {
  maxBytes: MAX_BYTES,
  fields: ['expires_after'],
  show: ({ id, name, purpose, createdAtMs, text = '' }) => ({
    id,
    object: 'file',
    bytes: Buffer.byteLength(text),
    created_at: seconds(createdAtMs),
    filename: name,
    purpose,
    status: 'processed',
  }),
  error,
}

/** `read` reads a single request's body like the service. */
export function openAIBatch(read: (body: Fields) => EmbeddingCall | WireReply, wrongKey: () => WireReply): BatchForm {
  return {
    deletesJobs: false,
    hasErrorFile: true,
    async handle(request, service, apiKey) {
      const isOurs = PATH.test(request.path) || request.path.startsWith('/v1/files')
      if (isOurs && request.headers['authorization'] !== `Bearer ${apiKey}`) return wrongKey()
      return (await fileReply(request, service, FILES)) ?? jobReply(request, service, read)
    },
    resultLine: ({ id, call }, vectors, job) => ({
      id: `batch_req_${id.slice(0, 8)}`,
      custom_id: id,
      response: {
        status_code: 200,
        request_id: `req_${job.id}`,
        body: openAIAnswer(call, vectors, { order: vectors.map((_, index) => index), hasIndexes: true, hasUsage: true }).body,
      },
      error: null,
    }),
    errorLine: ({ id }, failure) => ({ id: `batch_req_${id.slice(0, 8)}`, custom_id: id, ...ERRORS[failure] }),
  }
}

const ERRORS: Readonly<Record<LineFailure, object>> = {
  refused: {
    response: {
      status_code: 400,
      request_id: 'req_1',
      body: openAIError({ status: 400, message: "'$.input' is invalid.", type: 'invalid_request_error' }).body,
    },
    error: null,
  },
  busy: {
    response: {
      status_code: 500,
      request_id: 'req_1',
      body: openAIError({ status: 500, message: 'The server had an error.', type: 'server_error' }).body,
    },
    error: null,
  },
  late: {
    response: null,
    error: { code: 'batch_expired', message: 'This request could not be executed before the completion window expired.' },
  },
}

function jobReply(
  request: WireRequest,
  service: BatchService,
  read: (body: Fields) => EmbeddingCall | WireReply,
): WireReply | undefined {
  const match = PATH.exec(request.path)
  if (match === null) return undefined
  const { id, cancel } = match.groups ?? {}
  if (id === undefined && request.method === 'POST') return create(recordOf(request.body), service, read)
  if (id === undefined) {
    const query = new URLSearchParams(request.query)
    return { status: 200, body: page(service.listed(service.jobs), query, 100, (job) => show(job, service)) }
  }
  const job = service.job(id)
  if (job === undefined) return error(404, `No batch found with id '${id}'.`)
  if (cancel === undefined) return { status: 200, body: show(job, service) }
  if (service.stateOf(job).isOver) return error(409, `Cannot cancel a batch with status '${WORDS[service.stateOf(job).name]}'.`)
  return { status: 200, body: show(service.cancel(job), service) }
}

function create(body: Fields | undefined, service: BatchService, read: (body: Fields) => EmbeddingCall | WireReply): WireReply {
  if (body === undefined) return error(400, 'We could not parse the JSON body of your request.')
  const unknown = unknownField(body, CREATE_FIELDS)
  if (unknown !== undefined) return error(400, `Unrecognized request argument supplied: ${unknown}`)
  const { input_file_id: inputFile, endpoint, completion_window: window, metadata = {} } = body
  const file = typeof inputFile === 'string' ? service.file(inputFile) : undefined
  if (file?.text === undefined) return error(400, `No such File object: ${String(inputFile)}`)
  if (endpoint !== '/v1/embeddings' || window !== '24h') return error(400, 'Invalid endpoint or completion_window.')
  const pairs = metadataOf(metadata)
  if (pairs === undefined) return error(400, "Invalid 'metadata'.")
  const job = service.create({ inputFile: file.id, metadata: pairs, request: {}, ...readFile(file.text, read) })
  if (job !== null) return { status: 200, body: show(job, service) }
  const message = 'Too many batches are enqueued for this organization.'
  return openAIError({ status: 429, message, type: 'requests', code: 'rate_limit_exceeded' })
}

/** At most 16 pairs, keys of 64 characters, values of 512. */
function metadataOf(given: unknown): Readonly<Record<string, string>> | undefined {
  const pairs = Object.entries(recordOf(given) ?? { '': null })
  const isSound = pairs.every(
    (pair): pair is [string, string] =>
      pair[0] !== '' && pair[0].length <= 64 && typeof pair[1] === 'string' && pair[1].length <= 512,
  )
  return isSound && pairs.length <= 16 ? Object.fromEntries(pairs) : undefined
}

function readFile(
  text: string,
  read: (body: Fields) => EmbeddingCall | WireReply,
): { readonly lines: readonly BatchLine[]; readonly problem?: string } {
  const models = new Set<string>()
  return readLines(text, MAX_REQUESTS, (line) => {
    const unknown = unknownField(line, ['custom_id', 'method', 'url', 'body'])
    if (unknown !== undefined) return `Unrecognized field: ${unknown}`
    const { custom_id: id, method, url } = line
    if (typeof id !== 'string' || method !== 'POST' || url !== '/v1/embeddings') return 'custom_id, method or url is wrong'
    const call = read(recordOf(line['body']) ?? {})
    if ('status' in call) return 'the body is refused'
    models.add(call.model)
    return models.size > 1 ? 'more than one model' : { id, call }
  })
}

function show(job: ServiceJob, service: BatchService): Fields {
  const state = service.stateOf(job)
  const { good, failed } = countLines(job, state)
  const endedAt = state.endedAtMs === undefined ? {} : { [`${state.name}_at`]: seconds(state.endedAtMs) }
  const isFailed = state.name === 'failed'
  const errors = [{ code: 'invalid_json_line', message: job.problem ?? 'The file is not fit.', line: null, param: null }]
  return {
    id: job.id,
    object: 'batch',
    endpoint: '/v1/embeddings',
    errors: isFailed ? { object: 'list', data: errors } : null,
    input_file_id: job.inputFile,
    completion_window: '24h',
    status: job.plan.word ?? WORDS[state.name],
    output_file_id: state.isOver ? service.outputOf(job, 'results') : null,
    error_file_id: state.isOver ? service.outputOf(job, 'errors') : null,
    created_at: seconds(job.createdAtMs),
    expires_at: seconds(job.createdAtMs) + 86_400,
    ...endedAt,
    request_counts: { total: job.lines.length, completed: good, failed },
    metadata: job.metadata,
  }
}
