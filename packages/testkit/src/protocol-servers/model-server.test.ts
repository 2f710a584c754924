/** The servers are as strict as the services: what they refuse is refused here. */
import { expect, test } from 'vitest'
import { chatCompletionsWire } from './chat/chat-completions-wire.ts'
import { type ChatWire, SAMPLE_JSON, startChatServer } from './chat/chat-wire.ts'
import { ollamaChatWire } from './chat/ollama-chat-wire.ts'
import { sampleScore, startRerankServer } from './rerank/rerank-wire.ts'
import { cohereRerankWire, voyageRerankWire } from './rerank/rerank-wires.ts'

const KEY = 'sk-test-only'
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'a note' },
]
const schema = { type: 'object' }

async function post(url: string, body: object, key: string = KEY): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

const named = { type: 'json_schema', json_schema: { name: 'answer', schema } }
const completions = (body: object): object => ({ model: 'm', messages, ...body })
const chat = (body: object): object => ({ model: 'm', messages, stream: false, ...body })

test.for<readonly [ChatWire, string, object, object]>([
  [chatCompletionsWire(), '/chat/completions', completions({}), { system: 'Be brief.', prompt: 'a note' }],
  [chatCompletionsWire(), '/chat/completions', completions({ max_completion_tokens: 5 }), { maxOutputTokens: 5 }],
  [chatCompletionsWire(), '/chat/completions', completions({ response_format: named }), { schema }],
  [ollamaChatWire, '/api/chat', chat({}), { system: 'Be brief.', prompt: 'a note' }],
  [ollamaChatWire, '/api/chat', chat({ options: { num_predict: 5 } }), { maxOutputTokens: 5 }],
  [ollamaChatWire, '/api/chat', chat({ format: schema }), { schema }],
  [ollamaChatWire, '/api/chat', chat({ format: 'json' }), { isJson: true }],
])('%#: a good request is understood and answered', async ([wire, path, body, call]) => {
  await using server = await startChatServer(wire, { apiKey: KEY })
  const { status, body: reply } = await post(server.baseUrl + path, body)
  expect(status).toBe(200)
  expect(server.calls[0]).toMatchObject(call)
  const isJson = 'schema' in call || 'isJson' in call
  expect(JSON.stringify(reply)).toContain(JSON.stringify(isJson ? SAMPLE_JSON : 'Noted: a note'))
})

test.for<readonly [ChatWire, string, object, number]>([
  [chatCompletionsWire(), '/chat/completions', { messages }, 400],
  [chatCompletionsWire(), '/chat/completions', completions({ messages: [] }), 400],
  [chatCompletionsWire(), '/chat/completions', completions({ messages: messages.toReversed() }), 400],
  [chatCompletionsWire(), '/chat/completions', completions({ streem: true }), 400],
  [chatCompletionsWire({ flavour: 'quirky' }), '/chat/completions', completions({ max_completion_tokens: 5 }), 400],
  [chatCompletionsWire({ formats: [] }), '/chat/completions', completions({ response_format: named }), 400],
  [chatCompletionsWire(), '/chat/completions', completions({ response_format: { type: 'json_object' } }), 400],
  [chatCompletionsWire(), '/completions', completions({}), 404],
  [ollamaChatWire, '/api/chat', { model: 'm', messages }, 400],
  [ollamaChatWire, '/api/chat', chat({ format: 'yaml' }), 400],
  [ollamaChatWire, '/api/chat', chat({ options: { tempo: 1 } }), 400],
])('%#: what the service does not take is refused', async ([wire, path, body, status]) => {
  await using server = await startChatServer(wire, { apiKey: KEY })
  // A page that is not there is no JSON everywhere.
  expect(await post(server.baseUrl + path, body)).toMatchObject({ status })
  expect(server.calls).toEqual([])
})

const documents = ['one note', 'another note about rent']
const rerank = { model: 'm', query: 'rent', documents }

test('rerankers answer best first, with the positions of the passages', async () => {
  const [first, second] = documents.map((passage) => sampleScore('rent', passage))
  await using cohere = await startRerankServer(cohereRerankWire, { apiKey: KEY })
  expect((await post(`${cohere.baseUrl}/rerank`, { ...rerank, top_n: 2 })).body).toMatchObject({
    results: [
      { index: 1, relevance_score: second },
      { index: 0, relevance_score: first },
    ],
  })
  await using voyage = await startRerankServer(voyageRerankWire, { apiKey: KEY })
  expect((await post(`${voyage.baseUrl}/rerank`, { ...rerank, top_k: 2 })).body).toMatchObject({
    data: [
      { index: 1, relevance_score: second },
      { index: 0, relevance_score: first },
    ],
    usage: { total_tokens: 7 },
  })
})

test.for<readonly [object, string, number]>([
  [{ ...rerank, top_k: 2 }, KEY, 422],
  [{ ...rerank, query: '' }, KEY, 400],
  [{ ...rerank, documents: [] }, KEY, 400],
  [{ ...rerank, documents: [1] }, KEY, 400],
  [rerank, 'sk-other', 401],
])('%#: what a reranking service does not take is refused', async ([body, key, status]) => {
  await using server = await startRerankServer(cohereRerankWire, { apiKey: KEY })
  expect(await post(`${server.baseUrl}/rerank`, body, key)).toMatchObject({ status })
})
