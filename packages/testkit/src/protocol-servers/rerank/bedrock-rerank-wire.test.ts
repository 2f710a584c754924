import { expect, test } from 'vitest'
import { bedrockRerankWire } from './bedrock-rerank-wire.ts'
import { sampleScore, startRerankServer } from './rerank-wire.ts'

const KEY = 'key-test-only'
const COHERE = 'cohere.rerank-v3-5:0'
const AMAZON = 'amazon.rerank-v1:0'
const documents = ['one note', 'another note about rent']
const rerank = { query: 'rent', documents, top_n: 2 }

async function post(model: string, body: object, key: string = KEY) {
  await using server = await startRerankServer(bedrockRerankWire, { apiKey: KEY })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = `${server.baseUrl}/model/${encodeURIComponent(model)}/invoke`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const tokens = response.headers.get('x-amzn-bedrock-input-token-count')
  return { status: response.status, body: await response.json(), tokens, calls: server.calls }
}

test.for<readonly [string, object]>([
  [COHERE, { ...rerank, api_version: 2 }],
  [`us.${COHERE}`, { query: 'rent', documents, api_version: 2 }],
  [AMAZON, rerank],
  [`arn:aws:bedrock:us-west-2::foundation-model/${AMAZON}`, rerank],
])('%s answers best first, with the positions of the passages', async ([model, body]) => {
  const [first, second] = documents.map((passage) => sampleScore('rent', passage))
  const results = [
    { index: 1, relevance_score: second },
    { index: 0, relevance_score: first },
  ]
  expect(await post(model, body)).toMatchObject({ status: 200, body: { results }, tokens: '7', calls: [{ model }] })
})

test.for<readonly [string, object, string, number]>([
  [COHERE, rerank, KEY, 400],
  [COHERE, { ...rerank, api_version: 1 }, KEY, 400],
  [COHERE, { ...rerank, api_version: 2, model: COHERE }, KEY, 400],
  [AMAZON, { ...rerank, api_version: 2 }, KEY, 400],
  [AMAZON, { ...rerank, top_n: 3 }, KEY, 400],
  [AMAZON, { ...rerank, query: '' }, KEY, 400],
  [AMAZON, { query: 'rent', documents: [] }, KEY, 400],
  [AMAZON, rerank, 'another', 403],
])('%#: what %s does not take is refused', async ([model, body, key, status]) => {
  expect(await post(model, body, key)).toMatchObject({ status, calls: [] })
})
