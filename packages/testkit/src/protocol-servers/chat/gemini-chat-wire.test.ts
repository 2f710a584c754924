import { expect, test } from 'vitest'
import { startChatServer } from './chat-wire.ts'
import { geminiChatWire } from './gemini-chat-wire.ts'

const KEY = 'key-test-only'
const PATH = '/v1beta/models/gemini-2.5-flash:generateContent'
const contents = [{ role: 'user', parts: [{ text: 'a note' }] }]
const schema = { type: 'object' }
const asJson = { responseMimeType: 'application/json', responseJsonSchema: schema }

async function post(body: object, { path = PATH, key = KEY } = {}) {
  await using server = await startChatServer(geminiChatWire, { apiKey: KEY })
  const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(server.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text(), calls: server.calls }
}

test.for<readonly [object, object]>([
  [{ contents }, { model: 'gemini-2.5-flash', system: '', prompt: 'a note' }],
  [{ contents, systemInstruction: { parts: [{ text: 'Be brief.' }] } }, { system: 'Be brief.' }],
  [{ contents, generationConfig: { maxOutputTokens: 5 } }, { maxOutputTokens: 5 }],
  [{ contents, generationConfig: asJson }, { schema }],
  [{ contents, generationConfig: { responseMimeType: 'application/json' } }, { isJson: true }],
])('%#: a good request is understood', async ([body, call]) => {
  const { status, text, calls } = await post(body)
  expect(status).toBe(200)
  expect(calls).toMatchObject([call])
  expect(JSON.parse(text)).toMatchObject({
    candidates: [{ content: { parts: [{ thought: true }, { text: expect.any(String) }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: expect.any(Number), thoughtsTokenCount: 1 },
  })
})

test.for<readonly [object, object, number]>([
  [{ contents: [] }, {}, 400],
  [{ contents: [...contents, ...contents] }, {}, 400],
  [{ contents: [{ role: 'model', parts: [{ text: 'a note' }] }] }, {}, 400],
  [{ contents, messages: [] }, {}, 400],
  [{ contents, generationConfig: { max_tokens: 5 } }, {}, 400],
  [{ contents, generationConfig: { maxOutputTokens: '5' } }, {}, 400],
  [{ contents, generationConfig: { responseJsonSchema: schema } }, {}, 400],
  [{ contents }, { key: 'another' }, 400],
  [{ contents }, { path: '/v1beta/models/gemini-2.5-flash:generate' }, 404],
])('%#: what the service does not take is refused', async ([body, at, status]) => {
  expect(await post(body, at)).toMatchObject({ status, calls: [] })
})
