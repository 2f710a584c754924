import { mistralWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { describe, expect, test } from 'vitest'
import { createMistral } from './create.ts'

const shorter = { model: 'codestral-embed', dimensions: 256 }

describeEmbeddingProvider('mistral', {
  transport: 'http',
  create: ({ set, ...setup }) => createMistral({ ...setup, ...set }),
  wire: mistralWire,
  misconfigured: [
    { apiKey: undefined },
    { apiKey: ' ' },
    { apiKey: '${MISTRAL_API_KEY}' },
    { baseUrl: 'http://api.mistral.ai' },
    { baseUrl: 'https://user:secret@api.mistral.ai' },
    { baseUrl: 'https://api.mistral.ai/v2' },
    { model: '' },
    { dimensions: 512 },
    { model: 'codestral-embed', dimensions: 3073 },
    { model: 'codestral-embed', dimensions: 0.5 },
    { headers: { 'x-key': '${MISSING}' } },
    { timeoutMs: 0 },
  ],
  variations: { model: { model: 'codestral-embed' }, dimensions: shorter, variant: null },
  options: [
    { set: shorter, expect: (body) => body['output_dimension'] === 256 },
    { set: { model: 'codestral-embed' }, expect: (body) => body['model'] === 'codestral-embed' },
    { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  ],
})

const request = (...texts: readonly string[]) =>
  ({ inputs: texts.map((text) => ({ type: 'text', text }) as const), inputType: 'document' }) as const

describe('createMistral', () => {
  test('a text beyond the context is refused by its position', async () => {
    await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
    const call = createMistral({ apiKey: SECRET, baseUrl: server.baseUrl }).embed(request('short', 'word '.repeat(9000)))
    await expect(call).rejects.toMatchObject({ code: 'input-too-long', inputIndexes: [1], status: 400 })
  })

  test('B54: more tokens than a request takes are told apart from a bad request', async () => {
    await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
    const texts = Array.from({ length: 4 }, () => 'word '.repeat(5000))
    const call = createMistral({ apiKey: SECRET, baseUrl: server.baseUrl }).embed(request(...texts))
    await expect(call).rejects.toMatchObject({ code: 'input-too-long', inputIndexes: undefined })
  })

  test.each(['', '/', '/v1', '/v1/', '/v1/embeddings'])('a base URL that ends in %j reaches the endpoint', async (end) => {
    await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
    const provider = createMistral({ apiKey: SECRET, baseUrl: server.origin + end })
    await provider.embed(request('a note'))
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/embeddings'])
    expect(provider.space.endpoint).toBe(`${server.origin}/v1`)
  })

  test('a path in front of a proxy is kept', async () => {
    await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
    const provider = createMistral({ apiKey: SECRET, baseUrl: `${server.origin}/mistral/v1` })
    await expect(provider.embed(request('a note'))).rejects.toMatchObject({ code: 'not-found' })
    expect(server.requests[0]?.path).toBe('/mistral/v1/embeddings')
  })

  test('known models have their limits, dimensions and price; a proxy has no price, an unknown model no bounds', () => {
    const apiKey = SECRET
    expect(createMistral({ apiKey })).toMatchObject({
      space: { model: 'mistral-embed', endpoint: 'https://api.mistral.ai/v1', requestedDimensions: null, variant: {} },
      limits: { maxInputs: 256, maxInputTokens: 8192, maxRequestTokens: 16_384, concurrency: 4 },
      traits: { isLocal: false, vectorWeight: 0.7, usdPerMillionTokens: 0.1 },
    })
    const inEurope = createMistral({ apiKey, model: 'codestral-embed', baseUrl: 'https://api.eu.mistral.ai' })
    expect(inEurope.traits.usdPerMillionTokens).toBe(0.15)
    expect(createMistral({ apiKey, baseUrl: 'http://localhost:4000' }).traits).toEqual({ isLocal: true, vectorWeight: 0.7 })
    expect(createMistral({ apiKey, model: 'next-embed', dimensions: 9999 }).space.requestedDimensions).toBe(9999)
  })

  test('tokens are not counted: the service has no tokenizer to ask', () => {
    expect(createMistral({ apiKey: SECRET }).countTokens).toBeUndefined()
  })
})
