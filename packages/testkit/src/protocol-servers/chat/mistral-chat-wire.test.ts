/** The server is as strict as the service. */
import { expect, test } from 'vitest'
import { SAMPLE_JSON, startChatServer } from './chat-wire.ts'
import { mistralChatWire } from './mistral-chat-wire.ts'

const KEY = 'sk-test-only'
const schema = { type: 'object' }
const named = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } }
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'a note' },
]
const request = (fields: object = {}): object => ({ model: 'm', messages, stream: false, ...fields })

async function post(origin: string, body: object, key: string = KEY): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

test.for<readonly [object, object, string]>([
  [request(), { system: 'Be brief.', prompt: 'a note' }, 'Noted: a note'],
  [request({ max_tokens: 5 }), { maxOutputTokens: 5 }, 'Noted: a note'],
  [request({ response_format: { type: 'json_object' } }), { isJson: true }, SAMPLE_JSON],
  [request({ response_format: named }), { schema }, SAMPLE_JSON],
])('%#: a good request is understood and answered', async ([body, call, content]) => {
  await using server = await startChatServer(mistralChatWire, { apiKey: KEY })
  const choices = [{ index: 0, message: { role: 'assistant', tool_calls: null, content }, finish_reason: 'stop' }]
  expect(await post(server.origin, body)).toMatchObject({ status: 200, body: { object: 'chat.completion', choices } })
  expect(server.calls[0]).toMatchObject(call)
})

test.for<readonly [object, object]>([
  [{ messages }, { detail: [{ loc: ['body', 'model'] }] }],
  [request({ messages: [] }), { detail: [{ loc: ['body', 'messages'] }] }],
  [request({ stream: true }), { detail: [{ loc: ['body', 'stream'] }] }],
  [request({ max_tokens: 1.5 }), { detail: [{ loc: ['body', 'max_tokens'] }] }],
  [request({ reasoning_effort: 'much' }), { detail: [{ loc: ['body', 'reasoning_effort'] }] }],
  [request({ response_format: { type: 'json_schema' } }), { detail: [{ loc: ['body', 'response_format'] }] }],
  [request({ seed: 1 }), { message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], input: 1 }] } }],
])('%#: what the service does not take is refused', async ([sent, body]) => {
  await using server = await startChatServer(mistralChatWire, { apiKey: KEY })
  expect(await post(server.origin, sent)).toMatchObject({ status: 422, body })
  expect(server.calls).toEqual([])
})

test('a prompt beyond the context is refused', async () => {
  await using server = await startChatServer(mistralChatWire, { apiKey: KEY })
  const long = request({ messages: [{ role: 'user', content: 'word '.repeat(131_073) }] })
  expect(await post(server.origin, long)).toMatchObject({ status: 400, body: { code: '3051', raw_status_code: 400 } })
})

test('a wrong key is refused', async () => {
  await using server = await startChatServer(mistralChatWire, { apiKey: KEY })
  expect(await post(server.origin, request(), 'sk-other')).toEqual({ status: 401, body: { detail: 'Unauthorized' } })
})
