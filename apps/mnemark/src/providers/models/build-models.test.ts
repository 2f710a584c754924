import { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import type { Config } from '../../config/schema/config.ts'
import { resolveSettings } from '../../config/resolve/resolve-settings.ts'
import { buildGenerator } from './build-generator.ts'
import { buildReranker } from './build-reranker.ts'

const KEY = 'a-key-of-the-test-0123456789'

/** What the models of this configuration become, or why they do not. */
async function built(models: NonNullable<Config['models']>, environment: Readonly<Record<string, string>> = {}) {
  const config: Config = { models }
  const settings = resolveSettings(config, 'main', environment)
  const sources = { ...settings, agentId: 'main', workspace: '/', trustedFile: null, config, environment }
  const { generate, rerank } = settings.models
  const attempts = [
    ...(generate?.links ?? []).map((link) => buildGenerator(link, sources)),
    ...(rerank === null ? [] : [buildReranker(rerank.link, sources)]),
  ]
  return Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)))
}

test.each([
  ['openai', 'OPENAI_API_KEY', 'https://api.openai.com/v1'],
  ['gemini', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com'],
  ['mistral', 'MISTRAL_API_KEY', 'https://api.mistral.ai/v1'],
])('%s writes with the key of its variable, at its own address alone', async (provider, variable, endpoint) => {
  const [generator] = await built({ generate: { provider, model: 'm', usdPerMillionInput: 3 } }, { [variable]: KEY })
  expect(generator).toMatchObject({ provider, endpoint, model: 'm', traits: { usdPerMillionInput: 3 } })
  const elsewhere = { provider, model: 'm', baseUrl: 'https://router.example/v1' }
  const [other] = await built({ generate: elsewhere }, { [variable]: KEY })
  expect(other).toMatchObject({ code: 'config', message: expect.stringContaining('no key for router.example') })
})

test('ollama needs no key', async () => {
  const [generator] = await built({ generate: { provider: 'ollama', model: 'm' } })
  expect(generator).toMatchObject({ provider: 'ollama', endpoint: 'http://127.0.0.1:11434', traits: { isLocal: true } })
})

test('a bearer token of AWS goes nowhere but to AWS', async () => {
  const environment = { AWS_BEARER_TOKEN_BEDROCK: KEY, AWS_REGION: 'eu-central-1' }
  const elsewhere = { provider: 'bedrock', model: 'cohere.rerank-v3-5:0', baseUrl: 'https://proxy.example' }
  const refused = await built({ generate: elsewhere, rerank: elsewhere }, environment)
  expect(refused.map((error) => ProviderError.isInstance(error) && error.message)).toEqual([
    expect.stringContaining('models.generate.apiKey'),
    expect.stringContaining('models.rerank.apiKey'),
  ])
})

test('bedrock judges with the credentials of the AWS tools', async () => {
  const [reranker] = await built({ rerank: { provider: 'bedrock' } }, { AWS_REGION: 'eu-central-1' })
  expect(reranker).toMatchObject({ provider: 'bedrock', model: 'cohere.rerank-v3-5:0' })
})

test.each([
  ['cohere', 'COHERE_API_KEY', 'https://api.cohere.com/v2'],
  ['voyage', 'VOYAGE_API_KEY', 'https://api.voyageai.com/v1'],
])('%s judges with the key of its variable', async (provider, variable, endpoint) => {
  const [reranker] = await built({ rerank: { provider, model: 'm' } }, { [variable]: KEY })
  expect(reranker).toMatchObject({ provider, endpoint, model: 'm' })
  const [without] = await built({ rerank: { provider, model: 'm' } })
  expect(without).toMatchObject({ code: 'config', message: expect.stringContaining('models.rerank.apiKey') })
})

test('an entry of models.providers serves both, by what it says it speaks', async () => {
  const providers = { acme: { api: 'vllm', baseUrl: 'https://models.acme.example/v1', apiKey: KEY, model: 'embeds' } }
  const acme = { provider: 'acme', model: 'm' }
  const both = await built({ providers, generate: acme, rerank: acme })
  expect(both).toMatchObject([
    { provider: 'acme', model: 'm', endpoint: 'https://models.acme.example/v1' },
    { provider: 'acme', model: 'm', endpoint: 'https://models.acme.example/v1' },
  ])
  const [odd] = await built({ providers: { acme: { ...providers.acme, api: 'smoke' } }, generate: acme })
  expect(odd).toMatchObject({ code: 'invalid-value', message: expect.stringContaining('models.providers.acme.api is "smoke"') })
  const [silent] = await built({ providers, generate: { provider: 'acme' } })
  expect(silent).toMatchObject({ message: expect.stringContaining('models.generate.model') })
})
