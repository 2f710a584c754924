import { cohereLikeRerankWire, cohereRerankWire, startRerankServer } from '@mnemark/testkit'
import { describeReranker } from '@mnemark/testkit/vitest'
import { expect, test } from 'vitest'
import { createCohereCompatibleReranker } from './create.ts'

const model = 'sample-rerank'
const misconfigured = [
  { baseUrl: '' },
  { baseUrl: 'http://rerank.example/v1' },
  { baseUrl: undefined, apiKey: undefined },
  { model: ' ' },
  { apiKey: '' },
  { headers: { 'x-key': '${MISSING}' } },
  { limits: { maxPassages: 0 } },
  { body: { top_n: 3 } },
]

describeReranker('cohere', {
  create: ({ set, ...setup }) => createCohereCompatibleReranker({ ...setup, model, ...set }),
  wire: cohereRerankWire,
  misconfigured,
  options: [{ set: { body: { max_tokens_per_doc: 512 } }, expect: (body) => body['max_tokens_per_doc'] === 512 }],
})

describeReranker('cohere-compatible', {
  create: ({ set, ...setup }) => createCohereCompatibleReranker({ ...setup, model, ...set }),
  wire: cohereLikeRerankWire,
  misconfigured,
  options: [{ set: { body: { truncate: true } }, expect: (body) => body['truncate'] === true }],
})

const request = { query: 'a question', passages: ['one note', 'another note'] }

test('a server without a key gets none, and an address may end in the route', async () => {
  await using server = await startRerankServer(cohereLikeRerankWire)
  const reranker = createCohereCompatibleReranker({ model, baseUrl: `${server.baseUrl}/rerank/` })
  const { scores } = await reranker.rerank(request)
  expect(scores).toHaveLength(2)
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  expect(server.requests[0]?.body).toMatchObject({ top_n: 2 })
  expect(reranker).toMatchObject({ provider: 'cohere-compatible', endpoint: server.baseUrl, traits: { isLocal: true } })
})

test('Cohere itself is named so and needs a key', () => {
  expect(createCohereCompatibleReranker({ model, apiKey: 'sk-test' })).toMatchObject({
    provider: 'cohere',
    endpoint: 'https://api.cohere.com/v2',
    traits: { isLocal: false },
  })
})
