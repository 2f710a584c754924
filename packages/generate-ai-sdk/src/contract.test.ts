/** The contract of text generators on real provider packages of the AI SDK, of two specifications. */
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAI as createOpenAIV2 } from '@ai-sdk/openai-v2'
import { guardedFetch, limitedFetch } from '@mnemark/provider-kit'
import { chatCompletionsWire, type ProviderSetup, SECRET } from '@mnemark/testkit'
import { describeTextGenerator } from '@mnemark/testkit/vitest'
import { fromAISDK } from './from-ai-sdk.ts'
import type { FromAISDKOptions } from './options.ts'

type Body = Readonly<Record<string, unknown>>
type Make = typeof createOpenAI | typeof createOpenAIV2

const model = 'sample-chat'
const create =
  (make: Make, usual: FromAISDKOptions = {}) =>
  ({ apiKey, baseUrl, fetch, set }: ProviderSetup) => {
    const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl
    const openai = make({ apiKey, baseURL: baseUrl, fetch: limitedFetch(guardedFetch(origin, fetch)) })
    return fromAISDK(openai.chat(model), { endpoint: baseUrl, ...usual, ...set })
  }

const misconfigured = [
  { endpoint: 'http://chat.example/v1' },
  { endpoint: ' ' },
  { schemaMode: 'yaml' },
  { maxOutputTokens: 0 },
  { contextWindow: 1.5 },
  { temperature: -1 },
  { timeoutMs: 0 },
]
const options = [
  { set: { temperature: 0 }, expect: (body: Body) => body['temperature'] === 0 },
  { set: { maxOutputTokens: 50 }, expect: (body: Body) => body['max_tokens'] === 50 },
  { set: { providerOptions: { openai: { user: 'someone' } } }, expect: (body: Body) => body['user'] === 'someone' },
]
const fields = ['user']

describeTextGenerator('ai-sdk, @ai-sdk/openai (v4)', {
  create: create(createOpenAI),
  wire: chatCompletionsWire({ fields }),
  misconfigured,
  options,
})

describeTextGenerator('ai-sdk, @ai-sdk/openai (v4), keys known, JSON mode, with limits', {
  create: create(createOpenAI, {
    secrets: [SECRET],
    schemaMode: 'json_object',
    contextWindow: 1000,
    countTokens: (text) => text.split(' ').length,
    maxOutputTokens: 200,
  }),
  wire: chatCompletionsWire({ fields, formats: ['json_object'] }),
  misconfigured,
  options,
})

describeTextGenerator('ai-sdk, @ai-sdk/openai (v2), without schemas', {
  create: create(createOpenAIV2, { schemaMode: 'none' }),
  wire: chatCompletionsWire({ fields }),
  misconfigured,
  options,
})

describeTextGenerator('ai-sdk, @ai-sdk/openai (v2)', {
  create: create(createOpenAIV2),
  wire: chatCompletionsWire({ fields }),
  misconfigured,
  options,
})
