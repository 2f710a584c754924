import { SECRET, startProtocolServer, voyageWire } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { describe, expect, test } from 'vitest'
import { createVoyage } from './create.ts'

describeEmbeddingProvider('voyage', {
  transport: 'http',
  create: ({ set, ...setup }) => createVoyage({ ...setup, ...set }),
  wire: voyageWire,
  misconfigured: [
    { apiKey: undefined },
    { apiKey: ' ' },
    { apiKey: '${VOYAGE_API_KEY}' },
    { baseUrl: 'http://api.voyageai.com/v1' },
    { baseUrl: 'https://user:secret@api.voyageai.com' },
    { model: '' },
    { dimensions: 0.5 },
    { dimensions: 768 },
    { model: 'voyage-law-2', dimensions: 512 },
    { inputType: 'query' },
    { inputType: { query: 'query' } },
    { inputType: { query: 'query', document: 'passage' } },
    { headers: { 'x-key': '${MISSING}' } },
    { timeoutMs: 0 },
  ],
  variations: {
    model: { model: 'voyage-4-large' },
    dimensions: { dimensions: 256 },
    variant: { inputType: { query: null, document: null } },
  },
  options: [
    { set: { dimensions: 256 }, expect: (body) => body['output_dimension'] === 256 },
    { set: { model: 'voyage-4-lite' }, expect: (body) => body['model'] === 'voyage-4-lite' },
    { set: { truncation: true }, expect: (body) => body['truncation'] === true },
    { set: { inputType: { query: null, document: null } }, expect: (body) => !('input_type' in body) },
    { set: { inputType: { query: 'query', document: 'query' } }, expect: (body) => body['input_type'] === 'query' },
    { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  ],
})

const request = (...texts: readonly string[]) =>
  ({ inputs: texts.map((text) => ({ type: 'text', text }) as const), inputType: 'document' }) as const

describe('createVoyage', () => {
  test('a text beyond the context is refused by its position, not cut', async () => {
    await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
    const provider = createVoyage({ apiKey: SECRET, baseUrl: server.baseUrl })
    const call = provider.embed(request('short', 'word '.repeat(32_001), 'short too'))
    await expect(call).rejects.toMatchObject({ code: 'input-too-long', inputIndexes: [1], status: 400 })
  })

  test('B54: more tokens than a request takes are told apart from a bad request', async () => {
    await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
    const provider = createVoyage({ apiKey: SECRET, baseUrl: server.baseUrl, model: 'voyage-4-large' })
    const texts = Array.from({ length: 5 }, () => 'word '.repeat(25_000))
    await expect(provider.embed(request(...texts))).rejects.toMatchObject({ code: 'input-too-long', inputIndexes: undefined })
  })

  test.each(['', '/', '/v1', '/v1/', '/v1/embeddings'])('a base URL that ends in %j reaches the endpoint', async (end) => {
    await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
    const provider = createVoyage({ apiKey: SECRET, baseUrl: server.origin + end })
    await provider.embed(request('a note'))
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/embeddings'])
    expect(provider.space.endpoint).toBe(`${server.origin}/v1`)
  })

  test('known models have their limits, dimensions and price; a proxy has no price, an unknown model the least limits', () => {
    const apiKey = SECRET
    expect(createVoyage({ apiKey })).toMatchObject({
      space: { model: 'voyage-4', requestedDimensions: null, variant: { inputType: 'document' } },
      limits: { maxInputs: 1000, maxInputTokens: 32_000, maxRequestTokens: 320_000, concurrency: 4 },
      traits: { isLocal: false, vectorWeight: 0.7, usdPerMillionTokens: 0.06 },
    })
    expect(createVoyage({ apiKey, baseUrl: 'http://localhost:4000' }).traits).toEqual({ isLocal: true, vectorWeight: 0.7 })
    const later = createVoyage({ apiKey, model: 'voyage-9', dimensions: 768 })
    expect(later.space.requestedDimensions).toBe(768)
    expect(later.limits).toEqual({ maxInputs: 1000, maxRequestTokens: 120_000, concurrency: 4 })
  })

  test('tokens are not counted: the tokenizer would have to be fetched from elsewhere', () => {
    expect(createVoyage({ apiKey: SECRET }).countTokens).toBeUndefined()
  })
})
