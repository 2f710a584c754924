import {
  type EmbeddingProviderDefinition,
  exceptStatus,
  failingFetch,
  failureError,
  fieldsOf,
  jsonLines,
  type RawBatchHandle,
  type RawBatchState,
} from '@mnemark/provider-kit'
import type { AcmeSettings } from './acme.ts'

type Batch = NonNullable<EmbeddingProviderDefinition['batch']>

const RUNNING = ['waiting', 'working', 'stopping']
/** States of jobs that ended early: the missing texts may be sent again. */
const ENDED = ['late', 'stopped']

/**
 * The service's offline jobs: one request of JSON lines creates a job, results come as lines, and deleting a job deletes its
 * files.
 */
export function acmeBatch(endpoint: string, settings: AcmeSettings): Batch {
  const { headers, model } = settings
  // Throws for a refusal, with all that the service said.
  const fetch = failingFetch(settings.fetch)
  const send = (method: string, path: string, signal: AbortSignal, body?: Blob): Promise<Response> =>
    fetch(`${endpoint}/jobs${path}`, { method, headers, signal, ...(body && { body }) })
  const job = async (id: string, signal: AbortSignal) => fieldsOf(await (await send('GET', `/${id}`, signal)).json())
  const remove = (id: string, signal: AbortSignal) => send('DELETE', `/${id}`, signal).catch(exceptStatus(404))
  const find = async (marker: string, signal: AbortSignal): Promise<RawBatchHandle | null> => {
    const { jobs } = fieldsOf(await (await send('GET', `?name=${encodeURIComponent(marker)}`, signal)).json())
    const [newest] = Array.isArray(jobs) ? jobs.map(fieldsOf) : []
    return newest === undefined ? null : handleOf(newest)
  }
  return {
    limits: { maxRequests: 10_000, maxBytes: 8 * 2 ** 20, minRequests: 1, windowHours: 24 },
    priceFactor: 0.5,
    line: ({ id, text, inputType }) => ({ id, text, type: inputType }),
    async submit({ file, marker, beforeJob, signal }) {
      // Core records the job before it can exist; where a service needs an upload, the upload comes before this call.
      await beforeJob()
      const made = await send('POST', `?name=${encodeURIComponent(marker)}&model=${encodeURIComponent(model)}`, signal, file)
      return handleOf(fieldsOf(await made.json()))
    },
    find,
    poll: async ({ jobId }, signal) => stateOf(await job(jobId, signal)),
    async *results({ jobId }, signal) {
      const { state } = await job(jobId, signal)
      const { body } = await send('GET', `/${jobId}/results`, signal)
      for await (const line of jsonLines(body ?? new ReadableStream())) {
        const { id, vector, status, message } = fieldsOf(line)
        const late = ENDED.includes(String(state)) && status === undefined
        if (vector !== undefined) yield { id, embedding: { values: vector } }
        else if (late) yield { id, failure: { code: 'unavailable', summary: 'the job ended before this text was embedded' } }
        else yield { id, failure: { ...(typeof status === 'number' && { status }), body: { message } } }
      }
    },
    cancel: async ({ jobId }, signal) => void (await send('POST', `/${jobId}/stop`, signal).catch(exceptStatus(404, 409))),
    async cleanUp(made, signal) {
      const id = 'jobId' in made ? made.jobId : (await find(made.marker, signal))?.jobId
      if (id !== undefined) await remove(id, signal)
    },
  }
}

const handleOf = ({ id, made }: Readonly<Record<string, unknown>>): RawBatchHandle => ({
  jobId: typeof id === 'string' ? id : '',
  submittedAtMs: Number(made),
})

function stateOf({ state, done, total, problem }: Readonly<Record<string, unknown>>): RawBatchState {
  const word = String(state)
  if (RUNNING.includes(word)) return { status: 'running', completed: Number(done), total: Number(total) }
  if (word === 'done' || ENDED.includes(word)) return { status: 'done' }
  if (word === 'refused') return { status: 'failed', failure: { code: 'invalid-input', body: { message: problem } } }
  throw failureError({ code: 'bad-response', summary: 'the job is in a state that is not known' })
}
