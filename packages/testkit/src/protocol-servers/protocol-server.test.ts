/** The servers are as strict as the services: they refuse what OpenAI refuses, in its words. */
import { expect, test } from 'vitest'
import { openAIWire } from './vendors/openai-wire.ts'
import { openaiCompatibleWire } from './vendors/openai-compatible-wire.ts'
import { type ProtocolServer, startProtocolServer } from './protocol-server.ts'
import { sampleVector } from './wire/sample-vector.ts'

const KEY = 'sk-test-only'
const GOOD = { model: 'text-embedding-3-small', input: ['a', 'b'], dimensions: 4 }

interface Call {
  readonly body?: unknown
  readonly path?: string
  readonly method?: string
  readonly key?: string
  readonly type?: string
}

interface Reply {
  readonly data: readonly { readonly embedding: string }[]
  readonly error: unknown
}

async function call(
  server: ProtocolServer,
  { body = GOOD, path = '/embeddings', method = 'POST', key = KEY, type = 'application/json' }: Call = {},
) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const init =
    method === 'GET' ? { method, headers } : { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(server.baseUrl + path, init)
  // Typed as far as the tests below use it.
  const reply = (await response.json()) as Reply
  return { status: response.status, headers: response.headers, body: reply }
}

test('a good request is answered in order with the seeded vectors, usage and rate-limit headers', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: KEY })
  const { status, headers, body } = await call(server)
  expect(status).toBe(200)
  expect(headers.get('x-ratelimit-limit-requests')).toBe('3000')
  expect(body).toEqual({
    object: 'list',
    model: 'text-embedding-3-small',
    data: ['a', 'b'].map((text, index) => ({ object: 'embedding', index, embedding: sampleVector(text, 4) })),
    usage: { prompt_tokens: 2, total_tokens: 2 },
  })
})

test('base64 is answered when it is asked for', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: KEY })
  const { body } = await call(server, { body: { ...GOOD, encoding_format: 'base64' } })
  const bytes = Buffer.from(body.data[0]?.embedding ?? '', 'base64')
  expect([0, 1, 2, 3].map((index) => bytes.readFloatLE(index * 4))).toEqual(sampleVector('a', 4).map(Math.fround))
})

test.for<readonly [string, Call, number, string | null]>([
  ['a wrong key', { key: 'sk-other' }, 401, 'invalid_api_key'],
  ['a wrong path', { path: '/embedding' }, 404, null],
  ['a wrong method', { method: 'GET' }, 404, null],
  ['an unknown model', { body: { ...GOOD, model: 'text-embedding-4' } }, 404, 'model_not_found'],
  ['no model', { body: { input: ['a'] } }, 400, null],
  ['an unknown field', { body: { ...GOOD, input_type: 'query' } }, 400, null],
  ['another content type', { type: 'text/plain' }, 400, null],
  ['broken JSON', { body: '{"model":' }, 400, null],
  ['no texts', { body: { ...GOOD, input: [] } }, 400, null],
  ['an empty text', { body: { ...GOOD, input: ['a', ''] } }, 400, null],
  ['half an emoji', { body: { ...GOOD, input: ['\ud83d'] } }, 400, null],
  ['too many texts', { body: { ...GOOD, input: Array<string>(2049).fill('a') } }, 400, null],
  ['too many dimensions', { body: { ...GOOD, dimensions: 1537 } }, 400, null],
  ['dimensions of a model without', { body: { ...GOOD, model: 'text-embedding-ada-002' } }, 400, null],
  ['an unknown encoding', { body: { ...GOOD, encoding_format: 'int8' } }, 400, null],
])('OpenAI refuses %s, and no call is counted', async ([, wrong, status, code]) => {
  await using server = await startProtocolServer(openAIWire, { apiKey: KEY })
  const reply = await call(server, wrong)
  expect(reply.status).toBe(status)
  expect(reply.body.error).toMatchObject({ type: 'invalid_request_error', code })
  expect([server.requests.length, server.calls.length]).toEqual([1, 0])
})

test.for<readonly [string, Call, number]>([
  ['a missing input type', { body: { model: 'sample-embed', input: ['a'] } }, 400],
  ['an unknown input type', { body: { model: 'sample-embed', input: ['a'], input_type: 'document' } }, 400],
  ['an unknown field', { body: { model: 'sample-embed', input: ['a'], input_type: 'query', dimension: 4 } }, 400],
  ['more inputs than it takes', { body: { model: 'sample-embed', input: ['a', 'b', 'c'], input_type: 'query' } }, 422],
])('a compatible server that wants an input type refuses %s', async ([, wrong, status]) => {
  const inputType = { field: 'input_type', query: 'query', document: 'passage' }
  await using server = await startProtocolServer(openaiCompatibleWire({ inputType, maxInputs: 2 }), { apiKey: KEY })
  expect((await call(server, wrong)).status).toBe(status)
})

test('each delivery arrives as it should: whole, or not at all', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: KEY })
  for (const delivery of ['whole', 'gzip', 'chunked', 'slow'] as const) {
    server.behave({ delivery })
    expect((await call(server)).body.data).toHaveLength(2)
  }
  for (const delivery of ['cut', 'reset'] as const) {
    server.behave({ delivery })
    await expect(call(server)).rejects.toThrow(TypeError)
  }
})
