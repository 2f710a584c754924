import type { CallOptions } from './call-options.ts'
import type { EmbeddingInput, InputType } from './embedding-input.ts'

/** Plain JSON: another process, days later, collects what this one submitted. */
export interface BatchHandle {
  readonly provider: string
  readonly jobId: string
  readonly submittedAt: string
  readonly extra?: Readonly<Record<string, string>>
}
export type BatchState =
  | { readonly status: 'running'; readonly completed?: number; readonly total?: number }
  | { readonly status: 'done' } // completed, partially completed, expired or cancelled: results may exist in every case
  | { readonly status: 'failed'; readonly error: Error }
/** `id` is the hash of the input. */
export type BatchOutcome = { readonly id: string } & ({ readonly vector: Float32Array } | { readonly error: Error })

export interface EmbeddingBatch {
  readonly limits: {
    readonly maxRequests: number
    readonly maxBytes: number
    readonly minRequests: number
    readonly windowHours: number
  }
  /** Price of a token in a job, as a share of its price in a request: 0.5 = half. Absent = not known. */
  readonly priceFactor?: number
  /**
   * `marker` travels to the service (metadata, display name, client token) so that a lost submission can be found
   * again. `beforeJob` is awaited after every text is at the service and before the job is requested: a failure or
   * crash before it leaves no job.
   */
  submit(
    items: AsyncIterable<{ readonly id: string; readonly input: EmbeddingInput }>,
    options: CallOptions & {
      readonly inputType: InputType
      readonly marker: string
      readonly beforeJob?: (() => Promise<void>) | undefined
    },
  ): Promise<BatchHandle>
  /** Null when the service knows no job with this marker (after a bounded wait: its lists may lag). */
  find(marker: string, options?: CallOptions): Promise<BatchHandle | null>
  poll(handle: BatchHandle, options?: CallOptions): Promise<BatchState>
  results(handle: BatchHandle, options?: CallOptions): AsyncIterable<BatchOutcome>
  cancel(handle: BatchHandle, options?: CallOptions): Promise<void>
  /** Removes the job's files at the service; by marker also those of a submission that never became a job. */
  cleanUp(job: BatchHandle | { readonly marker: string }, options?: CallOptions): Promise<void>
}
