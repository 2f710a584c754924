import {
  type ChatServer,
  ollamaChatWire,
  type ProviderSetup,
  recordOf,
  SAMPLE_JSON,
  SECRET,
  startChatServer,
} from '@mnemark/testkit'
import { describeTextGenerator } from '@mnemark/testkit/vitest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createOllamaGenerator } from './create.ts'
import type { OllamaGeneratorOptions } from './options.ts'

type Body = Readonly<Record<string, unknown>>

const model = 'sample-chat'
const optionsOf = (body: Body): Body => recordOf(body['options']) ?? {}
const misconfigured = [
  { model: ' ' },
  { id: ' ' },
  { baseUrl: ' ' },
  { baseUrl: 'ftp://localhost:11434' },
  { baseUrl: 'http://ollama.example' },
  { baseUrl: 'http://user:secret@localhost:11434' },
  { apiKey: '' },
  { apiKey: '${OLLAMA_API_KEY}' },
  { headers: { 'x-key': '${MISSING}' } },
  { contextSize: 1.5 },
  { maxOutputTokens: 0 },
  { think: 'hard' },
  { temperature: -1 },
  { keepAlive: 'a while' },
  { timeoutMs: 0 },
]
const options = [
  { set: { model: 'qwen3:4b' }, expect: (body: Body) => body['model'] === 'qwen3:4b' },
  { set: { contextSize: 4096 }, expect: (body: Body) => optionsOf(body)['num_ctx'] === 4096 },
  { set: { maxOutputTokens: 50 }, expect: (body: Body) => optionsOf(body)['num_predict'] === 50 },
  { set: { temperature: 0 }, expect: (body: Body) => optionsOf(body)['temperature'] === 0 },
  { set: { think: 'low' }, expect: (body: Body) => body['think'] === 'low' },
  { set: { keepAlive: '30m' }, expect: (body: Body) => body['keep_alive'] === '30m' },
]

describeTextGenerator('ollama', {
  create: ({ set, ...setup }: ProviderSetup) => createOllamaGenerator({ ...setup, model, ...set }),
  wire: ollamaChatWire,
  misconfigured,
  options,
})

describeTextGenerator('ollama, with limits', {
  create: ({ set, ...setup }: ProviderSetup) =>
    createOllamaGenerator({
      ...setup,
      model,
      contextSize: 2048,
      countTokens: (text) => text.split(' ').length,
      maxOutputTokens: 200,
      ...set,
    }),
  wire: ollamaChatWire,
  misconfigured,
  options,
})

const started = (): Promise<ChatServer> => startChatServer(ollamaChatWire, { apiKey: SECRET })
const request = { system: '', prompt: 'a note' }
const create = (given: Partial<OllamaGeneratorOptions>) => createOllamaGenerator({ model, ...given })

describe('createOllamaGenerator', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  test.each(['', '/', '/v1', '/v1/', '/api', '/api/chat', '/v1/chat/completions'])(
    'a base URL that ends in %j reaches /api/chat (B56)',
    async (end) => {
      await using server = await started()
      const generator = create({ baseUrl: server.origin + end })
      await generator.generate(request)
      expect(server.requests.map(({ path }) => path)).toEqual(['/api/chat'])
      expect(generator.endpoint).toBe(server.origin)
    },
  )

  test('the usual port and place; another host is remote', () => {
    expect(create({})).toMatchObject({ endpoint: 'http://127.0.0.1:11434', traits: { isLocal: true } })
    expect(create({ baseUrl: 'gpu-box' }).endpoint).toBe('http://gpu-box:11434')
    expect(create({ baseUrl: 'https://ollama.com' }).traits).toEqual({ isLocal: false })
  })

  test('nothing is cut without a word, nothing thought and nothing streamed', async () => {
    await using server = await started()
    await create({ baseUrl: server.origin }).generate(request)
    expect(server.requests[0]?.body).toEqual({
      model,
      messages: [{ role: 'user', content: 'a note' }],
      stream: false,
      truncate: false,
      shift: false,
      think: false,
      options: {},
    })
  })

  test('a schema goes out as the format, frozen or not, and is left as it was', async () => {
    await using server = await started()
    const schema = Object.freeze({ type: 'object', required: Object.freeze(['names']) })
    const { text } = await create({ baseUrl: server.origin }).generate({ ...request, schema })
    expect(text).toBe(SAMPLE_JSON)
    expect(server.requests[0]?.body).toMatchObject({ format: { type: 'object', required: ['names'] } })
  })

  test('a prompt beyond the context is refused by the server, not cut', async () => {
    await using server = await started()
    const call = create({ baseUrl: server.origin, contextSize: 512 }).generate({ ...request, prompt: 'word '.repeat(513) })
    await expect(call).rejects.toMatchObject({ code: 'input-too-long', status: 400 })
    expect(server.calls).toEqual([])
  })

  test.each([
    ['a prompt cut to the context', { inputTokens: 512, outputTokens: 11 }],
    ['a prompt shifted out by its answer', { inputTokens: 496, outputTokens: 30 }],
  ])('of servers that cut without a word, the counts tell: %s', async (_, usage) => {
    await using server = await started()
    server.behave({ answer: (_call, usual) => ({ ...usual, usage }) })
    const call = create({ baseUrl: server.origin, contextSize: 512 }).generate(request)
    await expect(call).rejects.toMatchObject({ code: 'input-too-long' })
  })

  test('an answer that ends where the context does was not cut', async () => {
    await using server = await started()
    const usage = { inputTokens: 500, outputTokens: 12 }
    server.behave({ answer: (_, usual) => ({ ...usual, usage }) })
    expect(await create({ baseUrl: server.origin, contextSize: 512 }).generate(request)).toMatchObject({ usage })
  })

  test('what a model thought is no part of its answer', async () => {
    await using server = await started()
    const message = { role: 'assistant', content: 'Bergen.', thinking: 'Where does Mara live?' }
    server.behave({ reply: { status: 200, body: { model, message, done: true, done_reason: 'stop' } } })
    expect(await create({ baseUrl: server.origin, think: true }).generate(request)).toEqual({
      text: 'Bergen.',
      finishReason: 'stop',
    })
  })

  test('a model that was not fetched says how to fetch it; one that cannot is not tried again', async () => {
    await using server = await started()
    const generator = create({ baseUrl: server.origin })
    server.behave({ reply: { status: 404, body: { error: "model 'sample-chat' not found" } } })
    await expect(generator.generate(request)).rejects.toThrow('ollama pull sample-chat')
    server.behave({ reply: { status: 400, body: { error: '"all-minilm" does not support chat' } } })
    await expect(generator.generate(request)).rejects.toMatchObject({ code: 'config' })
  })

  test('nothing in the environment moves a request or adds a key (B72)', async () => {
    vi.stubEnv('OLLAMA_API_KEY', 'not-for-this')
    vi.stubEnv('OLLAMA_HOST', 'http://127.0.0.1:1')
    const requests: [string, Headers][] = []
    const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
      requests.push([String(input), new Headers(init.headers)])
      return Response.json({ message: { content: 'yes' }, done_reason: 'stop' })
    }
    for (const baseUrl of [undefined, 'https://ollama.com']) await create({ baseUrl, fetch }).generate(request)
    expect(requests.map(([url]) => new URL(url).origin)).toEqual(['http://127.0.0.1:11434', 'https://ollama.com'])
    for (const [, headers] of requests) expect(headers.has('authorization')).toBe(false)
  })
})
