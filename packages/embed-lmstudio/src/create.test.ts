import { fingerprint } from '@mnemark/spec'
import {
  lmStudioWire,
  type LMStudioWireSettings,
  type ProtocolServer,
  type ProviderSetup,
  SECRET,
  startProtocolServer,
} from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { expect, test } from 'vitest'
import { createLMStudio } from './create.ts'
import { listLMStudioModels } from './list-models.ts'
import type { LMStudioEmbeddingOptions } from './options.ts'

const NOMIC = 'text-embedding-nomic-embed-text-v1.5'
const BGE = 'text-embedding-bge-m3'

describeEmbeddingProvider('lmstudio', {
  transport: 'http',
  wire: () => lmStudioWire(),
  create: ({ set, ...setup }: ProviderSetup) => createLMStudio({ model: NOMIC, ...setup, ...set }),
  misconfigured: [
    { id: ' ' },
    { model: '' },
    { model: undefined },
    { baseUrl: ' ' },
    { baseUrl: 'ftp://localhost:1234' },
    { baseUrl: 'http://studio.example' },
    { baseUrl: 'http://user:secret@localhost:1234' },
    { apiKey: '' },
    { apiKey: '${LM_API_TOKEN}' },
    { headers: { 'x-key': '${MISSING}' } },
    { inputType: null },
    { inputType: { prefix: { query: 'query: ' } } },
    { inputType: { query: { input_type: 'query' }, document: {} } },
    { contextTokens: 0 },
    { idleSeconds: 1.5 },
    { dimensions: 0 },
    { limits: { maxInputs: 0 } },
    { timeoutMs: 0 },
  ],
  variations: {
    model: { model: BGE },
    dimensions: { dimensions: 768 },
    variant: { inputType: { prefix: { query: 'search_query: ', document: 'note: ' } } },
  },
  options: [
    { set: { model: BGE }, expect: (body) => body['model'] === BGE },
    { set: { idleSeconds: 300 }, expect: (body) => body['ttl'] === 300 },
    { set: { inputType: 'symmetric' }, expect: (body) => JSON.stringify(body['input']).startsWith('["an apple') },
    { set: { apiKey: undefined }, expect: (_, { headers }) => headers['authorization'] === undefined },
    { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  ],
})

const request = { inputs: [{ type: 'text', text: 'a' }], inputType: 'query' } as const
const start = (settings?: LMStudioWireSettings, apiKey?: string): Promise<ProtocolServer> =>
  startProtocolServer(lmStudioWire(settings), apiKey === undefined ? {} : { apiKey })
const create = (server: ProtocolServer, options: Partial<LMStudioEmbeddingOptions> = {}) =>
  createLMStudio({ model: NOMIC, baseUrl: server.origin, ...options })

test('without settings it is the server of this machine, without a key', async () => {
  const requests: [string, Headers][] = []
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    requests.push([String(input), new Headers(init.headers)])
    return Response.json({ data: [{ embedding: [1, 2], index: 0 }] })
  }
  const { space, traits, limits, embed } = createLMStudio({ model: NOMIC, fetch })
  await embed(request)
  expect(requests.map(([url]) => url)).toEqual(['http://localhost:1234/v1/embeddings'])
  expect(requests[0]?.[1].has('authorization')).toBe(false)
  expect(space).toMatchObject({
    provider: 'lmstudio',
    endpoint: 'http://localhost:1234/v1',
    variant: { prefix: 'search_document: ' },
  })
  expect([traits.isLocal, limits]).toEqual([true, { maxInputs: 32, concurrency: 2, maxInputTokens: 2048 }])
})

test.each(['', '/', '/v1', '/v1/', '/api/v0', '/api/v1/', '/v1/embeddings', '/api/v0/models'])(
  'a base URL that ends in %j reaches the same server, with or without a scheme',
  async (end) => {
    await using server = await start()
    for (const origin of [server.origin, server.origin.slice('http://'.length)])
      await create(server, { baseUrl: origin + end }).embed(request)
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/embeddings', '/v1/embeddings'])
    expect(create(server, { baseUrl: server.origin + end }).space.endpoint).toBe(`${server.origin}/v1`)
  },
)

test('a host without scheme and port is asked at the usual port', () => {
  expect(createLMStudio({ baseUrl: 'gpu-box', model: NOMIC }).space.endpoint).toBe('http://gpu-box:1234/v1')
})

test('byte for byte, with the words the model wants in front', async () => {
  await using server = await start()
  await create(server).embed(request)
  await create(server, { model: BGE, idleSeconds: 60 }).embed(request)
  expect(server.requests.map(({ text }) => text)).toEqual([
    `{"model":"${NOMIC}","encoding_format":"float","input":["search_query: a"]}`,
    `{"ttl":60,"model":"${BGE}","encoding_format":"float","input":["a"]}`,
  ])
})

test('a model that is not loaded is loaded by the first request', async () => {
  await using server = await start({ loaded: [] })
  await create(server).embed(request)
  const models = await listLMStudioModels({ baseUrl: server.origin })
  expect(models.find(({ id }) => id === NOMIC)?.isLoaded).toBe(true)
})

test.for<readonly [string, LMStudioWireSettings, string, object]>([
  [
    'with loading by request switched off',
    { loaded: [], hasJit: false },
    NOMIC,
    { code: 'not-found', message: /lms load text-embedding-nomic/ },
  ],
  ['that is not on the disk', {}, 'text-embedding-other', { code: 'not-found', message: /lms get text-embedding-other/ }],
  [
    'that the server takes for a language model',
    {},
    'jina-embeddings-v3',
    { code: 'config', message: /lists as an embedding model/ },
  ],
])(
  'a model %s says what to do, and is not tried again',
  async ([, settings, model, { code, message }]: readonly [
    string,
    LMStudioWireSettings,
    string,
    { readonly code?: string; readonly message?: RegExp },
  ]) => {
    await using server = await start(settings)
    await expect(create(server, { model }).embed(request)).rejects.toMatchObject({
      code,
      isRetryable: false,
      message: expect.stringMatching(message ?? /./),
    })
  },
)

test('B58: a model that left memory meanwhile is tried again, and that request loads it', async () => {
  await using server = await start()
  const provider = create(server)
  server.behave({ reply: { status: 400, body: { error: 'Model is unloaded.' } } })
  await expect(provider.embed(request)).rejects.toMatchObject({ code: 'unavailable', isRetryable: true })
  server.behave({})
  expect((await provider.embed(request)).vectors).toHaveLength(1)
})

test('B49: numbers come whatever was asked, and they are those numbers; 0 tokens are not taken for a count', async () => {
  await using server = await start()
  server.behave({ vectors: () => [[3, 4, ...Array<number>(766).fill(0)]] })
  const { vectors, usage } = await create(server).embed(request)
  expect([vectors[0]?.[0], vectors[0]?.[1]]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)])
  expect(usage).toBeUndefined()
})

test('B57: a length that was expected is not sent, and another one is an error', async () => {
  await using server = await start()
  await expect(create(server, { dimensions: 512 }).embed(request)).rejects.toMatchObject({ code: 'bad-response' })
  expect(server.requests[0]?.body).not.toHaveProperty('dimensions')
})

test('an answer of the server that it does not know the address is a bad response, in its words', async () => {
  await using server = await start()
  await expect(create(server, { baseUrl: `${server.origin}/studio` }).embed(request)).rejects.toMatchObject({
    code: 'bad-response',
    message: expect.stringContaining('Unexpected endpoint or method'),
  })
})

test('how long a model stays is no part of the vector space; prefixes of documents are', async () => {
  await using server = await start()
  const plain = fingerprint(create(server).space)
  expect(fingerprint(create(server, { idleSeconds: 5, contextTokens: 512 }).space)).toBe(plain)
  expect(fingerprint(create(server, { inputType: 'symmetric' }).space)).not.toBe(plain)
})

test('the context is the limit of a text: what is set, else what the family takes, else none', () => {
  const limitOf = (options: LMStudioEmbeddingOptions) => createLMStudio(options).limits.maxInputTokens
  expect(limitOf({ model: NOMIC, contextTokens: 8192 })).toBe(8192)
  expect(limitOf({ model: 'text-embedding-all-minilm-l6-v2-embedding' })).toBe(256)
  expect(limitOf({ model: 'text-embedding-something-else' })).toBeUndefined()
})

test('B60: its own time-out ends a call that waits for a model to load', async () => {
  await using server = await start()
  server.behave({ delivery: 'silence' })
  await expect(create(server, { timeoutMs: 50 }).embed(request)).rejects.toMatchObject({ code: 'unavailable' })
})

test('there are no offline jobs', () => {
  expect(createLMStudio({ model: NOMIC })).not.toHaveProperty('batch')
})

test('a server that wants a token gets it, and says so without one', async () => {
  await using server = await start({ requiresKey: true }, SECRET)
  await create(server, { apiKey: SECRET }).embed(request)
  await expect(create(server).embed(request)).rejects.toMatchObject({ code: 'auth', status: 401 })
})
