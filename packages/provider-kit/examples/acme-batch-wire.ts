import {
  type BatchForm,
  type BatchService,
  countLines,
  type EmbeddingWire,
  type JobState,
  readLines,
  type ServiceJob,
  type WireReply,
} from '@mnemark/testkit'
import { acmeWire } from './acme-wire.ts'

const PATH = /^\/jobs(?:\/(?<id>[^/]+)(?<part>\/results|\/stop)?)?$/
const WORDS: Readonly<Record<JobState['name'], string>> = {
  validating: 'waiting',
  running: 'working',
  cancelling: 'stopping',
  completed: 'done',
  failed: 'refused',
  expired: 'late',
  cancelled: 'stopped',
}

const says = (status: number, message: string): WireReply => ({ status, body: { message } })

function show(job: ServiceJob, service: BatchService): Readonly<Record<string, unknown>> {
  const state = service.stateOf(job)
  const { good, failed } = countLines(job, state)
  return {
    id: job.id,
    name: job.metadata['name'],
    made: job.createdAtMs,
    state: job.plan.word ?? WORDS[state.name],
    done: good + failed,
    total: job.lines.length,
    ...(state.name === 'failed' && { problem: job.problem ?? 'The lines are not fit.' }),
  }
}

/** The service's side of the jobs: reads them as strictly as single requests, and writes the lines of results. */
const jobs: BatchForm = {
  deletesJobs: true,
  hasErrorFile: false,
  handle(request, service, apiKey) {
    const { id, part } = PATH.exec(request.path)?.groups ?? {}
    if (!PATH.test(request.path)) return undefined
    if (request.headers['authorization'] !== `Bearer ${apiKey}`) return says(401, 'who are you?')
    const query = new URLSearchParams(request.query)
    if (id === undefined && request.method === 'POST') return create(request.text, query, service, apiKey)
    if (id === undefined) {
      const named = service.listed(service.jobs).filter(({ metadata }) => metadata['name'] === query.get('name'))
      return { status: 200, body: { jobs: named.map((job) => show(job, service)) } }
    }
    const job = service.job(id)
    if (job === undefined) return says(404, 'no such job')
    const results = service.file(service.outputOf(job, 'results') ?? '')
    if (request.method === 'DELETE') {
      service.deleteFile(results?.id ?? '')
      service.deleteJob(id)
      return { status: 200, body: {} }
    }
    if (part === '/stop')
      return service.stateOf(job).isOver ? says(409, 'it is over') : { status: 200, body: show(service.cancel(job), service) }
    if (part === '/results') return { status: 200, body: '', lines: results === undefined ? [] : service.contentOf(results) }
    return { status: 200, body: show(job, service) }
  },
  resultLine: ({ id }, [vector]) => ({ id, vector }),
  errorLine: ({ id }, failure) =>
    failure === 'late' ? { id } : { id, status: failure === 'refused' ? 400 : 500, message: 'no vector for this one' },
}

function create(text: string, query: URLSearchParams, service: BatchService, apiKey: string): WireReply {
  const [name, model] = [query.get('name'), query.get('model')]
  if (name === null || model === null) return says(400, 'not a job')
  const lines = readLines(text, 10_000, ({ id, text: words, type, ...others }) => {
    const body = { model, texts: [words], type }
    const request = { method: 'POST', path: '/embed', query: '', text: '', bytes: Buffer.alloc(0), body }
    const call = acmeWire.read({ ...request, headers: { authorization: `Bearer ${apiKey}` } }, apiKey)
    return typeof id !== 'string' || 'status' in call || Object.keys(others).length > 0 ? 'not a line' : { id, call }
  })
  const job = service.create({ inputFile: '', metadata: { name }, request: { model }, ...lines })
  return job === null ? says(429, 'too many jobs') : { status: 200, body: show(job, service) }
}

/** Its requests, and its jobs. */
export const acmeBatchWire: EmbeddingWire = { ...acmeWire, batch: jobs }
