import { type ChatServer, mistralChatWire, type ProviderSetup, SAMPLE_JSON, SECRET, startChatServer } from '@mnemark/testkit'
import { describeTextGenerator } from '@mnemark/testkit/vitest'
import { describe, expect, test } from 'vitest'
import { createMistralGenerator } from './create.ts'
import type { MistralGeneratorOptions } from './options.ts'

type Body = Readonly<Record<string, unknown>>

const model = 'mistral-small-latest'
const misconfigured = [
  { apiKey: undefined },
  { apiKey: ' ' },
  { apiKey: '${MISTRAL_API_KEY}' },
  { baseUrl: 'http://api.mistral.ai' },
  { baseUrl: 'https://user:secret@api.mistral.ai' },
  { baseUrl: 'https://api.mistral.ai/v2' },
  { model: '' },
  { headers: { 'x-key': '${MISSING}' } },
  { temperature: 2 },
  { reasoningEffort: 'much' },
  { maxOutputTokens: 0 },
  { contextWindow: 1.5 },
  { timeoutMs: 0 },
]
const options = [
  { set: { model: 'magistral-medium-latest' }, expect: (body: Body) => body['model'] === 'magistral-medium-latest' },
  { set: { maxOutputTokens: 50 }, expect: (body: Body) => body['max_tokens'] === 50 },
  { set: { temperature: 0 }, expect: (body: Body) => body['temperature'] === 0 },
  { set: { reasoningEffort: 'none' }, expect: (body: Body) => body['reasoning_effort'] === 'none' },
  {
    set: { headers: { 'X-Team': 'notes' } },
    expect: (_: Body, { headers }: { readonly headers: Readonly<Record<string, string>> }) => headers['x-team'] === 'notes',
  },
]

describeTextGenerator('mistral', {
  create: ({ set, ...setup }: ProviderSetup) => createMistralGenerator({ ...setup, model, ...set }),
  wire: mistralChatWire,
  misconfigured,
  options,
})

describeTextGenerator('mistral, with limits', {
  create: ({ set, ...setup }: ProviderSetup) =>
    createMistralGenerator({
      ...setup,
      model,
      contextWindow: 1000,
      countTokens: (text) => text.split(' ').length,
      maxOutputTokens: 200,
      ...set,
    }),
  wire: mistralChatWire,
  misconfigured,
  options,
})

const started = (): Promise<ChatServer> => startChatServer(mistralChatWire, { apiKey: SECRET })
const request = { system: '', prompt: 'a note' }
const create = (given: Partial<MistralGeneratorOptions>) => createMistralGenerator({ apiKey: SECRET, model, ...given })

describe('createMistralGenerator', () => {
  test.each(['', '/', '/v1', '/v1/', '/v1/chat/completions'])('a base URL that ends in %j reaches the endpoint', async (end) => {
    await using server = await started()
    const generator = create({ baseUrl: server.origin + end })
    await generator.generate(request)
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
    expect(generator.endpoint).toBe(`${server.origin}/v1`)
  })

  test('without settings it is Mistral itself, remote and without a price', () => {
    expect(create({})).toMatchObject({ provider: 'mistral', endpoint: 'https://api.mistral.ai/v1', traits: { isLocal: false } })
  })

  test('a schema goes out strict, frozen or not, and is left as it was', async () => {
    await using server = await started()
    const schema = Object.freeze({ type: 'object', required: Object.freeze(['names']) })
    const { text } = await create({ baseUrl: server.origin }).generate({ ...request, schema })
    expect(text).toBe(SAMPLE_JSON)
    expect(server.requests[0]?.body).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object', required: ['names'] }, strict: true },
      },
    })
  })

  test.each([
    ['model_length', { finishReason: 'length' }],
    ['length', { finishReason: 'length' }],
  ])('an answer that ended with %s was cut', async (word, expected) => {
    await using server = await started()
    server.behave({ bend: (reply) => ({ ...reply, body: finished(reply.body, word) }) })
    expect(await create({ baseUrl: server.origin }).generate(request)).toMatchObject(expected)
  })

  test.each([
    ['error', 'unavailable'],
    ['tool_calls', 'bad-response'],
    ['tired', 'bad-response'],
  ])('an answer that ended with %s is %s', async (word, code) => {
    await using server = await started()
    server.behave({ bend: (reply) => ({ ...reply, body: finished(reply.body, word) }) })
    await expect(create({ baseUrl: server.origin }).generate(request)).rejects.toMatchObject({ code })
  })

  test('a prompt beyond the context is told apart from what a model cannot do', async () => {
    await using server = await started()
    const prompt = 'word '.repeat(131_073)
    const call = create({ baseUrl: server.origin }).generate({ ...request, prompt })
    await expect(call).rejects.toMatchObject({ code: 'input-too-long', status: 400 })
  })

  test('of an answer in pieces the text counts, not the reasoning', async () => {
    await using server = await started()
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Where does Mara live?' }] },
      { type: 'text', text: 'In ' },
      { type: 'text', text: 'Bergen.' },
    ]
    server.behave({ reply: { status: 200, body: { choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] } } })
    expect(await create({ baseUrl: server.origin }).generate(request)).toEqual({ text: 'In Bergen.', finishReason: 'stop' })
  })

  test('an answer without what only the SDK needs is understood, usage included', async () => {
    await using server = await started()
    const choices = [{ message: { content: 'Bergen.' }, finish_reason: 'stop' }]
    server.behave({ reply: { status: 200, body: { choices, usage: { prompt_tokens: 3, completion_tokens: 2 } } } })
    expect(await create({ baseUrl: server.origin }).generate(request)).toEqual({
      text: 'Bergen.',
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 2 },
    })
  })
})

/** The same answer with another word for its end. */
function finished(body: unknown, word: string): unknown {
  const { choices, ...rest } = Object(body)
  return { ...rest, choices: [{ ...choices[0], finish_reason: word }] }
}
