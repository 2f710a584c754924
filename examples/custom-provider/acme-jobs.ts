import { fieldsOf, filledText, openAIStyleBatch } from '@mnemark/provider-kit'
import type { EmbeddingBatchDefinition, Fields, OpenAIStyleJobs } from '@mnemark/provider-kit'

/** A request to the service with its key; throws what the service refuses. */
export type Ask = (path: string, init: RequestInit & { readonly headers?: Record<string, string> }) => Promise<Response>

/** The service's own limits, with a date: 2026-11. */
const LIMITS = { maxRequests: 50_000, maxBytes: 64 * 2 ** 20, minRequests: 1, windowHours: 24 } as const
const PAGE = 100

/** Offline jobs at half the price. Nothing here retries, waits or checks vectors: that is done around it. */
export function acmeJobs(ask: Ask, bodyOf: (text: string) => unknown): EmbeddingBatchDefinition {
  const jobs = requests(ask)
  return openAIStyleBatch({
    limits: LIMITS,
    priceFactor: 0.5,
    line: ({ id, text }) => ({ custom_id: id, method: 'POST', url: '/v1/embeddings', body: bodyOf(text) }),
    jobs: async () => jobs,
    states: {
      validating: 'running',
      in_progress: 'running',
      finalizing: 'running',
      cancelling: 'cancelling',
      completed: 'done',
      // A job that ended early counts as done: core sends the missing texts again.
      expired: 'done',
      cancelled: 'done',
      failed: 'failed',
    },
    jobFailure: ({ errors }) => ({ code: 'invalid-input', summary: 'the job failed before it began', body: errors }),
  })
}

/** One request each, where a vendor's SDK would make them. */
function requests(ask: Ask): OpenAIStyleJobs {
  const read = async (path: string, init: Parameters<Ask>[1]): Promise<Fields> => fieldsOf(await (await ask(path, init)).json())
  const job = (jobId: string): string => `/batches/${encodeURIComponent(jobId)}`
  const file = (fileId: string): string => `/files/${encodeURIComponent(fileId)}`

  /** Newest first, page by page. */
  async function* listed(path: string, signal: AbortSignal): AsyncGenerator<Fields> {
    for (let after = ''; ; ) {
      const { data, has_more: hasMore } = await read(`${path}${after}`, { signal })
      const entries = (Array.isArray(data) ? data : []).map(fieldsOf)
      yield* entries
      const last = filledText(entries.at(-1)?.['id'])
      if (hasMore !== true || last === undefined) return
      after = `&after=${encodeURIComponent(last)}`
    }
  }

  return {
    upload: (lines, signal) => {
      const form = new FormData()
      form.set('purpose', 'batch')
      form.set('file', lines)
      return read('/files', { method: 'POST', body: form, signal })
    },
    files: (_name, signal) => listed(`/files?purpose=batch&limit=${PAGE}`, signal),
    download: async (fileId, signal) => (await ask(`${file(fileId)}/content`, { signal })).body,
    deleteFile: (fileId, signal) => ask(file(fileId), { method: 'DELETE', signal }),
    create: ({ inputFile, metadata }, signal) => {
      const order = { input_file_id: inputFile, endpoint: '/v1/embeddings', completion_window: '24h', metadata }
      const headers = { 'content-type': 'application/json' }
      return read('/batches', { method: 'POST', body: JSON.stringify(order), headers, signal })
    },
    retrieve: (jobId, signal) => read(job(jobId), { signal }),
    list: (signal) => listed(`/batches?limit=${PAGE}`, signal),
    cancel: (jobId, signal) => ask(`${job(jobId)}/cancel`, { method: 'POST', signal }),
  }
}
