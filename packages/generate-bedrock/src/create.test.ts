import { BEDROCK_ACCESS_KEY_ID, bedrockChatWire, type ProviderSetup, SECRET, startChatServer } from '@mnemark/testkit'
import { describeTextGenerator } from '@mnemark/testkit/vitest'
import { expect, test, vi } from 'vitest'
import { createBedrockGenerator } from './create.ts'
import type { BedrockGeneratorOptions } from './options.ts'

const model = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const credentials = { accessKeyId: BEDROCK_ACCESS_KEY_ID, secretAccessKey: SECRET }
const wordsOf = (body: Readonly<Record<string, unknown>>): string => JSON.stringify(body)

const creating =
  (own: Partial<BedrockGeneratorOptions> = {}) =>
  ({ baseUrl, fetch, set }: ProviderSetup) =>
    createBedrockGenerator({ baseUrl, fetch, credentials, region: 'eu-central-1', model, ...own, ...set })

const misconfigured = [
  { model: '' },
  { model: 'arn:aws:iam::123456789012:role/reader' },
  { model: 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-pro-v1:0' },
  { region: 'europe' },
  { credentials: { accessKeyId: 'AKIA', secretAccessKey: '' } },
  { apiKey: 'bedrock-api-key-1' },
  { baseUrl: 'http://bedrock.example' },
  { schemaMode: 'yaml' },
  { temperature: 1.5 },
  { guardrail: { id: '', version: '1' } },
  { maxOutputTokens: 0 },
  { headers: { 'x-key': '${MISSING}' } },
  { timeoutMs: 0 },
]
const options = [
  {
    set: { model: 'amazon.nova-pro-v1:0' },
    expect: (_: unknown, { path }: { path: string }) => path.includes('amazon.nova-pro'),
  },
  {
    set: { region: 'us-west-2' },
    expect: (_: unknown, { headers }: { headers: Readonly<Record<string, string>> }) =>
      headers['authorization']?.includes('/us-west-2/bedrock/aws4_request') ?? false,
  },
  { set: { temperature: 0 }, expect: (body: Readonly<Record<string, unknown>>) => wordsOf(body).includes('"temperature":0') },
  { set: { maxOutputTokens: 50 }, expect: (body: Readonly<Record<string, unknown>>) => wordsOf(body).includes('"maxTokens":50') },
  {
    set: { guardrail: { id: 'gr-1', version: 'DRAFT' } },
    expect: (body: Readonly<Record<string, unknown>>) => wordsOf(body).includes('"guardrailIdentifier":"gr-1"'),
  },
  {
    set: { modelFields: { top_k: 3 } },
    expect: (body: Readonly<Record<string, unknown>>) => wordsOf(body).includes('"additionalModelRequestFields":{"top_k":3}'),
  },
]

describeTextGenerator('bedrock, schema by a tool', { create: creating(), wire: bedrockChatWire, misconfigured, options })

describeTextGenerator('bedrock, schema of the output, with limits', {
  create: creating({
    schemaMode: 'json_schema',
    contextWindow: 1000,
    countTokens: (text) => text.split(' ').length,
    maxOutputTokens: 200,
  }),
  wire: bedrockChatWire,
  misconfigured: [{ model: '' }],
  options: [],
})

describeTextGenerator('bedrock, with an API key, without schemas', {
  create: ({ set, ...setup }) => createBedrockGenerator({ ...setup, region: 'us-east-1', model, schemaMode: 'none', ...set }),
  wire: bedrockChatWire,
  misconfigured: [{ apiKey: ' ' }],
  options: [],
})

const request = { system: '', prompt: 'a note' }

async function answerTo(body: unknown) {
  await using server = await startChatServer(bedrockChatWire, { apiKey: SECRET })
  server.behave({ reply: { status: 200, headers: { 'content-type': 'application/json' }, body } })
  return await createBedrockGenerator({ baseUrl: server.origin, credentials, region: 'us-east-1', model }).generate(request)
}

test.for([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'filtered'],
  ['content_filtered', 'filtered'],
] as const)('an answer that ended as %s ended as %s', async ([stopReason, finishReason]) => {
  const content = [{ reasoningContent: { reasoningText: { text: 'Hm.' } } }, { text: 'Mara lives' }, { text: ' in Bergen.' }]
  const usage = { inputTokens: 7, outputTokens: 9, totalTokens: 16 }
  expect(await answerTo({ output: { message: { content } }, stopReason, usage })).toEqual({
    text: 'Mara lives in Bergen.',
    finishReason,
    usage: { inputTokens: 7, outputTokens: 9 },
  })
})

test.for([
  { output: { message: { content: [{ text: 'Mara' }] } }, stopReason: 'malformed_tool_use' },
  { output: { message: { content: [{ text: 'Mara' }] } } },
  { output: { message: { content: [{ reasoningContent: {} }] } }, stopReason: 'end_turn' },
  { output: {}, stopReason: 'end_turn' },
])('an answer that says nothing to rely on is a bad response, case %#', async (body) => {
  await expect(answerTo(body)).rejects.toMatchObject({ code: 'bad-response' })
})

test('the region of an ARN is where it is called, in one segment of the path', async () => {
  await using server = await startChatServer(bedrockChatWire, { apiKey: SECRET })
  const arn = 'arn:aws:bedrock:ca-central-1:123456789012:application-inference-profile/abcd1234'
  await createBedrockGenerator({ baseUrl: server.origin, credentials, model: arn }).generate(request)
  expect(server.requests[0]?.path).toBe(`/model/${encodeURIComponent(arn)}/converse`)
  expect(server.requests[0]?.headers['authorization']).toContain('/ca-central-1/bedrock/')
})

test('nothing is printed', async () => {
  await using server = await startChatServer(bedrockChatWire, { apiKey: SECRET })
  const prints = (['log', 'warn', 'error', 'debug', 'info'] as const).map((name) => vi.spyOn(console, name))
  const schema = { type: 'object', properties: { count: { type: 'integer' } } }
  await createBedrockGenerator({ baseUrl: server.origin, credentials, region: 'us-east-1', model }).generate({
    ...request,
    schema,
  })
  for (const print of prints) expect(print).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})
