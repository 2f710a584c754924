import type { BatchJob } from '@mistralai/mistralai/models/components/batchjob.js'
import type { CreateBatchJobRequest } from '@mistralai/mistralai/models/components/createbatchjobrequest.js'
import type { FileSchema } from '@mistralai/mistralai/models/components/fileschema.js'
import type { MistralClient } from './client.ts'

/** The SDK's functions for files and jobs, each loaded when it is first called. All throw what the SDK gives as an error. */
export interface MistralJobs {
  upload(file: File, signal: AbortSignal): Promise<string>
  files(query: { readonly search: string } & Page, signal: AbortSignal): Promise<readonly FileSchema[]>
  download(fileId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  deleteFile(fileId: string, signal: AbortSignal): Promise<void>
  create(job: CreateBatchJobRequest, signal: AbortSignal): Promise<BatchJob>
  get(jobId: string, signal: AbortSignal): Promise<BatchJob>
  /** Newest first. */
  list(page: Page, signal: AbortSignal): Promise<readonly BatchJob[]>
  cancel(jobId: string, signal: AbortSignal): Promise<void>
  deleteJob(jobId: string, signal: AbortSignal): Promise<void>
}

interface Page {
  /** From 0. */
  readonly page: number
  readonly pageSize: number
}

export function mistralJobs({ core, options }: MistralClient): MistralJobs {
  return {
    upload: async (file, signal) => {
      const { filesUpload } = await import('@mistralai/mistralai/funcs/filesUpload.js')
      // The SDK's own default shows the texts to the whole workspace.
      const request = { file, purpose: 'batch', visibility: 'user' } as const
      return valueOf(await filesUpload(core, request, options(signal))).id
    },
    files: async (query, signal) => {
      const { filesList } = await import('@mistralai/mistralai/funcs/filesList.js')
      return valueOf(await filesList(core, { ...query, purpose: 'batch' }, options(signal))).data
    },
    download: async (fileId, signal) => {
      const { filesDownload } = await import('@mistralai/mistralai/funcs/filesDownload.js')
      return valueOf(await filesDownload(core, { fileId }, options(signal)))
    },
    deleteFile: async (fileId, signal) => {
      const { filesDelete } = await import('@mistralai/mistralai/funcs/filesDelete.js')
      valueOf(await filesDelete(core, { fileId }, options(signal)))
    },
    create: async (job, signal) => {
      const { batchJobsCreate } = await import('@mistralai/mistralai/funcs/batchJobsCreate.js')
      return valueOf(await batchJobsCreate(core, job, options(signal)))
    },
    get: async (jobId, signal) => {
      const { batchJobsGet } = await import('@mistralai/mistralai/funcs/batchJobsGet.js')
      return valueOf(await batchJobsGet(core, { jobId }, options(signal)))
    },
    list: async (page, signal) => {
      const { batchJobsList } = await import('@mistralai/mistralai/funcs/batchJobsList.js')
      return valueOf(await batchJobsList(core, { ...page, orderBy: '-created' }, options(signal))).data ?? []
    },
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

type Result<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown }

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw result.error
  return result.value
}
