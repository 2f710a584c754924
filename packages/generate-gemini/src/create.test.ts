import { geminiChatWire, SECRET, startChatServer } from '@mnemark/testkit'
import { describeTextGenerator } from '@mnemark/testkit/vitest'
import { afterEach, expect, test, vi } from 'vitest'
import { createGeminiGenerator } from './create.ts'

const model = 'gemini-2.5-flash'
const wordsOf = (body: Readonly<Record<string, unknown>>): string => JSON.stringify(body)

describeTextGenerator('gemini', {
  create: ({ set, ...setup }) => createGeminiGenerator({ ...setup, model, ...set }),
  wire: geminiChatWire,
  misconfigured: [
    { apiKey: undefined },
    { apiKey: ' ' },
    { apiKey: '${GEMINI_API_KEY}' },
    { baseUrl: '' },
    { baseUrl: 'http://generativelanguage.googleapis.com' },
    { model: '' },
    { model: '../files' },
    { temperature: 3 },
    { thinking: 'high' },
    { thinking: { level: 'deep' } },
    { thinking: { budget: 0.5 } },
    { thinking: { budget: 1, level: 'low' } },
    { maxOutputTokens: 0 },
    { contextWindow: -1 },
    { headers: { 'x-key': '${MISSING}' } },
    { timeoutMs: 0 },
  ],
  options: [
    { set: { model: 'models/gemini-2.5-pro' }, expect: (_, { path }) => path.includes('/models/gemini-2.5-pro:') },
    { set: { temperature: 0 }, expect: (body) => wordsOf(body).includes('"temperature":0') },
    { set: { maxOutputTokens: 50 }, expect: (body) => wordsOf(body).includes('"maxOutputTokens":50') },
    { set: { thinking: { budget: 0 } }, expect: (body) => wordsOf(body).includes('"thinkingConfig":{"thinkingBudget":0}') },
    { set: { thinking: { level: 'low' } }, expect: (body) => wordsOf(body).includes('"thinkingConfig":{"thinkingLevel":"LOW"}') },
    { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  ],
})

describeTextGenerator('gemini, without schemas, with limits', {
  create: ({ set, ...setup }) =>
    createGeminiGenerator({
      ...setup,
      model: 'gemma-3-27b-it',
      traits: { hasSchema: false },
      contextWindow: 1000,
      countTokens: (text) => text.split(' ').length,
      maxOutputTokens: 200,
      ...set,
    }),
  wire: geminiChatWire,
  misconfigured: [{ apiKey: '' }],
  options: [],
})

const request = { system: '', prompt: 'a note' }

afterEach(() => {
  vi.unstubAllEnvs()
})

async function answerTo(body: unknown) {
  await using server = await startChatServer(geminiChatWire, { apiKey: SECRET })
  server.behave({ reply: { status: 200, body } })
  return await createGeminiGenerator({ apiKey: SECRET, baseUrl: server.baseUrl, model }).generate(request)
}

test.for(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE'])(
  'an answer that ended as %s was held back, with or without a text',
  async (finishReason) => {
    expect(await answerTo({ candidates: [{ finishReason }] })).toEqual({ text: '', finishReason: 'filtered' })
    const content = { parts: [{ text: 'Mara lives in' }] }
    expect(await answerTo({ candidates: [{ content, finishReason }] })).toMatchObject({ text: 'Mara lives in' })
  },
)

test.for(['SAFETY', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT'])(
  'a prompt that was blocked for %s is an answer that was held back',
  async (blockReason) => {
    const usageMetadata = { promptTokenCount: 7, totalTokenCount: 7 }
    expect(await answerTo({ promptFeedback: { blockReason }, usageMetadata })).toEqual({
      text: '',
      finishReason: 'filtered',
      usage: { inputTokens: 7, outputTokens: 0 },
    })
  },
)

test('several parts are one text, without what the model thought, which is paid for', async () => {
  const parts = [{ text: 'Hm.', thought: true }, { text: 'Mara lives' }, { text: ' in Bergen.', thoughtSignature: 'c2ln' }]
  const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 5, thoughtsTokenCount: 40, totalTokenCount: 52 }
  expect(await answerTo({ candidates: [{ content: { parts }, finishReason: 'STOP' }], usageMetadata })).toEqual({
    text: 'Mara lives in Bergen.',
    finishReason: 'stop',
    usage: { inputTokens: 7, outputTokens: 45 },
  })
})

test.for([
  { candidates: [{ content: { parts: [{ text: 'Hm.', thought: true }] }, finishReason: 'STOP' }] },
  { candidates: [{ content: { parts: [{ text: 'Mara' }] }, finishReason: 'OTHER' }] },
  { candidates: [{ content: { parts: [{ text: 'Mara' }] } }] },
  { candidates: [] },
])('an answer that says nothing to rely on is a bad response, case %#', async (body) => {
  await expect(answerTo(body)).rejects.toMatchObject({ code: 'bad-response' })
})

test.each(['', '/', '/v1beta', '/v1beta/', '/v1beta/openai', '/v1/'])(
  'a base URL that ends in %j reaches the model',
  async (end) => {
    await using server = await startChatServer(geminiChatWire, { apiKey: SECRET })
    const generator = createGeminiGenerator({ apiKey: SECRET, baseUrl: server.origin + end, model })
    await generator.generate(request)
    const version = end === '/v1/' ? 'v1' : 'v1beta'
    expect(server.requests.map(({ path }) => path)).toEqual([`/${version}/models/${model}:generateContent`])
    expect(generator.endpoint).toBe(server.origin)
  },
)

test('nothing in the environment moves a request to another host or service', async () => {
  await using server = await startChatServer(geminiChatWire, { apiKey: SECRET })
  vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true')
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', 'http://127.0.0.1:1')
  vi.stubEnv('GOOGLE_GENAI_API_VERSION', 'v9')
  vi.stubEnv('GEMINI_API_KEY', 'another-key')
  await createGeminiGenerator({ apiKey: SECRET, baseUrl: server.baseUrl, model }).generate(request)
  expect(server.calls).toHaveLength(1)
})
