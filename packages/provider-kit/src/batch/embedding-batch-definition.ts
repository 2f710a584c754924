import type { BatchHandle, EmbeddingBatch, InputType } from '@mnemark/spec'
import type { ServiceFailure } from '../failure/service-failure.ts'
import type { RawEmbedding } from '../reply/raw-embedding.ts'

export interface RawBatchHandle {
  readonly jobId: string
  /** As the service reports it; the current time where it does not. */
  readonly submittedAtMs?: number | undefined
  /** Data for cleaning up that the service may forget, such as the id of the input file. Never a secret. */
  readonly extra?: Readonly<Record<string, string>>
}
export type RawBatchState =
  | { readonly status: 'running'; readonly completed?: number; readonly total?: number }
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly failure: ServiceFailure }

/** A line of a result or error file; untrusted. */
export interface RawBatchOutcome {
  readonly id: unknown
  /** Absent in a failure. */
  readonly embedding?: RawEmbedding
  readonly failure?: ServiceFailure
}

export interface RawBatchSubmission {
  /** The input file, as JSON lines. */
  readonly file: Blob
  readonly marker: string
  readonly inputType: InputType
  /** Await it after the upload and right before the request that creates the job. */
  readonly beforeJob: () => Promise<void>
  readonly signal: AbortSignal
}

/** An adapter's part of offline jobs. Throws whatever its SDK throws, retries nothing, trusts nothing. */
export interface EmbeddingBatchDefinition {
  /** `maxBytes` are held in memory while the file is sent. */
  readonly limits: EmbeddingBatch['limits']
  readonly priceFactor?: number | undefined
  /** Returns the content of the line for one text; it is written as JSON. */
  line(item: { readonly id: string; readonly text: string; readonly inputType: InputType }): unknown
  submit(submission: RawBatchSubmission): Promise<RawBatchHandle>
  /** Reads the service's list of jobs once, newest first. */
  find(marker: string, signal: AbortSignal): Promise<RawBatchHandle | null>
  /** Throws `bad-response` for an unknown state, `not-found` for a job that no longer exists. */
  poll(handle: BatchHandle, signal: AbortSignal): Promise<RawBatchState>
  /** Reads the lines of all files of the job as they arrive. */
  results(handle: BatchHandle, signal: AbortSignal): AsyncIterable<RawBatchOutcome>
  /** Cancelling a job that has ended or is gone is no error. */
  cancel(handle: BatchHandle, signal: AbortSignal): Promise<void>
  /** Deleting what is already gone is no error. */
  cleanUp(job: BatchHandle | { readonly marker: string }, signal: AbortSignal): Promise<void>
}
