import {
  BEDROCK_ACCESS_KEY_ID,
  bedrockRerankWire,
  type ProviderOption,
  type ProviderSetup,
  SECRET,
  startRerankServer,
} from '@mnemark/testkit'
import { describeReranker } from '@mnemark/testkit/vitest'
import { expect, test } from 'vitest'
import { createBedrockReranker } from './create.ts'
import { BEDROCK_RERANK_MODELS } from './models.ts'

const credentials = { accessKeyId: BEDROCK_ACCESS_KEY_ID, secretAccessKey: SECRET }
const request = { query: 'a question', passages: ['one note', 'another note'] }
const PROFILE = 'arn:aws:bedrock:ca-central-1:123456789012:application-inference-profile/abcd1234'

const misconfigured = [
  { model: '' },
  { model: 'cohere.embed-v4:0' },
  { model: 'arn:aws:iam::123456789012:role/reader' },
  { model: PROFILE, region: undefined },
  { baseModel: 'cohere.rerank-v2', model: 'mine' },
  { region: 'europe' },
  { credentials: { accessKeyId: 'AKIA', secretAccessKey: '' } },
  { apiKey: 'bedrock-api-key-1' },
  { baseUrl: 'http://bedrock.example' },
  { limits: { maxPassages: 0 } },
  { headers: { 'x-key': '${MISSING}' } },
  { timeoutMs: 0 },
]
const options: readonly ProviderOption[] = [
  { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  {
    set: { region: 'us-west-2' },
    expect: (_, { headers }) => headers['authorization']?.includes('/us-west-2/bedrock/aws4_request') ?? false,
  },
]

for (const model of Object.keys(BEDROCK_RERANK_MODELS))
  describeReranker(`bedrock, ${model}`, {
    create: ({ baseUrl, fetch, set }: ProviderSetup) =>
      createBedrockReranker({ baseUrl, fetch, credentials, region: 'eu-central-1', model, ...set }),
    wire: bedrockRerankWire,
    misconfigured,
    options,
  })

describeReranker('bedrock, with an API key', {
  create: ({ set, ...setup }: ProviderSetup) => createBedrockReranker({ ...setup, region: 'us-east-1', ...set }),
  wire: bedrockRerankWire,
  misconfigured: [{ apiKey: ' ' }],
  options: [],
})

test.for([
  ['cohere.rerank-v3-5:0', 2],
  ['cohere.rerank-v3-5', 2],
  ['us.cohere.rerank-v3-5:0', 2],
  ['arn:aws:bedrock:us-west-2::foundation-model/amazon.rerank-v1:0', 1],
  ['arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.amazon.rerank-v1:0', 1],
] as const)('%s is known, and its price', ([model, usdPerThousandQueries]) => {
  expect(createBedrockReranker({ model })).toMatchObject({
    endpoint: 'https://bedrock-runtime.amazonaws.com',
    model,
    limits: { maxPassages: 100 },
    traits: { isLocal: false, usdPerThousandQueries },
  })
})

test("an account's own profile says with baseModel what it is, and is called in its region, for every score", async () => {
  await using server = await startRerankServer(bedrockRerankWire, { apiKey: SECRET })
  const reranker = createBedrockReranker({
    baseUrl: server.origin,
    credentials,
    model: PROFILE,
    baseModel: 'cohere.rerank-v3-5:0',
  })
  expect((await reranker.rerank(request)).scores).toHaveLength(2)
  const [{ path, headers, body } = { path: '', headers: {}, body: {} }] = server.requests
  expect(path).toBe(`/model/${encodeURIComponent(PROFILE)}/invoke`)
  expect(headers).toMatchObject({ authorization: expect.stringContaining('/ca-central-1/bedrock/') })
  expect(body).toEqual({ query: request.query, documents: request.passages, top_n: 2, api_version: 2 })
  expect(reranker.traits).toEqual({ isLocal: true })
})
