import { expect, test } from 'vitest'
import { jobHandle, type OpenAIStyleWords, lineOutcome, stateOf } from './openai-style-job.ts'

const words: OpenAIStyleWords = {
  states: { working: 'running', stopping: 'cancelling', over: 'done', refused: 'failed' },
  jobFailure: ({ why }) => ({ code: 'invalid-input', summary: String(why) }),
}

test('a state is what its word means; a job that failed with results has them read', () => {
  const counts = { completed: 2, failed: 1, total: 5 }
  expect(stateOf({ status: 'working', request_counts: counts }, words)).toEqual({ status: 'running', completed: 3, total: 5 })
  expect(stateOf({ status: 'stopping' }, words)).toMatchObject({ status: 'running' })
  expect(stateOf({ status: 'over' }, words)).toEqual({ status: 'done' })
  expect(stateOf({ status: 'refused', output_file_id: 'file-1' }, words)).toEqual({ status: 'done' })
  expect(stateOf({ status: 'refused', why: 'no such model' }, words)).toEqual({
    status: 'failed',
    failure: { code: 'invalid-input', summary: 'no such model' },
  })
})

test.for([{}, { status: null }, { status: '' }, { status: 'lost' }, { status: 'constructor' }])('%j is no known state', (job) => {
  expect(() => stateOf(job, words)).toThrow(/no status|not known/)
})

test.for([
  [1_700_000_000, 1_700_000_000_000],
  ['2026-11-01T12:00:00.000000', Date.UTC(2026, 10, 1, 12)],
  ['2026-11-01T12:00:00+02:00', Date.UTC(2026, 10, 1, 10)],
  ['soon', undefined],
  [null, undefined],
])('a job made at %s is of %s', ([time, ms]) => {
  expect(jobHandle({ id: 'job-1', created_at: time }, 'marker-1')).toEqual({
    jobId: 'job-1',
    submittedAtMs: ms,
    extra: { marker: 'marker-1', inputFile: '' },
  })
})

test('a line is a vector, a refusal, or a text that was not reached', () => {
  const read = (line: object) => lineOutcome({ custom_id: 'a', ...line }, (failure) => failure)
  const body = { data: [{ embedding: [1, 0] }] }
  expect(read({ response: { status_code: 200, body } })).toEqual({ id: 'a', embedding: { values: [1, 0] } })
  expect(read({ response: { status_code: 400, body: 'no' } })).toEqual({ id: 'a', failure: { status: 400, body: 'no' } })
  expect(read({ response: null, error: { code: 'batch_expired' } })).toMatchObject({ id: 'a', failure: { code: 'unavailable' } })
})
