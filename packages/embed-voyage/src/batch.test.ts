/** Behaviour of Voyage's jobs alone; the contract suite tests the rest. */
import { type ProtocolServer, SECRET, startProtocolServer, voyageWire } from '@mnemark/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { createVoyage } from './create.ts'

const DAY_MS = 86_400_000

afterEach(() => vi.unstubAllEnvs())

async function* items(...texts: readonly string[]) {
  for (const text of texts) yield { id: text.replaceAll(' ', '-'), input: { type: 'text', text } as const }
}

function batchOn(server: ProtocolServer, options: Readonly<Record<string, unknown>> = {}) {
  const { batch } = createVoyage({ apiKey: SECRET, baseUrl: server.baseUrl, ...options })
  if (batch === undefined) throw new Error('there is no batch')
  return batch
}

const options = { inputType: 'document', marker: 'mnemark-1' } as const

test('the parameters of a job are those of a request, and its lines hold nothing but a text', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  await batchOn(server, { dimensions: 256, model: 'voyage-4-lite' }).submit(items('a note'), { ...options, inputType: 'query' })
  const [file, job] = [server.batch.files[0], server.batch.jobs[0]]
  expect(file).toMatchObject({ name: 'mnemark-1.jsonl', text: '{"custom_id":"a-note","body":{"input":["a note"]}}\n' })
  const params = { model: 'voyage-4-lite', input_type: 'query', output_dimension: 256, truncation: false }
  expect(job).toMatchObject({ request: params, metadata: { mnemark: 'mnemark-1' } })
  expect(job?.request).toEqual(params)
})

test.each(['Asia/Tokyo', 'America/Los_Angeles'])('times without an offset are of UTC, also in %s', async (zone) => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  vi.stubEnv('TZ', zone)
  const { submittedAt } = await batchOn(server).submit(items('a note'), options)
  expect(submittedAt).toBe(new Date(server.batch.clock.nowMs).toISOString())
})

test('a job is found behind more than one page of newer ones', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const batch = batchOn(server)
  for (let job = 0; job < 102; job++) await batch.submit(items(`text ${job}`), { ...options, marker: `mnemark-${job}` })
  expect(await batch.find('mnemark-0')).toMatchObject({ provider: 'voyage', extra: { marker: 'mnemark-0' } })
  expect(server.requests.filter(({ method, path }) => method === 'GET' && path === '/v1/batches')).toHaveLength(2)
})

test('a list without an end is looked through for a bounded while', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const page = { object: 'list', data: [{ id: 'batch-1', metadata: {} }], has_more: true }
  server.batch.behave({ intercept: () => ({ status: 200, body: page }) })
  expect(await batchOn(server).find('mnemark-1')).toBeNull()
  expect(server.requests).toHaveLength(40)
})

test('a cancellation that comes too late, or twice, is no error; one that is refused is', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const batch = batchOn(server)
  const handle = await batch.submit(items('a note'), options)
  const refusal = { status: 400, body: { detail: 'Not now.' } }
  server.batch.behave({ intercept: ({ path }) => (path.endsWith('/cancel') ? refusal : undefined) })
  await expect(batch.cancel(handle)).rejects.toMatchObject({ code: 'invalid-input', status: 400 })
  server.batch.behave({})
  await batch.cancel(handle)
  server.batch.behave({ intercept: ({ path }) => (path.endsWith('/cancel') ? refusal : undefined) })
  await batch.cancel(handle)
  server.batch.clock.advance(DAY_MS)
  await batch.cancel(handle)
})

test('a line that failed says why in the place of its error, or of its answer', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const batch = batchOn(server)
  server.batch.behave({ plan: { end: 'expired', doneShare: 0.5, fate: () => 'busy' } })
  const handle = await batch.submit(items('done', 'late'), options)
  server.batch.clock.advance(DAY_MS)
  expect(await batch.poll(handle)).toEqual({ status: 'done' })
  const statuses = new Map<string, unknown>()
  for await (const outcome of batch.results(handle)) {
    expect(outcome).toMatchObject({ error: { code: 'unavailable' } })
    if ('error' in outcome) statuses.set(outcome.id, Reflect.get(outcome.error, 'status'))
  }
  expect([...statuses].toSorted()).toEqual([
    ['done', 500],
    ['late', undefined],
  ])
})

test('models that take no jobs have no batch; models that came later do', () => {
  expect('batch' in createVoyage({ apiKey: SECRET, model: 'voyage-law-2' })).toBe(false)
  expect(createVoyage({ apiKey: SECRET, model: 'voyage-9' }).batch?.limits).toMatchObject({
    maxRequests: 100_000,
    windowHours: 12,
  })
})

test('a line is told to be too long as a request is', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const batch = batchOn(server)
  const tooLong = { status_code: 400, message: 'The example at index 0 in your batch has too many tokens and does not fit.' }
  const bend = (lines: Iterable<string>) => [...lines].map((line) => JSON.stringify({ ...JSON.parse(line), response: tooLong }))
  server.batch.behave({ plan: { fate: () => 'refused', bend } })
  const handle = await batch.submit(items('a note'), options)
  server.batch.clock.advance(DAY_MS)
  for await (const outcome of batch.results(handle)) expect(outcome).toMatchObject({ error: { code: 'input-too-long' } })
})
