import type { Fields, OpenAIStyleJobs } from '@mnemark/provider-kit'
import type { BatchJob } from '@mistralai/mistralai/models/components/batchjob.js'
import type { CreateBatchJobRequest } from '@mistralai/mistralai/models/components/createbatchjobrequest.js'
import type { MistralClient } from './client.ts'

const PAGE = 100
/** Entries of a list that are read, newest first. */
const MOST_PAGES = 40

export interface MistralJobSettings {
  readonly model: string
  readonly timeoutHours: number
}

/** The SDK's functions for files and jobs, each loaded when it is first called. All throw what the SDK gives as an error. */
export function mistralJobs({ core, options }: MistralClient, { model, timeoutHours }: MistralJobSettings): OpenAIStyleJobs {
  return {
    upload: async (file, signal) => {
      const { filesUpload } = await import('@mistralai/mistralai/funcs/filesUpload.js')
      // The SDK's default shows the texts to the whole workspace.
      const request = { file, purpose: 'batch', visibility: 'user' } as const
      return valueOf(await filesUpload(core, request, options(signal)))
    },
    files: (name, signal) =>
      listed(async (page) => {
        const { filesList } = await import('@mistralai/mistralai/funcs/filesList.js')
        return valueOf(await filesList(core, { search: name, ...page, purpose: 'batch' }, options(signal))).data
      }),
    download: async (fileId, signal) => {
      const { filesDownload } = await import('@mistralai/mistralai/funcs/filesDownload.js')
      return valueOf(await filesDownload(core, { fileId }, options(signal)))
    },
    deleteFile: async (fileId, signal) => {
      const { filesDelete } = await import('@mistralai/mistralai/funcs/filesDelete.js')
      valueOf(await filesDelete(core, { fileId }, options(signal)))
    },
    create: async ({ inputFile, metadata }, signal) => {
      const { batchJobsCreate } = await import('@mistralai/mistralai/funcs/batchJobsCreate.js')
      const job: CreateBatchJobRequest = {
        inputFiles: [inputFile],
        endpoint: '/v1/embeddings',
        model,
        metadata: { ...metadata },
        timeoutHours,
      }
      return jobOf(valueOf(await batchJobsCreate(core, job, options(signal))))
    },
    retrieve: async (jobId, signal) => {
      const { batchJobsGet } = await import('@mistralai/mistralai/funcs/batchJobsGet.js')
      return jobOf(valueOf(await batchJobsGet(core, { jobId }, options(signal))))
    },
    // The list's own filter for metadata goes out wrongly: the SDK writes each pair as a parameter of its own.
    list: (signal) =>
      listed(async (page) => {
        const { batchJobsList } = await import('@mistralai/mistralai/funcs/batchJobsList.js')
        const { data } = valueOf(await batchJobsList(core, { ...page, orderBy: '-created' }, options(signal)))
        return (data ?? []).map(jobOf)
      }),
    cancel: async (jobId, signal) => {
      const { batchJobsCancel } = await import('@mistralai/mistralai/funcs/batchJobsCancel.js')
      valueOf(await batchJobsCancel(core, { jobId }, options(signal)))
    },
    deleteJob: async (jobId, signal) => {
      const { batchJobsDelete } = await import('@mistralai/mistralai/funcs/batchJobsDelete.js')
      valueOf(await batchJobsDelete(core, { jobId }, options(signal)))
    },
  }
}

/** The SDK's names for what OpenAI's form has. */
const jobOf = (job: BatchJob): Fields => ({
  id: job.id,
  status: job.status,
  created_at: job.createdAt,
  metadata: job.metadata,
  input_file_id: job.inputFiles[0],
  output_file_id: job.outputFile,
  error_file_id: job.errorFile,
  // Lines that failed are among those completed.
  request_counts: { total: job.totalRequests, completed: job.completedRequests, failed: 0 },
  errors: job.errors,
})

/** Entries of a list whose pages have numbers from 0; a page that is not full is the last. */
async function* listed<Entry>(
  read: (page: { readonly page: number; readonly pageSize: number }) => Promise<readonly Entry[]>,
): AsyncGenerator<Entry> {
  for (let page = 0; page < MOST_PAGES; page++) {
    const entries = await read({ page, pageSize: PAGE })
    yield* entries
    if (entries.length < PAGE) return
  }
}

type Result<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown }

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw result.error
  return result.value
}
