import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { chatCompletionsWire, SECRET, startChatServer } from '@mnemark/testkit'
import { expect, expectTypeOf, test } from 'vitest'
import type { AISDKLanguageCall, AISDKLanguageModel, AISDKLanguageReply } from './ai-sdk-model.ts'
import { fromAISDK } from './from-ai-sdk.ts'

const request = { system: 'Be brief.', prompt: 'a note' }
const schema = { type: 'object', required: ['name'] }
const failure = (call: Promise<unknown>): Promise<unknown> => call.catch((thrown: unknown) => thrown)

/** A reply by hand, where no package behaves so. */
const answered = (members: Partial<AISDKLanguageReply> = {}): AISDKLanguageReply => ({
  content: [{ type: 'text', text: 'Bergen.' }],
  finishReason: 'stop',
  usage: {},
  warnings: [],
  ...members,
})

function modelOf(reply: AISDKLanguageReply | Error): AISDKLanguageModel & { readonly calls: AISDKLanguageCall[] } {
  const calls: AISDKLanguageCall[] = []
  const doGenerate = (call: AISDKLanguageCall): Promise<AISDKLanguageReply> => {
    calls.push(call)
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply)
  }
  return { specificationVersion: 'v3', provider: 'hand.chat', modelId: 'made', doGenerate, calls }
}

test('the models of all three specifications fit', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AISDKLanguageModel>()
  expectTypeOf<LanguageModelV3>().toExtend<AISDKLanguageModel>()
  expectTypeOf<LanguageModelV4>().toExtend<AISDKLanguageModel>()
})

test('a model is named by its provider and, without an address, remote', () => {
  expect(fromAISDK(modelOf(answered()))).toMatchObject({
    provider: 'ai-sdk:hand.chat',
    model: 'made',
    endpoint: null,
    traits: { isLocal: false },
  })
  expect(fromAISDK(modelOf(answered()), { endpoint: 'http://localhost:8080/v1/' })).toMatchObject({
    endpoint: 'http://localhost:8080/v1',
    traits: { isLocal: true },
  })
})

test('system and prompt are messages of their own, and nothing is sent that was not asked for', async () => {
  const model = modelOf(answered())
  await fromAISDK(model).generate(request)
  await fromAISDK(model)
    .generate({ ...request, system: '', schema: { type: 'string' } })
    .catch(() => {})
  expect(model.calls.map(({ abortSignal, ...call }) => ({ ...call, isStoppable: abortSignal instanceof AbortSignal }))).toEqual([
    {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'a note' }] },
      ],
      isStoppable: true,
    },
    {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'a note' }] }],
      responseFormat: { type: 'json', schema: { type: 'string' } },
      isStoppable: true,
    },
  ])
})

test.for([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'filtered'],
  [{ unified: 'stop', raw: 'end_turn' }, 'stop'],
  [{ unified: 'content-filter', raw: 'content_filter' }, 'filtered'],
  [{ unified: 'content-filter', raw: undefined }, 'filtered'],
  [{ unified: 'content-filter', raw: 'refusal' }, 'refused'],
  [{ unified: 'content-filter', raw: 'stop' }, 'refused'],
] as const)('an answer that ended with %j is %s', async ([finishReason, expected]) => {
  const reply = await fromAISDK(modelOf(answered({ finishReason }))).generate(request)
  expect(reply).toEqual({ text: 'Bergen.', finishReason: expected })
})

test.for([
  ['tool-calls', 'bad-response'],
  ['unknown', 'bad-response'],
  [{ unified: 'other', raw: 'odd' }, 'bad-response'],
  ['error', 'unavailable'],
  [{ unified: 'interrupted', raw: undefined }, 'unavailable'],
] as const)('an answer that ended with %j is %s', async ([finishReason, code]) => {
  const generator = fromAISDK(modelOf(answered({ finishReason })))
  expect(await failure(generator.generate(request))).toMatchObject({ code })
})

test('usage is read in the older and the newer form, and 0 of an older model is unknown', async () => {
  const usageOf = async (usage: AISDKLanguageReply['usage']) =>
    (await fromAISDK(modelOf(answered({ usage }))).generate(request)).usage
  expect(await usageOf({ inputTokens: 7, outputTokens: 2 })).toEqual({ inputTokens: 7, outputTokens: 2 })
  expect(await usageOf({ inputTokens: { total: 7 }, outputTokens: { total: 2 } })).toEqual({ inputTokens: 7, outputTokens: 2 })
  expect(await usageOf({ inputTokens: 0, outputTokens: 0 })).toBeUndefined()
  expect(await usageOf({ inputTokens: { total: undefined }, outputTokens: { total: 2 } })).toBeUndefined()
})

test('reasoning is no part of the text; of a structured answer the model says which text counts', async () => {
  const content = [
    { type: 'reasoning', text: 'Where does Mara live?' },
    { type: 'text', text: 'A draft. ' },
    { type: 'file' },
    { type: 'text', text: '{"name":"Mara"}' },
  ]
  const structured = answered({ content, structuredOutputText: '{"name":"Mara"}' })
  expect((await fromAISDK(modelOf(structured)).generate(request)).text).toBe('A draft. {"name":"Mara"}')
  expect((await fromAISDK(modelOf(structured)).generate({ ...request, schema })).text).toBe('{"name":"Mara"}')
})

test.for([
  ['v2', { type: 'unsupported-setting', setting: 'responseFormat' }],
  ['v3', { type: 'unsupported', feature: 'responseFormat' }],
] as const)('a model of %s that says it ignores the schema is not believed, even where the answer fits', async ([, warning]) => {
  const reply = answered({ content: [{ type: 'text', text: '{"name":"Mara"}' }], warnings: [warning] })
  const error = await failure(fromAISDK(modelOf(reply)).generate({ ...request, schema }))
  expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('schemaMode') })
  expect(await fromAISDK(modelOf(reply)).generate(request)).toMatchObject({ finishReason: 'stop' })
})

test.for([
  ['a name in place of a model', 'openai/gpt-4.1-mini', 'not a name'],
  ['an embedding model', { specificationVersion: 'v4', doEmbed: () => {} }, 'no language model'],
  ['an older specification', { ...modelOf(answered()), specificationVersion: 'v1' }, '"v1"'],
] as const)('%s is refused as config', ([, given, words]) => {
  // Callers without types may pass anything.
  expect(() => fromAISDK(given as unknown as AISDKLanguageModel)).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringContaining(words) }),
  )
})

test('words of a service are shown, without keys, where the keys are known; codes always', async () => {
  await using server = await startChatServer(chatCompletionsWire(), { apiKey: SECRET })
  const model = createOpenAI({ apiKey: SECRET, baseURL: server.baseUrl }).chat('sample-chat')
  const body = { error: { message: `the key ${SECRET} may not`, code: 'context_length_exceeded' } }
  server.behave({ reply: { status: 400, body } })
  const said = async (secrets?: readonly string[]) => String(await failure(fromAISDK(model, { secrets }).generate(request)))
  expect(await said()).toMatch(/too large \(HTTP 400, context_length_exceeded\)\./)
  expect(await said([SECRET])).toContain('"the key [redacted] may not"')
})

test('a fault of the model is a bad-response, without its words', async () => {
  const error = await failure(fromAISDK(modelOf(new TypeError(`cannot read ${SECRET}`))).generate(request))
  expect(error).toMatchObject({ code: 'bad-response', provider: 'ai-sdk:hand.chat' })
  expect(String(error) + String((error as Error).cause)).not.toContain(SECRET)
})
