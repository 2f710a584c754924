import { SECRET, startRerankServer, voyageRerankWire } from '@mnemark/testkit'
import { describeReranker } from '@mnemark/testkit/vitest'
import { afterEach, expect, test, vi } from 'vitest'
import { createVoyageReranker } from './create.ts'

describeReranker('voyage', {
  create: ({ set, ...setup }) => createVoyageReranker({ ...setup, ...set }),
  wire: voyageRerankWire,
  misconfigured: [
    { apiKey: undefined },
    { apiKey: ' ' },
    { apiKey: '${VOYAGE_API_KEY}' },
    { baseUrl: 'http://api.voyageai.com/v1' },
    { baseUrl: 'https://user:secret@api.voyageai.com' },
    { model: '' },
    { limits: { maxPassages: 0 } },
    { headers: { 'x-key': '${MISSING}' } },
    { timeoutMs: 0 },
  ],
  options: [
    { set: { model: 'rerank-2.5-lite' }, expect: (body) => body['model'] === 'rerank-2.5-lite' },
    { set: { truncation: true }, expect: (body) => body['truncation'] === true },
    { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  ],
})

const request = { query: 'a question', passages: ['one note', 'another note'] }

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each(['', '/', '/v1', '/v1/'])(
  'a base URL that ends in %j reaches the service, which is asked for every score',
  async (end) => {
    await using server = await startRerankServer(voyageRerankWire, { apiKey: SECRET })
    const reranker = createVoyageReranker({ apiKey: SECRET, baseUrl: server.origin + end })
    expect((await reranker.rerank(request)).scores).toHaveLength(2)
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/rerank'])
    expect(server.requests[0]?.body).toEqual({
      model: 'rerank-2.5',
      query: request.query,
      documents: request.passages,
      truncation: false,
    })
  },
)

test('known models have their limits and price; a proxy has no price, an unknown model no tokens', () => {
  expect(createVoyageReranker({ apiKey: SECRET })).toMatchObject({
    model: 'rerank-2.5',
    limits: { maxPassages: 1000, maxPassageTokens: 24_000 },
    traits: { isLocal: false, usdPerMillionInput: 0.05 },
  })
  expect(createVoyageReranker({ apiKey: SECRET, baseUrl: 'http://localhost:4000' }).traits).toEqual({ isLocal: true })
  expect(createVoyageReranker({ apiKey: SECRET, model: 'rerank-9' }).limits).toEqual({ maxPassages: 1000 })
})

test.for([
  [
    "Request to model 'rerank-2.5' failed. The max allowed tokens per submitted batch is 600000. Your batch has 745736 tokens after truncation.",
    'input-too-long',
  ],
  ["Model rerank-9 is not supported. Supported models are ['rerank-2.5'].", 'not-found'],
  ['Something else is wrong.', 'invalid-input'],
] as const)('a 400 is told by its words: %s', async ([detail, code]) => {
  await using server = await startRerankServer(voyageRerankWire, { apiKey: SECRET })
  server.behave({ reply: { status: 400, body: { detail } } })
  const reranker = createVoyageReranker({ apiKey: SECRET, baseUrl: server.baseUrl })
  await expect(reranker.rerank(request)).rejects.toMatchObject({ code, status: 400 })
})

test('a key in the environment neither counts nor goes out', async () => {
  await using server = await startRerankServer(voyageRerankWire, { apiKey: SECRET })
  vi.stubEnv('VOYAGE_API_KEY', 'pa-of-another-product')
  expect(() => createVoyageReranker({ apiKey: '' })).toThrow(expect.objectContaining({ code: 'config' }))
  await createVoyageReranker({ apiKey: SECRET, baseUrl: server.baseUrl }).rerank(request)
  expect(server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${SECRET}` })
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('another-product')
})
