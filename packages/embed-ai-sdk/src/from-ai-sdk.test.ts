import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAI as createOpenAIV2 } from '@ai-sdk/openai-v2'
import type { EmbeddingModelV2, EmbeddingModelV3, EmbeddingModelV4 } from '@ai-sdk/provider'
import { createVoyage } from '@ai-sdk/voyage'
import { guardedFetch } from '@mnemark/provider-kit'
import { fingerprint } from '@mnemark/spec'
import { openAIWire, SECRET, startProtocolServer, voyageWire } from '@mnemark/testkit'
import { expect, expectTypeOf, test, vi } from 'vitest'
import type { AISDKEmbeddingModel, AISDKEmbeddingReply } from './ai-sdk-model.ts'
import { fromAISDK } from './from-ai-sdk.ts'

const note = { inputs: [{ type: 'text', text: 'a note' }], inputType: 'document' } as const
const query = { ...note, inputType: 'query' } as const
const apiKey = SECRET
const failure = (call: Promise<unknown>): Promise<unknown> => call.catch((thrown: unknown) => thrown)

/** A hand-made model, for behaviour that no package has. */
const model = (members: Partial<AISDKEmbeddingModel> = {}): AISDKEmbeddingModel => ({
  specificationVersion: 'v3',
  provider: 'hand.embedding',
  modelId: 'made',
  maxEmbeddingsPerCall: 4,
  supportsParallelCalls: true,
  doEmbed: ({ values }) => Promise.resolve({ embeddings: values.map(() => [3, 4]) }),
  ...members,
})

test('the models of all three specifications fit', () => {
  expectTypeOf<EmbeddingModelV2<string>>().toExtend<AISDKEmbeddingModel>()
  expectTypeOf<EmbeddingModelV3>().toExtend<AISDKEmbeddingModel>()
  expectTypeOf<EmbeddingModelV4>().toExtend<AISDKEmbeddingModel>()
})

test.for([
  ['v2', createOpenAIV2],
  ['v4', createOpenAI],
] as const)('a model of specification %s embeds', async ([version, create]) => {
  await using server = await startProtocolServer(openAIWire, { apiKey })
  const openai = create({ apiKey, baseURL: server.baseUrl }).textEmbeddingModel('text-embedding-3-small')
  expect(openai.specificationVersion).toBe(version)
  const provider = await fromAISDK(openai, {
    inputType: 'symmetric',
    dimensions: 256,
    providerOptions: { openai: { dimensions: 256 } },
  })
  const { vectors, usage } = await provider.embed(note)
  expect(server.requests[0]?.body).toMatchObject({ input: ['a note'], dimensions: 256 })
  expect([vectors[0]?.length, usage]).toEqual([256, { inputTokens: 2 }])
  expect(provider).toMatchObject({
    space: { provider: 'ai-sdk:openai.embedding', endpoint: null, model: 'text-embedding-3-small', requestedDimensions: 256 },
    limits: { concurrency: 2 },
    traits: { isLocal: false, vectorWeight: 0.7 },
  })
})

test('input types and common options travel together, and only those of documents move the space', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey })
  const voyage = createVoyage({ apiKey, baseURL: server.baseUrl }).embeddingModel('voyage-4')
  const make = (queryType: string, truncation: boolean) =>
    fromAISDK(voyage, {
      inputType: (inputType) => ({ voyage: { inputType: inputType === 'query' ? queryType : inputType } }),
      providerOptions: { voyage: { truncation } },
    })
  const provider = await make('query', false)
  await provider.embed(note)
  await provider.embed(query)
  expect(server.requests.map(({ body }) => body)).toMatchObject([
    { input_type: 'document', truncation: false },
    { input_type: 'query', truncation: false },
  ])
  const spaceOf = async (queryType: string, truncation: boolean) => fingerprint((await make(queryType, truncation)).space)
  expect(await spaceOf('document', false)).toBe(fingerprint(provider.space))
  expect(await spaceOf('query', true)).not.toBe(fingerprint(provider.space))
})

test("limits are the model's own, promised or not; without any, 32", async () => {
  const limitsOf = async (members: Partial<AISDKEmbeddingModel>, limits = {}) =>
    (await fromAISDK(model(members), { inputType: 'symmetric', limits })).limits
  expect(await limitsOf({})).toEqual({ maxInputs: 4, concurrency: 2 })
  const promised = { maxEmbeddingsPerCall: Promise.resolve(7), supportsParallelCalls: Promise.resolve(false) }
  expect(await limitsOf(promised)).toEqual({ maxInputs: 7, concurrency: 1 })
  expect(await limitsOf({ maxEmbeddingsPerCall: undefined })).toEqual({ maxInputs: 32, concurrency: 2 })
  expect(await limitsOf({ maxEmbeddingsPerCall: Number.POSITIVE_INFINITY }, { maxInputs: 9 })).toMatchObject({ maxInputs: 9 })
  const openai = createOpenAI({ apiKey }).embeddingModel('text-embedding-3-small')
  expect((await fromAISDK(openai, { inputType: 'symmetric' })).limits).toEqual({
    maxInputs: 2048,
    maxRequestBytes: 300_000,
    concurrency: 2,
  })
})

test.for([
  ['a name in place of a model', 'openai/text-embedding-3-small', 'not a name'],
  ['a language model', { specificationVersion: 'v4', doGenerate: () => {} }, 'no embedding model'],
  ['an older specification', { ...model(), specificationVersion: 'v1' }, '"v1"'],
  ['no limit at all', model({ maxEmbeddingsPerCall: Number.POSITIVE_INFINITY }), 'limits.maxInputs'],
] as const)('%s is refused as config', async ([, given, words]) => {
  // Callers without types may pass anything.
  const error = await failure(fromAISDK(given as AISDKEmbeddingModel, { inputType: 'symmetric' }))
  expect(error).toMatchObject({ code: 'config', message: expect.stringContaining(words) })
})

test('a model that fails to say its limits is refused, without its words', async () => {
  const silent = {
    ...model(),
    get maxEmbeddingsPerCall() {
      return Promise.reject<number>(new Error(SECRET))
    },
  }
  const error = await failure(fromAISDK(silent, { inputType: 'symmetric' }))
  expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('failed to say') })
  expect(String(error)).not.toContain(SECRET)
})

test('B51: where a model hands on what the service said, its positions count', async () => {
  const body = { data: [{ index: 1 }, { index: 0 }] }
  const doEmbed = () =>
    Promise.resolve({
      embeddings: [
        [0, 1],
        [1, 0],
      ],
      response: { body },
    })
  const provider = await fromAISDK(model({ doEmbed }), { inputType: 'symmetric' })
  const { vectors } = await provider.embed({ ...note, inputs: [note.inputs[0], note.inputs[0]] })
  expect(vectors.map((vector) => [...(vector ?? [])])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('a redirect is refused where the model has a guarded fetch', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey })
  server.behave({ reply: { status: 307, body: '', headers: { location: 'http://127.0.0.1:1/' } } })
  const openai = createOpenAI({ apiKey, baseURL: server.baseUrl, fetch: guardedFetch(server.origin) })
  const provider = await fromAISDK(openai.embeddingModel('text-embedding-3-small'), { inputType: 'symmetric' })
  expect(await failure(provider.embed(note))).toMatchObject({ code: 'refused-redirect' })
})

test('words of a service are shown, without keys, where the keys are known; codes always', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey })
  const openai = createOpenAI({ apiKey, baseURL: server.baseUrl }).embeddingModel('text-embedding-3-small')
  const reply = { status: 400, body: { error: { message: `the key ${SECRET} may not`, code: 'max_tokens_per_request' } } }
  server.behave({ reply })
  const said = async (secrets?: readonly string[]) =>
    String(await failure((await fromAISDK(openai, { inputType: 'symmetric', secrets })).embed(note)))
  expect(await said()).toMatch(/too large \(HTTP 400, max_tokens_per_request\)\./)
  expect(await said([SECRET])).toContain('"the key [redacted] may not"')
})

test('a model without a key says so', async () => {
  vi.stubEnv('OPENAI_API_KEY', '')
  vi.stubEnv('OPENAI_API_KEY', undefined)
  const provider = await fromAISDK(createOpenAI({}).embeddingModel('text-embedding-3-small'), { inputType: 'symmetric' })
  expect(await failure(provider.embed(note))).toMatchObject({ code: 'config', message: expect.stringContaining('no API key') })
  vi.unstubAllEnvs()
})

const OWN_FAILURES: readonly (readonly [what: string, thrown: unknown, code: string])[] = [
  ['a time-out', new DOMException('late', 'TimeoutError'), 'unavailable'],
  [
    'a connection without a code',
    Object.assign(new Error(SECRET), { [Symbol.for('vercel.ai.error.AI_APICallError')]: true }),
    'unavailable',
  ],
  ['a fault of the model', new TypeError(`cannot read ${SECRET}`), 'bad-response'],
  ['no error at all', SECRET, 'bad-response'],
]

test.for(OWN_FAILURES)('%s of a model is told from others, without its words', async ([, thrown, code]) => {
  const doEmbed = () => Promise.reject(thrown)
  const provider = await fromAISDK(model({ doEmbed }), { inputType: 'symmetric' })
  const error = await failure(provider.embed(note))
  expect(error).toMatchObject({ code, provider: 'ai-sdk:hand.embedding' })
  expect(String(error) + String((error as Error).cause)).not.toContain(SECRET)
})

test('an answer without embeddings is a bad-response', async () => {
  const doEmbed = () => Promise.resolve({} as AISDKEmbeddingReply)
  const provider = await fromAISDK(model({ doEmbed }), { inputType: 'symmetric' })
  expect(await failure(provider.embed(note))).toMatchObject({ code: 'bad-response' })
})
