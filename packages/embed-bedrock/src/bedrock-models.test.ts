/** Models by their ids, what is sent to each, and what their refusals mean. */
import { execFileSync } from 'node:child_process'
import { fingerprint } from '@mnemark/spec'
import { BEDROCK_ACCESS_KEY_ID, bedrockWire, type ProtocolServer, recordOf, SECRET, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { createBedrock } from './create.ts'
import type { BedrockEmbeddingOptions } from './options.ts'
import { BEDROCK_EMBEDDING_MODELS } from './models.ts'

const TITAN = 'amazon.titan-embed-text-v2:0'
const COHERE_3 = 'cohere.embed-multilingual-v3'
const ACCOUNT = 'arn:aws:bedrock:us-east-1:123456789012'
const credentials = { accessKeyId: BEDROCK_ACCESS_KEY_ID, secretAccessKey: SECRET }
const request = { inputs: [{ type: 'text', text: 'a note' }], inputType: 'document' } as const
const inputsOf = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text', text }) as const)
const start = (): Promise<ProtocolServer> => startProtocolServer(bedrockWire(), { apiKey: SECRET })
const create = (server: ProtocolServer, options: BedrockEmbeddingOptions) =>
  createBedrock({ baseUrl: server.origin, credentials, region: 'us-east-1', ...options })

test.for([
  [TITAN, TITAN],
  ['amazon.titan-embed-text-v2', TITAN],
  ['amazon.titan-embed-text-v2:0:8k', TITAN],
  [`us.${TITAN}`, TITAN],
  [`us-gov.${TITAN}`, TITAN],
  ['global.cohere.embed-v4:0', 'cohere.embed-v4:0'],
  [`arn:aws:bedrock:us-east-1::foundation-model/${TITAN}`, TITAN],
  [`${ACCOUNT}:inference-profile/us.cohere.embed-v4:0`, 'cohere.embed-v4:0'],
  [
    'arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:inference-profile/us-gov.cohere.embed-english-v3',
    'cohere.embed-english-v3',
  ],
] as const)('%s is %s, with its limits, and one vector space with it', ([id, name]) => {
  const provider = createBedrock({ model: id })
  const { maxInputs, maxInputTokens } = BEDROCK_EMBEDDING_MODELS[name]
  expect(provider.limits).toMatchObject({ maxInputs, maxInputTokens, concurrency: 4 })
  expect(fingerprint(provider.space)).toBe(fingerprint(createBedrock({ model: name }).space))
})

test('every model of the table makes a provider with its length, limits, modalities and price', () => {
  for (const [model, known] of Object.entries(BEDROCK_EMBEDDING_MODELS)) {
    const { limits, modalities, traits, space } = createBedrock({ model, dimensions: known.lengths.at(-1) })
    expect(limits).toMatchObject({ maxInputs: known.maxInputs, maxInputTokens: known.maxInputTokens })
    expect([modalities, traits.usdPerMillionTokens]).toEqual([known.modalities, known.usdPerMillionTokens])
    expect(space).toMatchObject({ model, endpoint: 'https://bedrock-runtime.amazonaws.com', variant: {} })
  }
  expect(createBedrock().space.model).toBe(TITAN)
})

test('the whole id or ARN is called, in one segment of the path', async () => {
  await using server = await start()
  const arn = `${ACCOUNT}:inference-profile/us.${TITAN}`
  await create(server, { model: arn }).embed(request)
  expect(server.requests[0]?.path).toBe(`/model/${encodeURIComponent(arn)}/invoke`)
})

test("an account's own profile needs to say what it is; then it is that model, and provisioned throughput stays its own", async () => {
  await using server = await start()
  const profile = `${ACCOUNT}:application-inference-profile/abcd1234`
  expect(() => create(server, { model: profile })).toThrow(/does not say which embedding model it is.*baseModel/)
  const provider = create(server, { model: profile, baseModel: TITAN, dimensions: 256 })
  await provider.embed(request)
  expect(server.requests[0]?.body).toEqual({ inputText: 'a note', dimensions: 256 })
  expect(provider.space.model).toBe(TITAN)
  const provisioned = `${ACCOUNT}:provisioned-model/abcd1234`
  expect(create(server, { model: provisioned, baseModel: TITAN }).space.model).toBe(provisioned)
})

test.for<readonly [BedrockEmbeddingOptions, RegExp]>([
  [{ model: 'cohere.embed-english-v3', baseModel: TITAN }, /baseModel is amazon.*but model is cohere/],
  [{ model: 'amazon.titan-embed-text-v2:1' }, /does not say which embedding model/],
  [{ model: 'anthropic.claude-sonnet-4' }, /Use one of amazon.titan-embed-text-v2:0/],
  [{ model: `${ACCOUNT}:inference-profile/us.${TITAN}`, region: 'eu-west-1' }, /region eu-west-1 and model names us-east-1/],
  [{ baseUrl: 'https://bedrock-runtime-fips.us-east-1.amazonaws.com', region: 'us-west-2' }, /baseUrl names us-east-1/],
  [{ model: COHERE_3, dimensions: 512 }, /Leave dimensions out: its vectors have 1024/],
  [{ truncate: 'end' }, /cannot cut/],
  [{ apiKey: 'a-key', profile: 'work' }, /apiKey and profile are given/],
])('%o is refused at once', ([options, words]) => {
  expect(() => createBedrock(options)).toThrow(expect.objectContaining({ code: 'config', message: expect.stringMatching(words) }))
})

test("AWS's own endpoints of every region are one space; a proxy is its own, and has no price", () => {
  const spaceOf = (options: BedrockEmbeddingOptions): string => fingerprint(createBedrock(options).space)
  for (const baseUrl of [
    'https://bedrock-runtime.eu-west-1.amazonaws.com',
    'https://bedrock-runtime-fips.us-east-1.amazonaws.com',
    'https://vpce-0123-abc.bedrock-runtime.us-east-1.vpce.amazonaws.com',
  ])
    expect(spaceOf({ baseUrl })).toBe(spaceOf({ region: 'ap-south-1' }))
  const proxy = createBedrock({ baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com.evil.example' })
  expect(proxy.space.endpoint).toBe('https://bedrock-runtime.us-east-1.amazonaws.com.evil.example')
  expect(proxy.traits).toEqual({ isLocal: false, vectorWeight: 0.7 })
})

test('Titan, Nova and Marengo take one text a request; more are refused before anything is sent', async () => {
  await using server = await start()
  for (const model of [TITAN, 'amazon.nova-2-multimodal-embeddings-v1:0', 'us.twelvelabs.marengo-embed-2-7-v1:0']) {
    const provider = create(server, { model })
    expect(provider.limits.maxInputs).toBe(1)
    await expect(provider.embed({ ...request, inputs: inputsOf('a', 'b') })).rejects.toMatchObject({ code: 'invalid-input' })
  }
  expect(server.requests).toHaveLength(0)
})

test('bodies, byte for byte', async () => {
  await using server = await start()
  const bodyOf = async (model: string, inputType: 'query' | 'document', options: BedrockEmbeddingOptions = {}) => {
    await create(server, { model, ...options }).embed({ inputs: inputsOf('a'), inputType })
    return server.requests.at(-1)?.text
  }
  expect(await bodyOf(TITAN, 'query', { dimensions: 256 })).toBe('{"inputText":"a","dimensions":256}')
  expect(await bodyOf(COHERE_3, 'document')).toBe('{"texts":["a"],"input_type":"search_document","truncate":"NONE"}')
  expect(await bodyOf('us.cohere.embed-v4:0', 'query', { dimensions: 512 })).toBe(
    '{"texts":["a"],"input_type":"search_query","embedding_types":["float"],"output_dimension":512,"truncate":"NONE"}',
  )
  expect(await bodyOf('amazon.nova-2-multimodal-embeddings-v1:0', 'document')).toBe(
    '{"schemaVersion":"nova-multimodal-embed-v1","taskType":"SINGLE_EMBEDDING","singleEmbeddingParams":{"embeddingPurpose":"GENERIC_INDEX","text":{"truncationMode":"NONE","value":"a"}}}',
  )
  expect(await bodyOf('us.twelvelabs.marengo-embed-2-7-v1:0', 'query')).toBe(
    '{"inputType":"text","inputText":"a","textTruncate":"none"}',
  )
  expect(await bodyOf('twelvelabs.marengo-embed-3-0-v1:0', 'query')).toBe('{"inputType":"text","text":{"inputText":"a"}}')
})

test('what a query is for reaches Nova, and leaves the space of documents alone', async () => {
  await using server = await start()
  const model = 'amazon.nova-2-multimodal-embeddings-v1:0'
  const purposes: unknown[] = []
  for (const queryPurpose of [undefined, 'GENERIC_RETRIEVAL'] as const) {
    const provider = create(server, { model, queryPurpose })
    await provider.embed({ ...request, inputType: 'query' })
    purposes.push(recordOf(recordOf(server.requests.at(-1)?.body)?.['singleEmbeddingParams'])?.['embeddingPurpose'])
    expect(fingerprint(provider.space)).toBe(fingerprint(create(server, { model }).space))
  }
  expect(purposes).toEqual(['TEXT_RETRIEVAL', 'GENERIC_RETRIEVAL'])
})

test('images and sounds go to the models that take them, and to no other', async () => {
  await using server = await start()
  const media = (mime: string) => ({ type: 'media', mime, bytes: new Uint8Array([1, 2, 3]), label: 'a picture' }) as const
  const embed = (model: string, mime: string) => create(server, { model }).embed({ inputs: [media(mime)], inputType: 'document' })
  const nova = 'amazon.nova-2-multimodal-embeddings-v1:0'
  for (const model of [
    'amazon.titan-embed-image-v1',
    'us.cohere.embed-v4:0',
    nova,
    'us.twelvelabs.marengo-embed-2-7-v1:0',
    'twelvelabs.marengo-embed-3-0-v1:0',
  ]) {
    await embed(model, 'image/png')
    expect(server.calls.at(-1)?.texts).toEqual(['image:AQID'])
  }
  await embed(nova, 'audio/mpeg')
  expect(server.calls.at(-1)?.texts).toEqual(['audio:AQID'])
  const sent = server.requests.length
  await expect(embed(TITAN, 'image/png')).rejects.toMatchObject({ code: 'invalid-input', inputIndexes: [0] })
  await expect(embed(nova, 'image/tiff')).rejects.toMatchObject({ code: 'invalid-input', inputIndexes: [0] })
  expect(server.requests).toHaveLength(sent)
})

test('texts and images go to Cohere 4 in one request, in order', async () => {
  await using server = await start()
  const image = { type: 'media', mime: 'image/jpeg', bytes: new Uint8Array([255]), label: 'a picture' } as const
  const provider = create(server, { model: 'eu.cohere.embed-v4:0' })
  const { vectors } = await provider.embed({ ...request, inputs: [...inputsOf('a'), image, ...inputsOf('b')] })
  expect(server.calls[0]?.texts).toEqual(['a', 'image:/w==', 'b'])
  expect(vectors).toHaveLength(3)
})

/** 2,500 characters, with an emoji of two units across the 2,048th. */
const LONG = `${'a'.repeat(2047)}😀${'b'.repeat(451)}`

test('B55: a text beyond the characters of Cohere 3 is cut to the limit where that is allowed, without splitting the emoji', async () => {
  await using server = await start()
  expect(LONG).toHaveLength(2500)
  for (const truncate of ['end', 'start'] as const)
    await create(server, { model: COHERE_3, truncate }).embed({ ...request, inputs: inputsOf('short', LONG) })
  const fromStart = server.calls[0]?.texts
  expect(fromStart).toEqual(['short', 'a'.repeat(2047)])
  const fromEnd = server.calls[1]?.texts[1] ?? ''
  expect(fromEnd).toBe(`${'a'.repeat(1595)}😀${'b'.repeat(451)}`)
})

test('a family of emoji at the border is kept whole or left out, from either side', async () => {
  await using server = await start()
  const family = '👩‍👩‍👧‍👦'
  for (const truncate of ['end', 'start'] as const) {
    const text = truncate === 'end' ? 'a'.repeat(2045) + family + 'z' : `z${family}${'a'.repeat(2045)}`
    await create(server, { model: COHERE_3, truncate }).embed({ ...request, inputs: inputsOf(text.padEnd(2100, 'a')) })
  }
  const [end, begin] = server.calls.map(({ texts }) => texts[0] ?? '')
  expect(end).toBe('a'.repeat(2045))
  expect([begin?.length, /[^a]/.test(begin ?? '')]).toEqual([2048, false])
})

test('B55: where nothing may be cut, it is an error that names the text, for the caller to send in pieces', async () => {
  await using server = await start()
  const provider = create(server, { model: COHERE_3 })
  const sent = provider.embed({ ...request, inputs: inputsOf('short', LONG) })
  await expect(sent).rejects.toMatchObject({ code: 'input-too-long', inputIndexes: [1] })
  expect(server.requests).toHaveLength(0)
  // 2,048 characters of two units each.
  await provider.embed({ ...request, inputs: inputsOf('😀'.repeat(2048)) })
  expect(server.calls).toHaveLength(1)
})

test('a text beyond the tokens of Titan, which never cuts, is input-too-long in its words', async () => {
  await using server = await start()
  const sent = create(server, {}).embed({ ...request, inputs: inputsOf('word '.repeat(8500)) })
  await expect(sent).rejects.toMatchObject({ code: 'input-too-long', status: 400 })
})

test('a model that is called through profiles only says so', async () => {
  await using server = await start()
  const model = 'twelvelabs.marengo-embed-2-7-v1:0'
  await expect(create(server, { model }).embed(request)).rejects.toMatchObject({
    code: 'not-found',
    requestId: '0c8f4bd2-4b33-4a2c-9a54-7d1f6ad2e1b7',
    message: expect.stringContaining(`us.${model} or eu.${model}`),
  })
})

test('a refusal is told by its type, with what to do', async () => {
  await using server = await start()
  const refuse = async (status: number, type: string, message: string) => {
    server.behave({ reply: { status, headers: { 'x-amzn-errortype': type }, body: { message } } })
    return create(server, {})
      .embed(request)
      .catch((error: unknown) => error)
  }
  expect(await refuse(403, 'AccessDeniedException', 'no access')).toMatchObject({
    code: 'auth',
    message: expect.stringMatching(/AccessDeniedException.*Allow bedrock:InvokeModel for amazon\.titan-embed-text-v2:0/),
  })
  expect(await refuse(429, 'ModelNotReadyException', 'not ready')).toMatchObject({ code: 'unavailable', isRetryable: true })
  expect(await refuse(400, 'ServiceQuotaExceededException', 'quota')).toMatchObject({ code: 'quota', isRetryable: false })
})

test('an image that Titan made nothing of is a bad response, in its words', async () => {
  await using server = await start()
  server.behave({ reply: { status: 200, body: { embedding: null, message: 'The image is corrupt.' } } })
  await expect(create(server, { model: 'amazon.titan-embed-image-v1' }).embed(request)).rejects.toMatchObject({
    code: 'bad-response',
    message: expect.stringContaining('The image is corrupt.'),
  })
})

test('there are no offline jobs', () => {
  expect(createBedrock()).not.toHaveProperty('batch')
})

/** Scopes and packages a fresh process loads. */
function modulesLoadedBy(code: string): readonly string[] {
  const hook = `
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
    ${code}`
  const output = execFileSync(
    process.execPath,
    ['--conditions=mnemark-source', '--no-warnings', '--input-type=module', '--eval', hook],
    {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    },
  )
  const packages = output.split('\n').flatMap((url) => {
    const ours = /\/packages\/([^/]+)\/src\//.exec(url)?.[1]
    const others = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
    return others ?? ours ?? []
  })
  return [...new Set(packages)].toSorted()
}

test('importing the adapter and making a provider loads no SDK; keys that were given load no search for others', () => {
  const make = `const { createBedrock } = await import('@mnemark/embed-bedrock'); const provider = createBedrock({ region: 'us-east-1', credentials: { accessKeyId: 'A', secretAccessKey: 'B' }, fetch: async () => Response.json({}) })`
  expect(modulesLoadedBy(make)).toEqual(['bedrock-access', 'embed-bedrock', 'provider-kit', 'spec'])
  const call = `${make}; await provider.embed({ inputs: [{ type: 'text', text: 'a' }], inputType: 'query' }).catch(() => {})`
  const loaded = modulesLoadedBy(call)
  expect(loaded).toContain('@aws-sdk/client-bedrock-runtime')
  expect(loaded).not.toContain('@aws-sdk/credential-providers')
})
