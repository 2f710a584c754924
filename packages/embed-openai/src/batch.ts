import type { InputType } from '@mnemark/spec'
import {
  type EmbeddingBatchDefinition,
  exceptStatus,
  type Fields,
  fieldsOf,
  openAIStyleBatch,
  type OpenAIStyleJobs,
  type ServiceFailure,
} from '@mnemark/provider-kit'
import type { OpenAI } from 'openai'

/**
 * 2026-11, https://platform.openai.com/docs/guides/batch: 50,000 requests and 200 MB a job. The file is held in memory while it is sent,
 * so ours are smaller.
 */
const LIMITS = { maxRequests: 50_000, maxBytes: 64 * 2 ** 20, minRequests: 1, windowHours: 24 } as const
const PRICE_FACTOR = 0.5
const PAGE = 100
const FILES_PAGE = 1_000

/** `bodyOf` is the request for one text. */
export function openAIBatch(
  client: () => Promise<OpenAI>,
  bodyOf: (text: string, inputType: InputType) => unknown,
): EmbeddingBatchDefinition {
  return openAIStyleBatch({
    limits: LIMITS,
    priceFactor: PRICE_FACTOR,
    line: ({ id, text, inputType }) => ({ custom_id: id, method: 'POST', url: '/v1/embeddings', body: bodyOf(text, inputType) }),
    jobs: async () => openAIJobs(await client()),
    states: {
      validating: 'running',
      in_progress: 'running',
      finalizing: 'running',
      cancelling: 'cancelling',
      completed: 'done',
      expired: 'done',
      cancelled: 'done',
      failed: 'failed',
    },
    jobFailure,
    unknownState: (job) =>
      'error' in job ? { code: 'not-found', summary: 'the service knows no such job', body: job } : undefined,
  })
}

const openAIJobs = ({ files, batches }: OpenAI): OpenAIStyleJobs => ({
  upload: (file, signal) => files.create({ file, purpose: 'batch' }, { signal }),
  files: (_name, signal) => files.list({ purpose: 'batch', limit: FILES_PAGE }, { signal }),
  download: async (fileId, signal) => (await files.content(fileId, { signal })).body,
  deleteFile: (fileId, signal) => files.delete(fileId, { signal }),
  create: ({ inputFile, metadata }, signal) =>
    batches.create(
      { input_file_id: inputFile, endpoint: '/v1/embeddings', completion_window: '24h', metadata: { ...metadata } },
      { signal },
    ),
  retrieve: (jobId, signal) => batches.retrieve(jobId, { signal }),
  list: (signal) => batches.list({ limit: PAGE }, { signal }),
  // 409: already over.
  cancel: (jobId, signal) => batches.cancel(jobId, { signal }).catch(exceptStatus(409)),
})

/** A job fails whole when its file is not taken. */
function jobFailure({ errors }: Fields): ServiceFailure {
  const entries = fieldsOf(errors)['data']
  const { code, message } = fieldsOf(Array.isArray(entries) ? entries[0] : undefined)
  const isLimit = code === 'token_limit_exceeded'
  return {
    code: isLimit ? 'rate-limit' : 'invalid-input',
    summary: 'the job failed before it began',
    body: { error: { code, message } },
    nextStep: isLimit ? 'Wait until other jobs have ended.' : 'Check model and dimensions.',
  }
}
