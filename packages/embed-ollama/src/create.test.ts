import { fingerprint } from '@mnemark/spec'
import { ollamaWire, type ProtocolServer, type ProviderSetup, recordOf, SECRET, startProtocolServer } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createOllama } from './create.ts'

const optionsOf = (body: unknown): Readonly<Record<string, unknown>> => recordOf(recordOf(body)?.['options']) ?? {}

describeEmbeddingProvider('ollama', {
  transport: 'http',
  wire: ollamaWire,
  create: ({ set, ...setup }: ProviderSetup) => createOllama({ ...setup, ...set }),
  misconfigured: [
    { id: ' ' },
    { baseUrl: ' ' },
    { baseUrl: 'ftp://localhost:11434' },
    { baseUrl: 'http://ollama.example' },
    { baseUrl: 'ollama.example:11434' },
    { baseUrl: 'http://user:secret@localhost:11434' },
    { model: '' },
    { apiKey: '' },
    { apiKey: '${OLLAMA_API_KEY}' },
    { headers: { 'x-key': '${MISSING}' } },
    { dimensions: 0 },
    { contextSize: 1.5 },
    { keepAlive: 'a while' },
    { keepAlive: Number.NaN },
    { truncate: 'yes' },
    { inputType: null },
    { inputType: { prefix: { query: 'query: ' } } },
    { limits: { maxInputs: 0 } },
    { timeoutMs: 0 },
  ],
  variations: {
    model: { model: 'all-minilm' },
    dimensions: { dimensions: 256 },
    variant: { inputType: { prefix: { query: 'search_query: ', document: 'note: ' } } },
  },
  options: [
    { set: { dimensions: 256 }, expect: (body) => body['dimensions'] === 256 },
    { set: { keepAlive: '30m' }, expect: (body) => body['keep_alive'] === '30m' },
    { set: { keepAlive: -1 }, expect: (body) => body['keep_alive'] === -1 },
    { set: { truncate: true }, expect: (body) => body['truncate'] === true },
    {
      set: { contextSize: 4096 },
      expect: (body) => optionsOf(body)['num_ctx'] === 4096 && optionsOf(body)['num_batch'] === 4096,
    },
    { set: { model: 'all-minilm:latest' }, expect: (body) => body['model'] === 'all-minilm:latest' },
    { set: { inputType: 'symmetric' }, expect: (body) => JSON.stringify(body['input']).startsWith('["an apple') },
    { set: { apiKey: undefined }, expect: (_, { headers }) => headers['authorization'] === undefined },
    { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  ],
})

const inputsOf = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text' as const, text }))
const inputs = inputsOf('a', 'b', 'c')
const started = (): Promise<ProtocolServer> => startProtocolServer(ollamaWire, { apiKey: SECRET })

describe('createOllama', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  test.each(['', '/', '/v1', '/v1/', '/api', '/api/', '/api/embed'])(
    'a base URL that ends in %j reaches /api/embed (B56)',
    async (end) => {
      await using server = await started()
      const provider = createOllama({ baseUrl: server.origin + end })
      await provider.embed({ inputs, inputType: 'query' })
      expect(server.requests.map(({ path }) => path)).toEqual(['/api/embed'])
      expect(provider.space.endpoint).toBe(server.origin)
    },
  )

  test('a provider of another name talks to its own address only, and is named in errors (B56)', async () => {
    await using server = await started()
    const provider = createOllama({ id: 'ollama-proxy', baseUrl: server.baseUrl, model: 'unknown' })
    const error: unknown = await provider.embed({ inputs, inputType: 'query' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'not-found', provider: 'ollama-proxy' })
    expect(server.requests).toHaveLength(1)
    expect(provider.space).toMatchObject({ provider: 'ollama-proxy', endpoint: server.origin })
  })

  test('an address without a scheme, and a path in front of a proxy', async () => {
    await using server = await started()
    await createOllama({ baseUrl: server.origin.slice('http://'.length) }).embed({ inputs, inputType: 'query' })
    const behindProxy = createOllama({ baseUrl: `${server.origin}/models/ollama/v1/` })
    await expect(behindProxy.embed({ inputs, inputType: 'query' })).rejects.toMatchObject({ code: 'not-found' })
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/embed', '/models/ollama/api/embed'])
  })

  test('a host without scheme and port is asked at the usual port, as OLLAMA_HOST means it (B56)', () => {
    const endpointOf = (baseUrl: string): unknown => createOllama({ baseUrl }).space.endpoint
    expect(endpointOf('gpu-box')).toBe('http://gpu-box:11434')
    expect(endpointOf('0.0.0.0')).toBe('http://0.0.0.0:11434')
    expect(endpointOf('http://gpu-box/v1')).toBe('http://gpu-box')
  })

  test('without settings it is the server of this machine', () => {
    const { space, traits, limits } = createOllama()
    expect(space).toMatchObject({
      endpoint: 'http://127.0.0.1:11434',
      model: 'nomic-embed-text',
      variant: { prefix: 'search_document: ' },
    })
    expect(traits.isLocal).toBe(true)
    expect(limits).toEqual({ maxInputs: 32, concurrency: 1, maxInputTokens: 2048 })
    expect(createOllama({ baseUrl: 'https://ollama.com' }).traits.isLocal).toBe(false)
  })

  test('a model with the tag that is meant anyway is the same space', () => {
    const spaceOf = (model: string): string => fingerprint(createOllama({ model }).space)
    expect(spaceOf('nomic-embed-text:latest')).toBe(spaceOf('nomic-embed-text'))
    expect(spaceOf('nomic-embed-text:v1.5')).not.toBe(spaceOf('nomic-embed-text'))
  })

  test('each model gets the words its family wants, and one not known gets none', async () => {
    await using server = await started()
    for (const model of ['embeddinggemma', 'all-minilm']) {
      await createOllama({ baseUrl: server.baseUrl, model }).embed({ inputs: inputsOf('a'), inputType: 'query' })
    }
    expect(server.calls.map(({ texts }) => texts)).toEqual([['task: search result | query: a'], ['a']])
    expect(createOllama({ model: 'something-else' }).space.variant).toEqual({})
  })

  test('a text beyond the context is refused and not cut, unless cutting was asked for (B56)', async () => {
    await using server = await started()
    const long = inputsOf('word '.repeat(300))
    const options = { baseUrl: server.baseUrl, model: 'all-minilm' }
    const refused = createOllama(options).embed({ inputs: long, inputType: 'document' })
    await expect(refused).rejects.toMatchObject({ code: 'input-too-long', status: 400 })
    const cutting = createOllama({ ...options, truncate: true })
    expect((await cutting.embed({ inputs: long, inputType: 'document' })).vectors).toHaveLength(1)
    expect(fingerprint(cutting.space)).not.toBe(fingerprint(createOllama(options).space))
  })

  test('a model that was not fetched says how to fetch it', async () => {
    await using server = await started()
    const provider = createOllama({ baseUrl: server.baseUrl, model: 'mxbai-embed-large' })
    await expect(provider.embed({ inputs, inputType: 'query' })).rejects.toThrow('ollama pull mxbai-embed-large')
  })

  test('a model that cannot embed is not tried again', async () => {
    await using server = await started()
    server.behave({ reply: { status: 501, body: { error: 'this model does not support embeddings' } } })
    await expect(createOllama({ baseUrl: server.baseUrl }).embed({ inputs, inputType: 'query' })).rejects.toMatchObject({
      code: 'config',
    })
  })

  test('nothing in the environment moves a request or adds a key (B72)', async () => {
    vi.stubEnv('OLLAMA_API_KEY', 'not-for-this')
    vi.stubEnv('OLLAMA_HOST', 'http://127.0.0.1:1')
    const requests: [string, Headers][] = []
    const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
      requests.push([String(input), new Headers(init.headers)])
      return Response.json({ embeddings: [[1]] })
    }
    for (const baseUrl of [undefined, 'https://ollama.com'])
      await createOllama({ baseUrl, fetch }).embed({ inputs: inputsOf('a'), inputType: 'query' })
    expect(requests.map(([url]) => new URL(url).origin)).toEqual(['http://127.0.0.1:11434', 'https://ollama.com'])
    for (const [, headers] of requests) expect(headers.has('authorization')).toBe(false)
  })

  test('a failure prints nothing', async () => {
    const log = vi.spyOn(console, 'log')
    await using server = await started()
    server.behave({ reply: { status: 502, body: '<html>Bad Gateway</html>' } })
    await expect(createOllama({ baseUrl: server.baseUrl }).embed({ inputs, inputType: 'query' })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(log).not.toHaveBeenCalled()
  })

  test('a time-out ends the request as unavailable (B60)', async () => {
    await using server = await started()
    server.behave({ delivery: 'silence' })
    const provider = createOllama({ baseUrl: server.baseUrl, timeoutMs: 50 })
    await expect(provider.embed({ inputs, inputType: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
