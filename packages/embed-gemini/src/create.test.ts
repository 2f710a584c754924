import { geminiWire, type ProviderSetup, SECRET, startProtocolServer } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { fingerprint } from '@mnemark/spec'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGemini } from './create.ts'

const wordsOf = (body: Readonly<Record<string, unknown>>): string => JSON.stringify(body)

const common = {
  transport: 'http' as const,
  wire: geminiWire,
  misconfigured: [
    { apiKey: undefined },
    { apiKey: ' ' },
    { apiKey: '${GEMINI_API_KEY}' },
    { baseUrl: '' },
    { baseUrl: 'http://generativelanguage.googleapis.com' },
    { model: '' },
    { model: '../files' },
    { dimensions: 64 },
    { dimensions: 4096 },
    { dimensions: 256.5 },
    { inputType: { taskType: { query: 'RETRIEVAL_QUERY' } } },
    { inputType: {} },
    { inputType: 'symmetric' },
    { inputType: null },
    { headers: { 'x-key': '${MISSING}' } },
    { timeoutMs: 0 },
  ],
}
const dimensions = {
  set: { dimensions: 768 },
  expect: (body: Readonly<Record<string, unknown>>) => /"outputDimensionality":768/.test(wordsOf(body)),
}
const team = {
  set: { headers: { 'X-Team': 'notes' } },
  expect: (_: unknown, { headers }: { headers: Readonly<Record<string, string>> }) => headers['x-team'] === 'notes',
}

describeEmbeddingProvider('gemini, task types', {
  ...common,
  create: ({ set, ...setup }: ProviderSetup) => createGemini({ ...setup, ...set }),
  variations: {
    model: { model: 'gemini-embedding-2' },
    dimensions: { dimensions: 768 },
    variant: { inputType: { taskType: { query: 'CLUSTERING', document: 'CLUSTERING' } } },
  },
  options: [
    dimensions,
    team,
    { set: { model: 'gemini-embedding-2' }, expect: (_, { path }) => path.includes('/gemini-embedding-2:') },
    {
      set: { inputType: { taskType: { query: 'CODE_RETRIEVAL_QUERY', document: 'SEMANTIC_SIMILARITY' } } },
      expect: (body) => wordsOf(body).includes('"taskType":"SEMANTIC_SIMILARITY"'),
    },
  ],
})

describeEmbeddingProvider('gemini, prefixes', {
  ...common,
  create: ({ set, ...setup }: ProviderSetup) => createGemini({ ...setup, model: 'gemini-embedding-2', ...set }),
  variations: {
    model: { model: 'gemini-embedding-2-preview' },
    dimensions: { dimensions: 768 },
    variant: { inputType: { prefix: { query: 'task: code retrieval | query: ', document: 'title: code | text: ' } } },
  },
  options: [
    dimensions,
    team,
    {
      set: { inputType: { prefix: { query: 'task: code retrieval | query: ', document: 'title: code | text: ' } } },
      expect: (body) => wordsOf(body).includes('"title: code | text: '),
    },
  ],
})

const inputs = ['a', 'b', 'c'].map((text) => ({ type: 'text' as const, text }))

describe('createGemini', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  test('each text is a content of its own, with a vector of its own (B53)', async () => {
    await using server = await startProtocolServer(geminiWire, { apiKey: SECRET })
    for (const model of ['gemini-embedding-2', 'gemini-embedding-2-preview', 'gemini-embedding-001']) {
      const provider = createGemini({ apiKey: SECRET, baseUrl: server.baseUrl, model })
      expect((await provider.embed({ inputs, inputType: 'document' })).vectors).toHaveLength(3)
      expect(server.calls.at(-1)?.texts.map((text) => text.at(-1))).toEqual(['a', 'b', 'c'])
    }
  })

  test.each(['', '/', '/v1beta', '/v1beta/', '/v1beta/openai', '/v1', '/v1/'])(
    'a base URL that ends in %j reaches the model',
    async (end) => {
      await using server = await startProtocolServer(geminiWire, { apiKey: SECRET })
      await createGemini({ apiKey: SECRET, baseUrl: server.origin + end }).embed({ inputs, inputType: 'query' })
      const version = end.startsWith('/v1/') || end === '/v1' ? 'v1' : 'v1beta'
      expect(server.requests.map(({ path }) => path)).toEqual([`/${version}/models/gemini-embedding-001:batchEmbedContents`])
    },
  )

  test('a path in front of a proxy is kept', async () => {
    await using server = await startProtocolServer(geminiWire, { apiKey: SECRET })
    const provider = createGemini({ apiKey: SECRET, baseUrl: `${server.origin}/google/` })
    await expect(provider.embed({ inputs, inputType: 'query' })).rejects.toMatchObject({ code: 'not-found' })
    expect(server.requests[0]?.path).toBe('/google/v1beta/models/gemini-embedding-001:batchEmbedContents')
  })

  test('the spelling of address and model does not make another space', () => {
    const spaceOf = (baseUrl: string, model: string): string =>
      fingerprint(createGemini({ apiKey: SECRET, baseUrl, model }).space)
    const plain = spaceOf('https://generativelanguage.googleapis.com', 'gemini-embedding-001')
    expect(spaceOf('https://Generativelanguage.googleapis.com:443/v1beta/', 'models/gemini-embedding-001')).toBe(plain)
  })

  test('nothing in the environment moves a request to another host or service', async () => {
    await using server = await startProtocolServer(geminiWire, { apiKey: SECRET })
    vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true')
    vi.stubEnv('GOOGLE_GEMINI_BASE_URL', 'http://127.0.0.1:1')
    vi.stubEnv('GOOGLE_GENAI_API_VERSION', 'v9')
    vi.stubEnv('GEMINI_API_KEY', 'another-key')
    await createGemini({ apiKey: SECRET, baseUrl: server.baseUrl }).embed({ inputs, inputType: 'query' })
    expect(server.calls).toHaveLength(1)
  })

  test('a time-out ends the request as unavailable (B60)', async () => {
    await using server = await startProtocolServer(geminiWire, { apiKey: SECRET })
    server.behave({ delivery: 'silence' })
    const provider = createGemini({ apiKey: SECRET, baseUrl: server.baseUrl, timeoutMs: 50 })
    await expect(provider.embed({ inputs, inputType: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('models that came after the table get the words of their generation', () => {
    const variantOf = (model: string): unknown => createGemini({ apiKey: SECRET, model }).space.variant
    expect(variantOf('gemini-embedding-002')).toEqual({ taskType: 'RETRIEVAL_DOCUMENT' })
    expect(variantOf('gemini-embedding-3')).toEqual({ prefix: 'title: none | text: ' })
  })
})
