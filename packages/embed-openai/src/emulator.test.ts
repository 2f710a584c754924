/** A second check of the wire format, by an independent emulator of OpenAI. */
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOpenAI } from './create.ts'

const emulator = new LLMock({ port: 0 })
const request = (...texts: readonly string[]) =>
  ({ inputs: texts.map((text) => ({ type: 'text', text }) as const), inputType: 'document' }) as const
const provider = () => createOpenAI({ apiKey: 'sk-emulator-only', baseUrl: emulator.baseUrl })

beforeAll(() => emulator.start())
afterAll(() => emulator.stop())
beforeEach(() => {
  emulator.clearFixtures()
})

test('a text has the same vector alone and among others; 0 tokens are not taken for a count', async () => {
  const together = await provider().embed(request('an orchard', 'a bridge', 'a cello'))
  const alone = await provider().embed(request('a bridge'))
  expect(together.vectors).toHaveLength(3)
  expect(together.vectors[1]).toEqual(alone.vectors[0])
  expect(together.vectors[1]).not.toEqual(together.vectors[0])
  expect(together.vectors[0]?.length).toBe(1536)
  expect(together.usage).toBeUndefined()
})

test('B49: it sends numbers whatever was asked, and they are those numbers', async () => {
  emulator.onEmbedding(/orchard/, { embedding: [3, ...Array<number>(1534).fill(0), 4] })
  const { vectors } = await provider().embed(request('an orchard'))
  expect([vectors[0]?.[0], vectors[0]?.[1535]]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)])
})

test('its refusals are told by status and body', async () => {
  emulator.onEmbedding(/bridge/, { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 34 })
  await expect(provider().embed(request('a bridge'))).rejects.toMatchObject({
    code: 'rate-limit',
    status: 429,
    retryAfterMs: 34_000,
  })
  emulator.onEmbedding(/cello/, { error: { message: 'down', type: 'server_error' }, status: 503 })
  await expect(provider().embed(request('a cello'))).rejects.toMatchObject({ code: 'unavailable', status: 503 })
})

test('one call is one request there', async () => {
  const before = emulator.getRequests().length
  await provider().embed(request('an orchard', 'a bridge'))
  expect(emulator.getRequests().length - before).toBe(1)
})

test('a job goes from upload to results there; its canned vectors of zeros are refused, line by line', async () => {
  const { batch } = provider()
  const items = async function* () {
    for (const id of ['one', 'two']) yield { id, input: { type: 'text', text: `note ${id}` } as const }
  }
  const handle = await batch?.submit(items(), { inputType: 'document', marker: 'mnemark-emulator' })
  if (batch === undefined || handle === undefined) throw new Error('no batch')
  const states: string[] = []
  while (states.at(-1) !== 'done' && states.length < 10) states.push((await batch.poll(handle)).status)
  expect(states).toContain('running')
  expect(await batch.find('mnemark-emulator')).toMatchObject({ jobId: handle.jobId })
  const outcomes = new Map<string, unknown>()
  for await (const outcome of batch.results(handle)) outcomes.set(outcome.id, 'error' in outcome && outcome.error)
  expect([...outcomes.keys()].sort()).toEqual(['one', 'two'])
  for (const error of outcomes.values()) expect(error).toMatchObject({ code: 'bad-response' })
  await batch.cleanUp(handle)
})
