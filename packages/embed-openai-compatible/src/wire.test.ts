/** Behaviour of servers of this kind alone. */
import {
  openaiCompatibleWire,
  type OpenAICompatibleWireSettings,
  type ProtocolServer,
  startProtocolServer,
} from '@mnemark/testkit'
import { fingerprint } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { createOpenAICompatible } from './create.ts'
import type { OpenAICompatibleOptions } from './options.ts'
import { OPENAI_COMPATIBLE_SERVERS } from './servers.ts'

const model = 'sample-embed'
const request = { inputs: [{ type: 'text', text: 'a note' }], inputType: 'document' } as const
const query = { ...request, inputType: 'query' } as const

const start = (settings?: OpenAICompatibleWireSettings): Promise<ProtocolServer> =>
  startProtocolServer(openaiCompatibleWire(settings))
const create = (options: Partial<OpenAICompatibleOptions> & { readonly baseUrl: string }) =>
  createOpenAICompatible({ model, inputType: 'symmetric', ...options })
const bodyOf = (server: ProtocolServer, index = 0): unknown => server.requests[index]?.body

test.for([
  ['', '/v1', '/v1/embeddings'],
  ['/', '/v1', '/v1/embeddings'],
  ['/v1', '/v1', '/v1/embeddings'],
  ['/v1/', '/v1', '/v1/embeddings'],
  ['/proxy', '/proxy/v1', '/proxy/v1/embeddings'],
  ['/proxy/v1/', '/proxy/v1', '/proxy/v1/embeddings'],
  ['/v1/openai', '/v1/openai', '/v1/openai/embeddings'],
  ['/odd/embeddings', '/odd', '/odd/embeddings'],
] as const)('a base URL ending in "%s" reaches %s/embeddings', async ([ending, basePath, path]) => {
  await using server = await start({ basePath })
  const provider = create({ baseUrl: server.origin + ending })
  await provider.embed(request)
  expect(server.requests.map((each) => each.path)).toEqual([path])
  expect(provider.space.endpoint).toBe(server.origin + basePath)
})

test('B49: floats are asked for, and numbers are kept whatever the server makes of it', async () => {
  await using server = await start({ dimensions: 4 })
  server.behave({ vectors: () => [[0.1, 0.2, -0.3, 0.4]] })
  const { vectors } = await create({ baseUrl: server.origin, encodingFormat: 'base64' }).embed(request)
  const { vectors: floats } = await create({ baseUrl: server.origin }).embed(request)
  expect(bodyOf(server, 1)).toEqual({ model, input: ['a note'], encoding_format: 'float' })
  const norm = Math.hypot(0.1, 0.2, -0.3, 0.4)
  for (const [vector] of [vectors, floats]) {
    expect([...(vector ?? [])]).toEqual([0.1, 0.2, -0.3, 0.4].map((value) => expect.closeTo(value / norm, 6)))
  }
})

test("B57: the wanted size goes out under the server's own name, or not at all; an unset one is learnt", async () => {
  await using server = await start({ dimensionsField: 'output_dimension' })
  await create({ baseUrl: server.origin, dimensions: 4, dimensionsField: 'output_dimension' }).embed(request)
  expect(bodyOf(server)).toMatchObject({ output_dimension: 4 })
  const silent = create({ baseUrl: server.origin, dimensions: 4, dimensionsField: null })
  await expect(silent.embed(request)).rejects.toMatchObject({
    code: 'bad-response',
    message: expect.stringContaining('has 8 numbers where 4'),
  })
  const learning = create({ baseUrl: server.origin })
  expect((await learning.embed(request)).vectors[0]?.length).toBe(8)
  server.behave({ vectors: () => [[1, 2, 3]] })
  await expect(learning.embed(request)).rejects.toMatchObject({ code: 'bad-response' })
})

test('B54: a server that takes fewer than was thought says so as a refused request, for the caller to halve', async () => {
  await using server = await start({ maxInputs: 10 })
  const provider = create({ baseUrl: server.origin })
  const inputs = Array.from({ length: 25 }, (_, index) => ({ type: 'text', text: `note ${index}` }) as const)
  await expect(provider.embed({ ...request, inputs })).rejects.toMatchObject({ code: 'invalid-input', isRetryable: false })
  expect((await provider.embed({ ...request, inputs: inputs.slice(0, 10) })).vectors).toHaveLength(10)
})

test('B72: the same model at another address is called there, and is another space', async () => {
  await using first = await start()
  await using second = await start()
  const [here, there] = [create({ baseUrl: first.origin }), create({ baseUrl: second.origin })]
  await there.embed(request)
  expect([first.requests.length, second.requests.length]).toEqual([0, 1])
  expect(fingerprint(here.space)).not.toBe(fingerprint(there.space))
  expect(fingerprint(create({ baseUrl: `${first.origin}/v1/` }).space)).toBe(fingerprint(here.space))
})

test('settings of queries leave the space of documents alone, those of documents do not', () => {
  const spaceOf = (options: Partial<OpenAICompatibleOptions>) => fingerprint(create({ baseUrl: 'http://h', ...options }).space)
  const prefixes = (queryPrefix: string, document: string) => spaceOf({ inputType: { prefix: { query: queryPrefix, document } } })
  expect(prefixes('q: ', 'd: ')).toBe(prefixes('query: ', 'd: '))
  expect(prefixes('q: ', 'd: ')).not.toBe(prefixes('q: ', 'doc: '))
  expect(prefixes('q: ', '')).toBe(spaceOf({}))
  const byField = (document: string) => spaceOf({ inputType: { query: { task: 'q' }, document: { task: document } } })
  expect(byField('a')).not.toBe(byField('b'))
  expect(spaceOf({ callBody: { user: 'someone' } })).toBe(spaceOf({}))
  expect(spaceOf({ apiKey: 'sk-one', headers: { 'x-team': 'a' } })).toBe(spaceOf({ apiKey: 'sk-two' }))
})

test('headers travel, and an own authorization takes the place of the key', async () => {
  await using server = await start()
  const headers = { Authorization: 'Basic abcdef', 'X-Team': 'notes' }
  await create({ baseUrl: server.origin, apiKey: 'sk-unused', headers }).embed(request)
  expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Basic abcdef', 'x-team': 'notes' })
})

test('a server without a key gets no authorization', async () => {
  await using server = await start()
  await create({ baseUrl: server.origin }).embed(request)
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
})

test('a failure told inside a success has the code of its status', async () => {
  await using server = await start()
  const provider = create({ baseUrl: server.origin })
  for (const [code, expected] of [
    [429, 'rate-limit'],
    [402, 'quota'],
    [502, 'unavailable'],
    ['odd', 'bad-response'],
  ]) {
    server.behave({ reply: { status: 200, body: { error: { code, message: 'Provider returned error' } } } })
    await expect(provider.embed(request)).rejects.toMatchObject({
      code: expected,
      message: expect.stringContaining('Provider returned'),
    })
  }
})

test('what a server says in place of an answer is shown', async () => {
  await using server = await start()
  server.behave({ reply: { status: 200, body: { error: 'Unexpected endpoint or method.' } } })
  await expect(create({ baseUrl: server.origin }).embed(request)).rejects.toMatchObject({
    code: 'bad-response',
    message: expect.stringContaining('"Unexpected endpoint or method."'),
  })
})

test("B60: its own time-out ends a silent server's request, and the next one works", async () => {
  await using server = await start()
  server.behave({ delivery: 'silence' })
  const departure = server.departure()
  const provider = create({ baseUrl: server.origin, timeoutMs: 100 })
  await expect(provider.embed(query)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('within 100 ms'),
  })
  await departure
  server.behave({})
  await expect(create({ baseUrl: server.origin, timeoutMs: 30_000 }).embed(query)).resolves.toBeDefined()
})

test.for([
  { inputType: undefined },
  { inputType: 'query' },
  { inputType: { query: { a: 1 } } },
  { inputType: { prefix: { query: 'q: ' } } },
  { body: { input: ['x'] } },
  { callBody: { model: 'x' } },
  { body: { encoding_format: 'float' } },
])('%o is refused as config', (wrong) => {
  // A caller without types may pass anything.
  expect(() => create({ baseUrl: 'http://h', ...(wrong as object) })).toThrow(expect.objectContaining({ code: 'config' }))
})

test.for(Object.entries(OPENAI_COMPATIBLE_SERVERS))('%s of the table makes a provider at its own address', ([, server]) => {
  const { space, limits, traits } = createOpenAICompatible({ ...server, model, apiKey: 'sk-test' })
  expect(space).toMatchObject({ provider: server.id, endpoint: server.baseUrl })
  expect(limits).toMatchObject({ maxInputs: 32, concurrency: 2, ...server.limits })
  expect(traits.isLocal).toBe(new URL(server.baseUrl).hostname === 'localhost')
})

test('a server of the table sends what it is known to want', async () => {
  const fields = ['truncation']
  await using server = await start({
    fields,
    dimensionsField: 'output_dimension',
    inputType: { field: 'input_type', query: 'query', document: 'document' },
  })
  const provider = createOpenAICompatible({ ...OPENAI_COMPATIBLE_SERVERS.voyage, baseUrl: server.origin, model, dimensions: 4 })
  await provider.embed(query)
  expect(bodyOf(server)).toEqual({ model, input: ['a note'], input_type: 'query', output_dimension: 4, truncation: false })
})
