import { exceptStatus, failureError, fieldsOf, filledText, jsonLines } from '@mnemark/provider-kit'
import type { EmbeddingBatchDefinition, Fields, RawBatchHandle, RawBatchOutcome, RawBatchState } from '@mnemark/provider-kit'

/** A request to the service with its key; throws what the service refuses. */
export type Ask = (path: string, init: RequestInit & { readonly headers?: Record<string, string> }) => Promise<Response>

/** The service's own limits, with a date: 2026-11. */
const LIMITS = { maxRequests: 50_000, maxBytes: 64 * 2 ** 20, minRequests: 1, windowHours: 24 } as const
const JSON_TYPE = { 'content-type': 'application/json' }
const PAGE = 100

/** Offline jobs at half the price. Nothing here retries, waits or checks vectors: that is done around it. */
export function acmeJobs(ask: Ask, bodyOf: (text: string) => unknown): EmbeddingBatchDefinition {
  const read = async (path: string, signal: AbortSignal): Promise<Fields> => fieldsOf(await (await ask(path, { signal })).json())
  const gone = exceptStatus(404)
  const pathOf = (jobId: string): string => `/batches/${encodeURIComponent(jobId)}`

  return {
    limits: LIMITS,
    priceFactor: 0.5,
    line: ({ id, text }) => ({ custom_id: id, method: 'POST', url: '/v1/embeddings', body: bodyOf(text) }),

    async submit({ file, marker, beforeJob, signal }) {
      const form = new FormData()
      form.set('purpose', 'batch')
      form.set('file', file, nameOf(marker))
      const uploaded = fieldsOf(await (await ask('/files', { method: 'POST', body: form, signal })).json())
      const inputFile = filledText(uploaded['id'])
      if (inputFile === undefined) throw failureError({ code: 'bad-response', summary: 'the service names no file it took' })
      // From here on a job may exist that nobody heard of: its marker is how it is found.
      await beforeJob()
      const job = { input_file_id: inputFile, endpoint: '/v1/embeddings', completion_window: '24h', metadata: { marker } }
      const made = await ask('/batches', { method: 'POST', body: JSON.stringify(job), headers: JSON_TYPE, signal })
      return handleOf(fieldsOf(await made.json()), marker)
    },

    async find(marker, signal) {
      for await (const job of listed(`/batches?limit=${PAGE}`, read, signal))
        if (fieldsOf(job['metadata'])['marker'] === marker) return handleOf(job, marker)
      return null
    },

    poll: async ({ jobId }, signal) => stateOf(await read(pathOf(jobId), signal)),

    async *results({ jobId }, signal) {
      const job = await read(pathOf(jobId), signal)
      for (const id of [job['output_file_id'], job['error_file_id']].map(filledText)) {
        const body = id === undefined ? null : (await ask(`/files/${encodeURIComponent(id)}/content`, { signal })).body
        if (body !== null) for await (const line of jsonLines(body)) yield outcomeOf(fieldsOf(line))
      }
    },

    async cancel({ jobId }, signal) {
      // Over already, or gone.
      await ask(`${pathOf(jobId)}/cancel`, { method: 'POST', signal }).catch(exceptStatus(404, 409))
    },

    async cleanUp(job, signal) {
      const ids: (string | undefined)[] = []
      if ('jobId' in job) {
        const known = await read(pathOf(job.jobId), signal).catch(gone)
        ids.push(job.extra?.['inputFile'], filledText(known?.['output_file_id']), filledText(known?.['error_file_id']))
      } else
        for await (const file of listed(`/files?purpose=batch&limit=${PAGE}`, read, signal))
          if (file['filename'] === nameOf(job.marker)) ids.push(filledText(file['id']))
      for (const id of ids)
        if (id !== undefined && id !== '') await ask(`/files/${encodeURIComponent(id)}`, { method: 'DELETE', signal }).catch(gone)
    },
  }
}

const nameOf = (marker: string): string => `${marker}.jsonl`

/** Newest first, page by page. */
async function* listed(
  path: string,
  read: (path: string, signal: AbortSignal) => Promise<Fields>,
  signal: AbortSignal,
): AsyncGenerator<Fields> {
  for (let after = ''; ; ) {
    const { data, has_more: hasMore } = await read(`${path}${after}`, signal)
    const entries = (Array.isArray(data) ? data : []).map(fieldsOf)
    yield* entries
    const last = filledText(entries.at(-1)?.['id'])
    if (hasMore !== true || last === undefined) return
    after = `&after=${encodeURIComponent(last)}`
  }
}

const handleOf = ({ id, created_at: seconds, input_file_id: inputFile }: Fields, marker: string): RawBatchHandle => ({
  jobId: filledText(id) ?? '',
  submittedAtMs: typeof seconds === 'number' ? seconds * 1000 : undefined,
  extra: { marker, inputFile: filledText(inputFile) ?? '' },
})

const RUNNING = ['validating', 'in_progress', 'finalizing', 'cancelling']
/** A job that ended early counts as done: core sends the missing texts again. */
const DONE = ['completed', 'expired', 'cancelled']

function stateOf(job: Fields): RawBatchState {
  const status = filledText(job['status']) ?? ''
  const { total, completed, failed } = fieldsOf(job['request_counts'])
  if (RUNNING.includes(status)) return { status: 'running', completed: Number(completed) + Number(failed), total: Number(total) }
  if (DONE.includes(status)) return { status: 'done' }
  if (status === 'failed')
    return {
      status: 'failed',
      failure: { code: 'invalid-input', summary: 'the job failed before it began', body: job['errors'] },
    }
  throw failureError({ code: 'bad-response', summary: 'the job is in a state that is not known' })
}

function outcomeOf({ custom_id: id, response, error }: Fields): RawBatchOutcome {
  const { status_code: status, body } = fieldsOf(response)
  const data = fieldsOf(body)['data']
  if (status === 200) return { id, embedding: { values: fieldsOf(Array.isArray(data) ? data[0] : undefined)['embedding'] } }
  if (typeof status === 'number') return { id, failure: { status, body } }
  return { id, failure: { code: 'unavailable', summary: 'the job ended before this text was embedded', body: { error } } }
}
