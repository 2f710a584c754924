import {
  chatCompletionsWire,
  SAMPLE_JSON,
  startChatServer,
  type ChatCompletionsWireSettings,
  type ChatServer,
} from '@mnemark/testkit'
import { describeTextGenerator } from '@mnemark/testkit/vitest'
import { expect, test } from 'vitest'
import { createOpenAICompatibleGenerator } from './create.ts'
import type { OpenAICompatibleGeneratorOptions } from './options.ts'

const model = 'sample-chat'
const fields = ['reasoning_effort']
const misconfigured = [
  { baseUrl: '' },
  { baseUrl: 'http://chat.example/v1' },
  { baseUrl: undefined, apiKey: undefined },
  { model: ' ' },
  { apiKey: '' },
  { apiKey: 'two\nlines' },
  { headers: { 'x-key': '${MISSING}' } },
  { schemaMode: 'yaml' },
  { maxOutputTokens: 0 },
  { contextWindow: -1 },
  { temperature: 3 },
  { body: { stream: true } },
]
const options = [
  { set: { temperature: 0 }, expect: (body: Readonly<Record<string, unknown>>) => body['temperature'] === 0 },
  { set: { maxOutputTokens: 50 }, expect: (body: Readonly<Record<string, unknown>>) => body['max_tokens'] === 50 },
  {
    set: { body: { reasoning_effort: 'low' } },
    expect: (body: Readonly<Record<string, unknown>>) => body['reasoning_effort'] === 'low',
  },
]
const countTokens = (text: string): number => text.split(' ').length

describeTextGenerator('openai-compatible', {
  create: ({ set, ...setup }) => createOpenAICompatibleGenerator({ ...setup, model, ...set }),
  wire: chatCompletionsWire({ fields }),
  misconfigured,
  options,
})

describeTextGenerator('openai-compatible, quirky, JSON mode, with limits', {
  create: ({ set, ...setup }) =>
    createOpenAICompatibleGenerator({
      ...setup,
      model,
      schemaMode: 'json_object',
      contextWindow: 1000,
      countTokens,
      maxOutputTokens: 200,
      ...set,
    }),
  wire: chatCompletionsWire({ fields, flavour: 'quirky', formats: ['json_object'], basePath: '/proxy/v1' }),
  misconfigured,
  options,
})

describeTextGenerator('openai-compatible, without schemas', {
  create: ({ set, ...setup }) => createOpenAICompatibleGenerator({ ...setup, model, schemaMode: 'none', ...set }),
  wire: chatCompletionsWire({ fields, formats: [] }),
  misconfigured,
  options,
})

const start = (settings?: ChatCompletionsWireSettings): Promise<ChatServer> => startChatServer(chatCompletionsWire(settings))
const request = { system: '', prompt: 'a note' }
const create = (given: Partial<OpenAICompatibleGeneratorOptions>) => createOpenAICompatibleGenerator({ model, ...given })

test.for([
  ['', '/v1', '/v1/chat/completions'],
  ['/v1/', '/v1', '/v1/chat/completions'],
  ['/odd/chat/completions', '/odd', '/odd/chat/completions'],
] as const)('a base URL ending in "%s" reaches %s/chat/completions', async ([ending, basePath, path]) => {
  await using server = await start({ basePath })
  const generator = create({ baseUrl: server.origin + ending })
  await generator.generate(request)
  expect(server.requests.map((each) => each.path)).toEqual([path])
  expect(generator.endpoint).toBe(server.origin + basePath)
})

test('a server without a key gets none, and nothing of the environment', async () => {
  await using server = await start()
  await create({ baseUrl: server.origin }).generate(request)
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  expect(Object.keys(server.requests[0]?.headers ?? {})).not.toContain('openai-organization')
})

test('OpenAI itself is named so, needs a key, and calls the limit by its newer name', async () => {
  const bodies: unknown[] = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)))
    return Response.json({ choices: [{ message: { content: 'yes' }, finish_reason: 'stop' }] })
  }
  const generator = create({ apiKey: 'sk-test', fetch, maxOutputTokens: 9 })
  expect(generator).toMatchObject({ provider: 'openai', endpoint: 'https://api.openai.com/v1', traits: { isLocal: false } })
  expect(await generator.generate(request)).toEqual({ text: 'yes', finishReason: 'stop' })
  expect(bodies).toEqual([{ model, messages: [{ role: 'user', content: 'a note' }], max_completion_tokens: 9 }])
})

test('a failure told inside a success has the code of its status', async () => {
  await using server = await start()
  for (const [code, expected] of [
    [429, 'rate-limit'],
    [402, 'quota'],
    ['odd', 'bad-response'],
  ]) {
    server.behave({ reply: { status: 200, body: { error: { code, message: 'Provider returned error' } } } })
    await expect(create({ baseUrl: server.origin }).generate(request)).rejects.toMatchObject({ code: expected })
  }
})

test('a schema is sent as it is given, frozen or not, and left as it was', async () => {
  await using server = await start()
  const schema = Object.freeze({ type: 'object', required: Object.freeze(['names']) })
  const { text } = await create({ baseUrl: server.origin }).generate({ ...request, schema })
  expect(text).toBe(SAMPLE_JSON)
  expect(server.calls[0]?.schema).toEqual({ type: 'object', required: ['names'] })
  expect(Object.getOwnPropertyNames(schema)).toEqual(['type', 'required'])
})
