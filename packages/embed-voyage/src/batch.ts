import type { InputType } from '@mnemark/spec'
import {
  type EmbeddingBatchDefinition,
  failureError,
  type Fields,
  fieldsOf,
  filledText,
  openAIStyleBatch,
  type OpenAIStyleJobs,
} from '@mnemark/provider-kit'
import { refineFailure } from './failure.ts'
import type { VoyageService } from './service.ts'

/**
 * 2026-11, https://docs.voyageai.com/docs/batch-inference: 100,000 inputs and 1 GB a job. The file is held in memory while it is sent,
 * so ours are smaller.
 */
const LIMITS = { maxRequests: 100_000, maxBytes: 64 * 2 ** 20, minRequests: 1, windowHours: 12 } as const
const PRICE_FACTOR = 0.67
const PAGE = 100
/** Entries of a list that are read, newest first; the service allows 100 open jobs. */
const MOST_PAGES = 40

/** `paramsOf` is what all texts of a job have in common: model, input type, dimensions. */
export function voyageBatch(service: VoyageService, paramsOf: (inputType: InputType) => Fields): EmbeddingBatchDefinition {
  const jobs = voyageJobs(service, paramsOf)
  return openAIStyleBatch({
    limits: LIMITS,
    priceFactor: PRICE_FACTOR,
    line: ({ id, text }) => ({ custom_id: id, body: { input: [text] } }),
    jobs: async () => jobs,
    states: {
      validating: 'running',
      in_progress: 'running',
      finalizing: 'running',
      cancelling: 'cancelling',
      canceling: 'cancelling',
      completed: 'done',
      cancelled: 'done',
      // The last three are in no list of states, but in older examples.
      canceled: 'done',
      expired: 'done',
      partially_completed: 'done',
      failed: 'failed',
    },
    // The service's message about a bad line may quote the line, so this one replaces it.
    jobFailure: () => ({
      code: 'invalid-input',
      summary: 'the job failed before it began',
      nextStep: "Check that the model is one that takes jobs, and the job's errors at Voyage.",
    }),
    // A line that failed has its reason in one of two places.
    lineFailure: (failure, { response: { message } }) => refineFailure({ ...failure, body: failure.body ?? { detail: message } }),
  })
}

const jobPath = (jobId: string): string => `/batches/${encodeURIComponent(jobId)}`

function voyageJobs(service: VoyageService, paramsOf: (inputType: InputType) => Fields): OpenAIStyleJobs {
  const { call } = service
  return {
    upload: (file, signal) => {
      const form = new FormData()
      form.append('purpose', 'batch')
      form.append('file', file)
      return call({ method: 'POST', path: '/files', body: form, signal })
    },
    files: (_name, signal) => listed(service, '/files', signal),
    download: (fileId, signal) => service.file(fileId, signal),
    deleteFile: (fileId, signal) => call({ method: 'DELETE', path: `/files/${encodeURIComponent(fileId)}`, signal }),
    create: ({ inputFile, inputType, metadata }, signal) => {
      const body = {
        endpoint: '/v1/embeddings',
        completion_window: '12h',
        input_file_id: inputFile,
        request_params: paramsOf(inputType),
        metadata,
      }
      return call({ method: 'POST', path: '/batches', body, signal })
    },
    retrieve: (jobId, signal) => call({ method: 'GET', path: jobPath(jobId), signal }),
    list: (signal) => listed(service, '/batches', signal),
    cancel: (jobId, signal) => call({ method: 'POST', path: `${jobPath(jobId)}/cancel`, signal }),
  }
}

/** Entries of a list, newest first. */
async function* listed({ call }: VoyageService, list: string, signal: AbortSignal): AsyncGenerator<Fields> {
  let after = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const { data, has_more: hasMore } = await call({ method: 'GET', path: `${list}?limit=${PAGE}${after}`, signal })
    if (!Array.isArray(data)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named data' })
    const entries = data.map((entry: unknown) => fieldsOf(entry))
    yield* entries
    const last = filledText(entries.at(-1)?.['id'])
    if (hasMore !== true || last === undefined) return
    after = `&after=${encodeURIComponent(last)}`
  }
}
