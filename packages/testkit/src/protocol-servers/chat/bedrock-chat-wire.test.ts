import { expect, test } from 'vitest'
import { bedrockChatWire } from './bedrock-chat-wire.ts'
import { SAMPLE_JSON, startChatServer } from './chat-wire.ts'

const KEY = 'key-test-only'
const PATH = '/model/amazon.nova-pro-v1%3A0/converse'
const messages = [{ role: 'user', content: [{ text: 'a note' }] }]
const schema = { type: 'object' }
const tools = [{ toolSpec: { name: 'answer', inputSchema: { json: schema } } }]
const formatOf = (text: string) => ({ textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: text } } } })

async function post(body: object, { path = PATH, key = KEY } = {}) {
  await using server = await startChatServer(bedrockChatWire, { apiKey: KEY })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(server.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json(), calls: server.calls }
}

const thought = { reasoningContent: expect.anything() }
const said = [thought, { text: 'Noted: a note' }]

test.for<readonly [object, object, readonly object[], string]>([
  [{ messages }, { model: 'amazon.nova-pro-v1:0', system: '', prompt: 'a note' }, said, 'end_turn'],
  [{ messages, system: [{ text: 'Be brief.' }] }, { system: 'Be brief.' }, said, 'end_turn'],
  [{ messages, inferenceConfig: { maxTokens: 5 } }, { maxOutputTokens: 5 }, said, 'end_turn'],
  [
    { messages, toolConfig: { tools, toolChoice: { any: {} } } },
    { schema },
    [thought, { toolUse: { toolUseId: 't-1', name: 'answer', input: JSON.parse(SAMPLE_JSON) } }],
    'tool_use',
  ],
  [{ messages, outputConfig: formatOf('{"type":"object"}') }, { schema }, [thought, { text: SAMPLE_JSON }], 'end_turn'],
])('%#: a good request is understood and answered', async ([body, call, content, stopReason]) => {
  const reply = await post(body)
  expect(reply).toMatchObject({ status: 200, calls: [call] })
  expect(reply.body).toMatchObject({ output: { message: { role: 'assistant', content } }, stopReason })
})

test.for<readonly [object, object, number]>([
  [{ messages: [] }, {}, 400],
  [{ messages: [{ role: 'user', content: [] }] }, {}, 400],
  [{ messages: [{ role: 'assistant', content: [{ text: 'a note' }] }] }, {}, 400],
  [{ messages, system: 'Be brief.' }, {}, 400],
  [{ messages, max_tokens: 5 }, {}, 400],
  [{ messages, inferenceConfig: { maxTokens: 0 } }, {}, 400],
  [{ messages, inferenceConfig: { max_tokens: 5 } }, {}, 400],
  [{ messages, toolConfig: { tools } }, {}, 400],
  [{ messages, toolConfig: { tools: [], toolChoice: { any: {} } } }, {}, 400],
  [{ messages, outputConfig: formatOf('yaml') }, {}, 400],
  [{ messages }, { key: 'another' }, 403],
  [{ messages }, { path: '/model/amazon.nova-pro-v1%3A0/chat' }, 404],
])('%#: what the service does not take is refused', async ([body, at, status]) => {
  expect(await post(body, at)).toMatchObject({ status, calls: [] })
})
