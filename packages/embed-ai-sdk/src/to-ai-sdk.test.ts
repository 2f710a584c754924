/** Providers in `embed` and `embedMany` of the real `ai`. */
import type { EmbeddingModelV2, EmbeddingModelV3, EmbeddingModelV4 } from '@ai-sdk/provider'
import { defineEmbeddingProvider, type EmbeddingProviderDefinition, postJson, readOpenAIStyleReply } from '@mnemark/provider-kit'
import { ProviderError } from '@mnemark/spec'
import { openaiCompatibleWire, type ProtocolServer, startProtocolServer } from '@mnemark/testkit'
import { APICallError, embed, embedMany } from 'ai'
import { expect, expectTypeOf, test } from 'vitest'
import { type AISDKModelOf, toAISDK } from './to-ai-sdk.ts'

const inputType = { field: 'input_type', query: 'query', document: 'passage' } as const
const start = () => startProtocolServer(openaiCompatibleWire({ inputType, maxInputs: 2 }))
const failure = (call: Promise<unknown>): Promise<unknown> => call.catch((thrown: unknown) => thrown)

function providerOn({ baseUrl }: ProtocolServer, members: Partial<EmbeddingProviderDefinition> = {}, dimensions?: number) {
  return defineEmbeddingProvider({
    space: { provider: 'acme', endpoint: baseUrl, model: 'acme-1', requestedDimensions: dimensions ?? null, variant: {} },
    limits: { maxInputs: 2, concurrency: 2 },
    traits: { isLocal: true },
    embed: async ({ texts, inputType: type, signal }) => {
      const body = { model: 'acme-1', input: texts, input_type: type === 'query' ? 'query' : 'passage', dimensions }
      return readOpenAIStyleReply(await postJson({ url: `${baseUrl}/embeddings`, body, headers: {}, fetch, signal }))
    },
    ...members,
  })
}

test('the models fit all three specifications', () => {
  expectTypeOf<AISDKModelOf<'v2'>>().toExtend<EmbeddingModelV2<string>>()
  expectTypeOf<AISDKModelOf<'v3'>>().toExtend<EmbeddingModelV3>()
  expectTypeOf<AISDKModelOf<'v4'>>().toExtend<EmbeddingModelV4>()
})

test('embedMany splits by the limits of the provider, keeps the order and counts tokens', async () => {
  await using server = await start()
  const provider = providerOn(server)
  const values = ['an orchard', 'a bridge', 'a cello', 'a concert hall', 'a note']
  const { embeddings, usage } = await embedMany({ model: toAISDK(provider, { inputType: 'document' }), values })
  expect(server.calls.map(({ texts, inputType: type }) => [texts.length, type])).toEqual([
    [2, 'document'],
    [2, 'document'],
    [1, 'document'],
  ])
  expect(usage).toEqual({ tokens: 11 })
  const { vectors } = await provider.embed({ inputs: [{ type: 'text', text: 'a concert hall' }], inputType: 'document' })
  expect(embeddings[3]).toEqual([...(vectors[0] ?? [])])
  expect(embeddings).toHaveLength(5)
})

test.for(['v2', 'v3', 'v4'] as const)(
  'a model of specification %s embeds, and a call may say the input type',
  async (version) => {
    await using server = await start()
    const model = toAISDK(providerOn(server), { inputType: 'document', specificationVersion: version })
    const providerOptions = { mnemark: { inputType: 'query' } }
    const { embedding } = await embed({ model, value: 'a question', providerOptions })
    expect(embedding).toHaveLength(8)
    expect(server.calls.map(({ inputType: type }) => type)).toEqual(['query'])
  },
)

test('an input type that there is not is refused before anything is sent', async () => {
  await using server = await start()
  const model = toAISDK(providerOn(server), { inputType: 'document' })
  const providerOptions = { mnemark: { inputType: 'search' } }
  expect(await failure(embed({ model, value: 'a', providerOptions }))).toMatchObject({ code: 'invalid-input' })
  expect(server.requests).toHaveLength(0)
})

test('the dimensions that the provider is made for are given, others are refused', async () => {
  await using server = await start()
  const shorter = toAISDK(providerOn(server, {}, 4), { inputType: 'document' })
  expect((await embed({ model: shorter, value: 'a', dimensions: 4 })).embedding).toHaveLength(4)
  expect(await failure(embed({ model: shorter, value: 'a', dimensions: 8 }))).toMatchObject({ code: 'invalid-input' })
  expect(server.requests).toHaveLength(1)
  const providerOptions = { mnemark: { dimensions: 4 } }
  const usual = toAISDK(providerOn(server), { inputType: 'document' })
  expect(await failure(embed({ model: usual, value: 'a', providerOptions }))).toMatchObject({
    message: expect.stringContaining('4 dimensions were asked for, but the provider is made for 8'),
  })
})

test('the AI SDK retries what may be retried, after the wait that was asked for, and nothing else', async () => {
  await using server = await start()
  const model = toAISDK(providerOn(server), { inputType: 'document' })
  const replies = [429, 503].map((status) => ({ status, body: '', headers: { 'retry-after-ms': '5' } }))
  server.behave({ bend: (reply) => replies.shift() ?? reply })
  await expect(embed({ model, value: 'a', maxRetries: 2 })).resolves.toBeDefined()
  expect(server.requests).toHaveLength(3)
  server.behave({ reply: { status: 401, body: { error: 'no' } } })
  const error = await failure(embed({ model, value: 'a' }))
  expect(server.requests).toHaveLength(4)
  expect(ProviderError.isInstance(error) && error.code).toBe('auth')
  expect(APICallError.isInstance(error) && error.statusCode).toBe(401)
  expect(JSON.stringify(error)).not.toContain('requestBodyValues')
})

test('an abort reaches the request and is known as one', async () => {
  await using server = await start()
  server.behave({ delivery: 'silence' })
  const [arrival, departure] = [server.arrival(), server.departure()]
  const controller = new AbortController()
  const model = toAISDK(providerOn(server), { inputType: 'document' })
  const call = failure(embed({ model, value: 'a', abortSignal: controller.signal }))
  await arrival
  controller.abort()
  expect(await call).toMatchObject({ name: 'AbortError' })
  await departure
  expect(server.requests).toHaveLength(1)
})

test('a text that a model knows nothing of is an error, not a vector of zeros', async () => {
  await using server = await start()
  const none = () => Promise.resolve({ embeddings: [{ values: [1, 0] }, { values: null }] })
  const model = toAISDK(providerOn(server, { hasNullVectors: true, embed: none }), { inputType: 'document' })
  expect(await failure(embedMany({ model, values: ['a', 'xqzt'] }))).toMatchObject({ code: 'invalid-input', inputIndexes: [1] })
})

test('limits in bytes and tokens are told, and embedMany keeps to them', async () => {
  await using server = await start()
  const limits = { maxInputs: 2, concurrency: 1, maxRequestTokens: 12 }
  const model = toAISDK(providerOn(server, { limits }), { inputType: 'document' })
  expect(model.supportsParallelCalls).toBe(false)
  await embedMany({ model, values: ['ten bytes!', 'ten more..'] })
  expect(server.calls.map(({ texts }) => texts.length)).toEqual([1, 1])
})
