import {
  type EmbeddingBatchDefinition,
  type Fields,
  fieldsOf,
  openAIStyleBatch,
  type ServiceFailure,
} from '@mnemark/provider-kit'
import type { MistralClient } from './client.ts'
import { refineFailure } from './failure.ts'
import { mistralJobs } from './jobs.ts'

/**
 * 2026-11, https://docs.mistral.ai/capabilities/batch and its page on limits, the lower where they differ: 100,000 requests and 512 MB
 * a job. The SDK holds the file in memory twice while it is sent, so ours are smaller.
 */
const LIMITS = { maxRequests: 100_000, maxBytes: 32 * 2 ** 20, minRequests: 1, windowHours: 24 } as const
const PRICE_FACTOR = 0.5

export interface MistralBatchSettings {
  readonly client: () => Promise<MistralClient>
  readonly model: string
  readonly dimensions: number | undefined
}

export function mistralBatch({ client, model, dimensions }: MistralBatchSettings): EmbeddingBatchDefinition {
  const length = dimensions === undefined ? {} : { output_dimension: dimensions }
  return openAIStyleBatch({
    limits: LIMITS,
    priceFactor: PRICE_FACTOR,
    line: ({ id, text }) => ({ custom_id: id, body: { input: [text], ...length } }),
    jobs: async () => mistralJobs(await client(), { model, timeoutHours: LIMITS.windowHours }),
    states: {
      QUEUED: 'running',
      RUNNING: 'running',
      CANCELLATION_REQUESTED: 'cancelling',
      SUCCESS: 'done',
      TIMEOUT_EXCEEDED: 'done',
      CANCELLED: 'done',
      FAILED: 'failed',
    },
    jobFailure,
    lineFailure: (failure, { job }) => (failure.status === undefined ? withoutStatus(failure, job) : refineFailure(failure)),
  })
}

/** A message about one line may quote that line; a message about several is the service's own. */
function jobFailure({ errors }: Fields): ServiceFailure {
  const common = (Array.isArray(errors) ? errors : []).map(fieldsOf).find(({ count }) => Number(count) > 1)
  return {
    code: 'invalid-input',
    summary: 'the job failed before it began',
    body: { error: common?.['message'] },
    nextStep: "Check model and dimensions, and the job's errors at Mistral.",
  }
}

/** States of jobs that ended early: the missing texts may be sent again. */
const ENDED: readonly unknown[] = ['TIMEOUT_EXCEEDED', 'CANCELLED']

const withoutStatus = (failure: ServiceFailure, { status }: Fields): ServiceFailure =>
  ENDED.includes(status)
    ? failure
    : { ...failure, code: 'bad-response', summary: 'the service gives neither a vector nor a status' }
