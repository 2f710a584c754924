/** Gemini's offline jobs, 2026-11: resumable uploads, `files`, and `batches` made by `:asyncBatchEmbedContent`. */
import { type BatchForm, readLines } from '../batch/batch-form.ts'
import type { ServiceJob } from '../batch/batch-job.ts'
import { countLines, type JobState } from '../batch/batch-job-state.ts'
import type { LineFailure } from '../batch/batch-results.ts'
import type { BatchService, ServiceFile } from '../batch/batch-service.ts'
import type { EmbeddingCall, WireReply, WireRequest } from '../wire/exchange.ts'
import { recordOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** The service's rules for one request of a file, and its errors about keys, models and mistakes. */
export interface GeminiBatchRules {
  read(request: Fields, model: string): EmbeddingCall | WireReply
  invalid(message: string): WireReply
  error(status: number, word: string, message: string): WireReply
  wrongKey(): WireReply
}

const MAX_REQUESTS = 1_000_000
const MAX_BYTES = 2 * 2 ** 30
const PAGE = 100
const UPLOAD = /^\/upload\/(?:v1|v1beta)\/files$/
const FILES = /^\/(?:v1|v1beta)\/files(?:\/(?<id>[^/:]+)(?<download>:download)?)?$/
const CREATE = /^\/(?:v1|v1beta)\/models\/(?<model>[^/:]+):asyncBatchEmbedContent$/
const BATCHES = /^\/(?:v1|v1beta)\/batches(?:\/(?<id>[^/:]+)(?<cancel>:cancel)?)?$/
const WORDS: Readonly<Record<JobState['name'], string>> = {
  validating: 'PENDING',
  running: 'RUNNING',
  cancelling: 'RUNNING',
  completed: 'SUCCEEDED',
  failed: 'FAILED',
  expired: 'EXPIRED',
  cancelled: 'CANCELLED',
}
const ERRORS: Readonly<Record<LineFailure, Fields>> = {
  refused: { code: 3, message: 'The request is refused.' },
  busy: { code: 13, message: 'Internal error.' },
  late: { code: 1, message: 'The batch ended before this request.' },
}

const time = (ms: number): string => new Date(ms).toISOString()

export function geminiBatch(rules: GeminiBatchRules): BatchForm {
  return {
    deletesJobs: true,
    hasErrorFile: false,
    handle(request, service, apiKey) {
      const { path } = request
      if (![UPLOAD, FILES, CREATE, BATCHES].some((pattern) => pattern.test(path))) return undefined
      if (request.headers['x-goog-api-key'] !== apiKey) return rules.wrongKey()
      if (UPLOAD.test(path)) return upload(request, service, rules)
      const model = CREATE.exec(path)?.groups?.['model']
      if (model !== undefined) return create(request, service, { ...rules, model })
      return FILES.test(path) ? fileReply(request, service, rules) : jobReply(request, service, rules)
    },
    resultLine: ({ id }, [values]) => ({ key: id, response: { embedding: { values } } }),
    errorLine: ({ id }, failure) => ({ key: id, error: ERRORS[failure] }),
  }
}

/** Google's resumable protocol: a start that names the file, then its bytes in pieces, each with its offset. */
function upload(request: WireRequest, service: BatchService, rules: GeminiBatchRules): WireReply {
  const command = request.headers['x-goog-upload-command'] ?? ''
  if (request.method !== 'POST') return rules.error(404, 'NOT_FOUND', 'Not found.')
  if (command === 'start') return begin(request, service, rules)
  const id = new URLSearchParams(request.query).get('upload_id') ?? ''
  const open = service.uploads.get(id)
  if (open === undefined) return rules.error(404, 'NOT_FOUND', 'No such upload.')
  if (Number(request.headers['x-goog-upload-offset']) !== open.bytes.length) return rules.invalid('Wrong offset.')
  open.bytes = Buffer.concat([open.bytes, request.bytes])
  if (!command.includes('finalize')) return { status: 200, body: {}, headers: { 'x-goog-upload-status': 'active' } }
  if (open.bytes.length !== open.length) return rules.invalid('The length is not the announced one.')
  service.uploads.delete(id)
  const file = service.upload(open.name, 'batch', open.bytes.toString())
  return { status: 200, body: { file: showFile(file) }, headers: { 'x-goog-upload-status': 'final' } }
}

function begin(request: WireRequest, service: BatchService, rules: GeminiBatchRules): WireReply {
  const file = recordOf(recordOf(request.body)?.['file']) ?? {}
  const length = Number(request.headers['x-goog-upload-header-content-length'])
  const unknown = unknownField(file, ['name', 'mimeType', 'displayName', 'sizeBytes'])
  if (unknown !== undefined) return rules.invalid(`Unknown name "${unknown}"`)
  if (file['mimeType'] !== request.headers['x-goog-upload-header-content-type']) return rules.invalid('Two types for one file.')
  if (!Number.isSafeInteger(length) || length > MAX_BYTES) return rules.invalid('The length cannot be.')
  const id = `upload-${service.uploads.size}-${service.log.length}`
  service.uploads.set(id, { name: String(file['displayName'] ?? ''), length, bytes: Buffer.alloc(0) })
  const url = `http://${request.headers['host']}${request.path}?upload_id=${id}`
  return { status: 200, body: '', headers: { 'x-goog-upload-url': url, 'x-goog-upload-status': 'active' } }
}

const showFile = ({ id, name, createdAtMs, text = '' }: ServiceFile): Fields => ({
  name: `files/${id}`,
  displayName: name,
  mimeType: 'application/jsonl',
  sizeBytes: String(Buffer.byteLength(text)),
  createTime: time(createdAtMs),
  expirationTime: time(createdAtMs + 48 * 3_600_000),
  state: 'ACTIVE',
})

function fileReply(request: WireRequest, service: BatchService, rules: GeminiBatchRules): WireReply {
  const { id, download } = FILES.exec(request.path)?.groups ?? {}
  if (id === undefined) return listed(service.listed(service.files).map(showFile), request, 'files')
  const file = service.file(id)
  if (file === undefined)
    return rules.error(403, 'PERMISSION_DENIED', `You do not have permission to access the File ${id} or it may not exist.`)
  if (download !== undefined) return { status: 200, body: '', lines: service.contentOf(file) }
  if (request.method === 'DELETE') service.deleteFile(id)
  return { status: 200, body: request.method === 'DELETE' ? {} : showFile(file) }
}

function listed(entries: readonly Fields[], request: WireRequest, name: string): WireReply {
  const query = new URLSearchParams(request.query)
  const start = Number(query.get('pageToken') ?? 0)
  const end = start + Math.min(PAGE, Number(query.get('pageSize') ?? PAGE))
  const next = end < entries.length ? { nextPageToken: String(end) } : {}
  return { status: 200, body: { [name]: entries.slice(start, end), ...next } }
}

function create(
  request: WireRequest,
  service: BatchService,
  { model, read, invalid, error }: GeminiBatchRules & { readonly model: string },
): WireReply {
  const batch = recordOf(recordOf(request.body)?.['batch']) ?? {}
  const unknown = unknownField(batch, ['inputConfig', 'displayName', 'priority'])
  if (unknown !== undefined) return invalid(`Unknown name "${unknown}"`)
  const config = recordOf(batch['inputConfig']) ?? {}
  const name = String(config['file_name'] ?? config['fileName'])
  const file = service.file(name.replace(/^files\//, ''))
  if (file?.text === undefined) return error(404, 'NOT_FOUND', `Requested entity was not found: ${name}`)
  const displayName = batch['displayName']
  if (typeof displayName !== 'string' || displayName === '') return invalid('displayName is missing')
  const found = readLines(file.text, MAX_REQUESTS, ({ key, request: line, ...rest }) => {
    if (typeof key !== 'string' || unknownField(rest, []) !== undefined) return 'a line is a key and a request'
    const call = read(recordOf(line) ?? {}, model)
    return 'status' in call ? 'the request is refused' : { id: key, call }
  })
  const job = service.create({ inputFile: file.id, metadata: { displayName }, request: { model }, ...found })
  return job === null
    ? error(429, 'RESOURCE_EXHAUSTED', 'Too many batches are enqueued.')
    : { status: 200, body: showJob(job, service) }
}

function jobReply(request: WireRequest, service: BatchService, { error }: GeminiBatchRules): WireReply {
  const { id, cancel } = BATCHES.exec(request.path)?.groups ?? {}
  if (id === undefined)
    return listed(
      service.listed(service.jobs).map((job) => showJob(job, service)),
      request,
      'operations',
    )
  const job = service.job(id)
  if (job === undefined) return error(404, 'NOT_FOUND', 'Requested entity was not found.')
  if (request.method === 'DELETE') service.deleteJob(id)
  if (request.method === 'DELETE') return { status: 200, body: {} }
  if (cancel === undefined) return { status: 200, body: showJob(job, service) }
  if (service.stateOf(job).isOver) return error(400, 'FAILED_PRECONDITION', 'The batch is over.')
  service.cancel(job)
  return { status: 200, body: {} }
}

function showJob(job: ServiceJob, service: BatchService): Fields {
  const state = service.stateOf(job)
  const { good, failed } = countLines(job, state)
  const file = state.isOver ? service.outputOf(job, 'results') : null
  const metadata = {
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.EmbedContentBatch',
    model: `models/${String(job.request['model'])}`,
    displayName: job.metadata['displayName'],
    state: job.plan.word ?? `BATCH_STATE_${WORDS[state.name]}`,
    createTime: time(job.createdAtMs),
    ...(state.endedAtMs === undefined ? {} : { endTime: time(state.endedAtMs) }),
    batchStats: {
      requestCount: String(job.lines.length),
      successfulRequestCount: String(good),
      failedRequestCount: String(failed),
      pendingRequestCount: String(job.lines.length - good - failed),
    },
    ...(file === null ? {} : { output: { responsesFile: `files/${file}` } }),
  }
  const isFailed = state.name === 'failed'
  return {
    name: `batches/${job.id}`,
    metadata,
    ...(state.isOver ? { done: true } : {}),
    ...(isFailed ? { error: { code: 3, message: job.problem ?? 'The file is not fit.' } } : {}),
  }
}
