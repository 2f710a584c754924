/** Behaviour of Mistral's jobs alone; the contract suite tests the rest. */
import { mistralWire, type ProtocolServer, SECRET, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { createMistral } from './create.ts'

const DAY_MS = 86_400_000

async function* items(...texts: readonly string[]) {
  for (const text of texts) yield { id: text.replaceAll(' ', '-'), input: { type: 'text', text } as const }
}

function batchOn(server: ProtocolServer, options: Readonly<Record<string, unknown>> = {}) {
  const { batch } = createMistral({ apiKey: SECRET, baseUrl: server.baseUrl, ...options })
  if (batch === undefined) throw new Error('there is no batch')
  return batch
}

const options = { inputType: 'document', marker: 'mnemark-1' } as const

test('the texts of a job are for the user alone, and model and dimensions are asked for', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  await batchOn(server, { dimensions: 256, model: 'codestral-embed' }).submit(items('a note'), options)
  const [upload, create] = server.requests
  expect(upload?.text).toMatch(/name="visibility"\s+user\s/)
  expect(create?.body).toEqual({
    input_files: [server.batch.files[0]?.id],
    endpoint: '/v1/embeddings',
    model: 'codestral-embed',
    metadata: { mnemark: 'mnemark-1' },
    timeout_hours: 24,
  })
  const text = '{"custom_id":"a-note","body":{"input":["a note"],"output_dimension":256}}\n'
  expect(server.batch.files[0]).toMatchObject({ name: 'mnemark-1.jsonl', text })
})

test('a job is found behind more than one page of newer ones', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const batch = batchOn(server)
  for (let job = 0; job < 102; job++) await batch.submit(items(`text ${job}`), { ...options, marker: `mnemark-${job}` })
  expect(await batch.find('mnemark-0')).toMatchObject({ provider: 'mistral', extra: { marker: 'mnemark-0' } })
  expect(server.requests.filter(({ method, path }) => method === 'GET' && path === '/v1/batch/jobs')).toHaveLength(2)
})

test('a list without an end is looked through for a bounded while', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const batch = batchOn(server)
  await batch.submit(items('a note'), options)
  const job = await fetch(`${server.baseUrl}/v1/batch/jobs`, { headers: { authorization: `Bearer ${SECRET}` } })
  const { data } = (await job.json()) as { readonly data: readonly unknown[] }
  const body = { object: 'list', data: Array<unknown>(100).fill(data[0]), total: 1_000_000 }
  server.batch.behave({ intercept: () => ({ status: 200, body }) })
  const before = server.requests.length
  expect(await batch.find('mnemark-2')).toBeNull()
  expect(server.requests.length - before).toBe(40)
})

test('a cancellation that comes too late, or twice, is no error; one that is refused is', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
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

test('the job is deleted after its files, so that a clean-up that is interrupted can go on', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const batch = batchOn(server)
  server.batch.behave({ plan: { fate: (_, index) => (index === 0 ? 'refused' : 'good') } })
  const handle = await batch.submit(items('one', 'two'), options)
  server.batch.clock.advance(DAY_MS)
  let deletions = 0
  const failing = { status: 503, body: '' }
  server.batch.behave({ intercept: ({ method }) => (method === 'DELETE' && ++deletions > 2 ? failing : undefined) })
  await expect(batch.cleanUp(handle)).rejects.toMatchObject({ code: 'unavailable' })
  server.batch.behave({})
  await batch.cleanUp(handle)
  expect(server.batch.log.map(({ what }) => what).slice(-4)).toEqual(['delete-file', 'delete-file', 'delete-file', 'delete-job'])
  expect(server.batch.leftovers).toEqual([])
})

test('of a job that failed whole, only what was said of several lines is shown', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const batch = batchOn(server)
  server.batch.behave({ plan: { end: 'failed' } })
  const handle = await batch.submit(items('a note'), options)
  server.batch.clock.advance(DAY_MS)
  const saying = (...errors: readonly { readonly message: string; readonly count: number }[]) => {
    server.behave({ bend: (reply) => ({ ...reply, body: { ...(reply.body as object), errors } }) })
    return batch.poll(handle)
  }
  const [common, single] = [
    { message: 'Every model is asleep.', count: 9 },
    { message: 'Cannot read "a private note".', count: 1 },
  ]
  expect(await saying(single, common)).toMatchObject({ error: { message: expect.stringContaining('Every model is asleep.') } })
  expect(await saying(single)).toMatchObject({ error: { message: expect.not.stringContaining('private') } })
})

test('a line without a status may be sent again where the job ended before its time, and not otherwise', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const batch = batchOn(server)
  const codesOf = async (end: 'expired' | 'completed'): Promise<readonly unknown[]> => {
    const bare = (lines: Iterable<string>) => [...lines].map((line) => JSON.stringify({ ...JSON.parse(line), response: null }))
    server.batch.behave({ plan: { end, doneShare: 0, bend: bare } })
    const handle = await batch.submit(items('a note'), { ...options, marker: end })
    server.batch.clock.advance(DAY_MS)
    const codes: unknown[] = []
    for await (const outcome of batch.results(handle)) codes.push('error' in outcome && Reflect.get(outcome.error, 'code'))
    return codes
  }
  expect(await codesOf('expired')).toEqual(['unavailable'])
  expect(await codesOf('completed')).toEqual(['bad-response'])
})

test('a line is told to be too long as a request is', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const batch = batchOn(server)
  const tooLong = { status_code: 400, body: { message: 'Input id 0 has 9000 tokens, exceeding max 8192 tokens.' } }
  const bend = (lines: Iterable<string>) => [...lines].map((line) => JSON.stringify({ ...JSON.parse(line), response: tooLong }))
  server.batch.behave({ plan: { fate: () => 'refused', bend } })
  const handle = await batch.submit(items('a note'), options)
  server.batch.clock.advance(DAY_MS)
  for await (const outcome of batch.results(handle)) expect(outcome).toMatchObject({ error: { code: 'input-too-long' } })
})
