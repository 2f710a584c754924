/** Generators in `generateText` and `streamText` of the real `ai`. */
import type { JSONSchema7, LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { defineTextGenerator, fieldsOf, postJson, type TextGeneratorDefinition } from '@mnemark/provider-kit'
import { ProviderError } from '@mnemark/spec'
import { type ChatAnswer, chatCompletionsWire, type ChatServer, SAMPLE_JSON, startChatServer } from '@mnemark/testkit'
import { APICallError, generateText, jsonSchema, Output, streamText, tool } from 'ai'
import { expect, expectTypeOf, test } from 'vitest'
import { type AISDKModelOf, toAISDK } from './to-ai-sdk.ts'

const start = (): Promise<ChatServer> => startChatServer(chatCompletionsWire())
const failure = (call: PromiseLike<unknown>): Promise<unknown> => Promise.resolve(call).catch((thrown: unknown) => thrown)
const prompt = 'Where does Mara live?'

function generatorOn({ baseUrl }: ChatServer, members: Partial<TextGeneratorDefinition> = {}) {
  return defineTextGenerator({
    provider: 'acme',
    endpoint: baseUrl,
    model: 'acme-1',
    traits: { isLocal: true },
    generate: async ({ system, prompt: asked, schema, maxOutputTokens, signal }) => {
      const body = {
        model: 'acme-1',
        messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: asked }],
        ...(schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
        ...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
      }
      const reply = fieldsOf(await postJson({ url: `${baseUrl}/chat/completions`, body, headers: {}, fetch, signal }))
      const { message, finish_reason: word } = fieldsOf((reply['choices'] as unknown[])[0])
      const { content, refusal } = fieldsOf(message)
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = fieldsOf(reply['usage'])
      const finishReason = typeof refusal === 'string' ? 'refused' : word === 'length' ? 'length' : 'stop'
      return { text: content ?? refusal, finishReason, inputTokens, outputTokens }
    },
    ...members,
  })
}

const MODELS = {
  v2: (server: ChatServer) => toAISDK(generatorOn(server), { specificationVersion: 'v2' }),
  v3: (server: ChatServer) => toAISDK(generatorOn(server), { specificationVersion: 'v3' }),
  v4: (server: ChatServer) => toAISDK(generatorOn(server)),
}

test('the models fit all three specifications', () => {
  expectTypeOf<AISDKModelOf<'v2'>>().toExtend<LanguageModelV2>()
  expectTypeOf<AISDKModelOf<'v3'>>().toExtend<LanguageModelV3>()
  expectTypeOf<AISDKModelOf<'v4'>>().toExtend<LanguageModelV4>()
})

test.for(['v2', 'v3', 'v4'] as const)('a model of specification %s answers, and says what it cost', async (version) => {
  await using server = await start()
  const model = MODELS[version](server)
  const { text, finishReason, usage } = await generateText({ model, system: 'Be brief.', prompt, maxOutputTokens: 9 })
  expect({ text, finishReason }).toEqual({ text: `Noted: ${prompt}`, finishReason: 'stop' })
  expect(usage).toMatchObject({ inputTokens: 6, outputTokens: 5, totalTokens: 11 })
  expect(server.calls).toEqual([{ model: 'acme-1', system: 'Be brief.', prompt, maxOutputTokens: 9 }])
})

test.for(['v2', 'v3', 'v4'] as const)('streamText gets the whole answer as one piece, of specification %s', async (version) => {
  await using server = await start()
  const result = streamText({ model: MODELS[version](server), prompt })
  const pieces: string[] = []
  for await (const piece of result.textStream) pieces.push(piece)
  expect(pieces).toEqual([`Noted: ${prompt}`])
  expect(await result.finishReason).toBe('stop')
  expect(await result.usage).toMatchObject({ inputTokens: 5, outputTokens: 5 })
  expect(server.requests).toHaveLength(1)
})

test.for([
  [{ text: 'Mara lives in', finishReason: 'length' }, 'length', 'Mara lives in'],
  [{ text: 'I cannot.', finishReason: 'refused' }, 'content-filter', 'I cannot.'],
  [{ text: '', finishReason: 'length' }, 'length', ''],
] as const satisfies readonly (readonly [ChatAnswer, string, string])[])(
  'an answer of %j ended as %s',
  async ([answer, expected, text]) => {
    await using server = await start()
    server.behave({ answer: () => answer })
    const reply = await generateText({ model: toAISDK(generatorOn(server)), prompt })
    expect([reply.finishReason, reply.text]).toEqual([expected, text])
    expect(reply.usage.totalTokens).toBeUndefined()
  },
)

test('a schema is that of the generator, and JSON without one is an object', async () => {
  await using server = await start()
  const model = toAISDK(generatorOn(server))
  const schema: JSONSchema7 = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }
  const { output } = await generateText({ model, prompt, output: Output.object({ schema: jsonSchema(schema) }) })
  expect(output).toEqual(JSON.parse(SAMPLE_JSON))
  await generateText({ model, prompt, output: Output.json() })
  expect(server.calls.map((call) => call.schema)).toEqual([schema, { type: 'object' }])
})

test('what a generator cannot answer is refused before anything is sent', async () => {
  await using server = await start()
  const model = toAISDK(generatorOn(server))
  const tools = { look: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'nothing' }) }
  const image = { type: 'file', data: new Uint8Array([1]), mediaType: 'image/png' } as const
  const calls = [
    generateText({ model, prompt, tools }),
    generateText({ model, messages: [{ role: 'user', content: [image] }] }),
    generateText({
      model,
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    }),
  ]
  for (const call of calls) expect(await failure(call)).toMatchObject({ code: 'invalid-input', provider: 'acme' })
  expect(server.requests).toHaveLength(0)
})

test('settings that are chosen where the generator is made are left out with a warning, in the form of each specification', async () => {
  await using server = await start()
  const call = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }], temperature: 0, seed: 1 }
  const { warnings } = await toAISDK(generatorOn(server)).doGenerate(call)
  expect(warnings).toEqual([
    { type: 'unsupported', feature: 'temperature' },
    { type: 'unsupported', feature: 'seed' },
  ])
  const older = await toAISDK(generatorOn(server), { specificationVersion: 'v2' }).doGenerate(call)
  expect(older.warnings).toContainEqual({ type: 'other', message: 'seed is not supported and was left out' })
})

test('the AI SDK retries what may be retried, after the wait that was asked for, and nothing else', async () => {
  await using server = await start()
  const model = toAISDK(generatorOn(server))
  const replies = [429, 503].map((status) => ({ status, body: '', headers: { 'retry-after-ms': '5' } }))
  server.behave({ bend: (reply) => replies.shift() ?? reply })
  await expect(generateText({ model, prompt, maxRetries: 2 })).resolves.toBeDefined()
  expect(server.requests).toHaveLength(3)
  server.behave({ reply: { status: 401, body: { error: 'no' } } })
  const error = await failure(generateText({ model, prompt }))
  expect(server.requests).toHaveLength(4)
  expect(ProviderError.isInstance(error) && error.code).toBe('auth')
  expect(APICallError.isInstance(error) && error.statusCode).toBe(401)
})

test('an abort reaches the request and is known as one', async () => {
  await using server = await start()
  server.behave({ delivery: 'silence' })
  const [arrival, departure] = [server.arrival(), server.departure()]
  const controller = new AbortController()
  const call = failure(generateText({ model: toAISDK(generatorOn(server)), prompt, abortSignal: controller.signal }))
  await arrival
  controller.abort()
  expect(await call).toMatchObject({ name: 'AbortError' })
  await departure
  expect(server.requests).toHaveLength(1)
})
