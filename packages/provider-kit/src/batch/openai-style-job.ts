import { failureError, type ServiceFailure } from '../failure/service-failure.ts'
import { type Fields, fieldsOf, filledText } from '../json/fields.ts'
import type { RawBatchHandle, RawBatchOutcome, RawBatchState } from './embedding-batch-definition.ts'

/** The meaning of a service's word for the state of a job. `done`: nothing more will come, even if the job ended early. */
export type OpenAIStyleState = 'running' | 'cancelling' | 'done' | 'failed'

/** The words of one service. */
export interface OpenAIStyleWords {
  readonly states: Readonly<Record<string, OpenAIStyleState>>
  /** Says why a job failed as a whole. */
  jobFailure(job: Fields): ServiceFailure
  /** Reads an answer whose state is not in the table. Default, or undefined: a `bad-response`. */
  unknownState?(job: Fields): ServiceFailure | undefined
}

export function meaningOf(job: Fields, { states }: OpenAIStyleWords): OpenAIStyleState | undefined {
  const status = filledText(job['status'])
  return status !== undefined && Object.hasOwn(states, status) ? states[status] : undefined
}

export function stateOf(job: Fields, words: OpenAIStyleWords): RawBatchState {
  const meaning = meaningOf(job, words)
  if (meaning === undefined) throw failureError(words.unknownState?.(job) ?? unknownState(job))
  if (meaning === 'done') return { status: 'done' }
  // A job that failed late has done some of its lines.
  if (meaning === 'failed')
    return filledText(job['output_file_id']) === undefined
      ? { status: 'failed', failure: words.jobFailure(job) }
      : { status: 'done' }
  const { total, completed, failed } = fieldsOf(job['request_counts'])
  return { status: 'running', completed: Number(completed) + Number(failed), total: Number(total) }
}

const unknownState = ({ status }: Fields): ServiceFailure => ({
  code: 'bad-response',
  summary: filledText(status) === undefined ? 'the answer about a job has no status' : 'the job is in a state that is not known',
})

export const jobHandle = (job: Fields, marker: string): RawBatchHandle => ({
  jobId: filledText(job['id']) ?? '',
  submittedAtMs: timeMs(job['created_at']),
  extra: { marker, inputFile: filledText(job['input_file_id']) ?? '' },
})

/** Seconds, or a text; a text without an offset is of UTC, where JavaScript would take it for local. */
function timeMs(value: unknown): number | undefined {
  if (typeof value === 'number') return value * 1000
  const time = filledText(value)
  if (time === undefined) return undefined
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** The files that a job made. */
export const filesMade = (job: Fields): readonly string[] =>
  [job['output_file_id'], job['error_file_id']].flatMap((id) => filledText(id) ?? [])

/** `refine` reads the service's own words out of a failure. */
export function lineOutcome(line: Fields, refine: (failure: ServiceFailure) => ServiceFailure): RawBatchOutcome {
  const { custom_id: id, response, error } = line
  const { status_code: status, body } = fieldsOf(response)
  if (status === 200) {
    const entries = fieldsOf(body)['data']
    return { id, embedding: { values: fieldsOf(Array.isArray(entries) ? entries[0] : undefined)['embedding'] } }
  }
  if (typeof status === 'number') return { id, failure: refine({ status, body }) }
  // Not reached before the window ended, or the job was cancelled: it may be sent again.
  const summary = 'the job ended before this text was embedded'
  return { id, failure: refine({ code: 'unavailable', summary, body: { error } }) }
}
