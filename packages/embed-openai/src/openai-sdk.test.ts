/** The SDK's own habits that must not show, and when modules are loaded. */
import { execFileSync } from 'node:child_process'
import { openAIWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { createOpenAI } from './create.ts'

const request = { inputs: [{ type: 'text', text: 'a note' }], inputType: 'document' } as const

afterEach(() => vi.unstubAllEnvs())

test('B72: nothing from the environment reaches the service: no key, no address, no organisation, no header', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  vi.stubEnv('OPENAI_API_KEY', 'sk-of-another-product')
  vi.stubEnv('OPENAI_ADMIN_KEY', 'sk-admin')
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1')
  vi.stubEnv('OPENAI_ORG_ID', 'org-environment')
  vi.stubEnv('OPENAI_PROJECT_ID', 'proj-environment')
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Leak: sk-of-another-product\nAuthorization: Bearer sk-of-another-product')
  await createOpenAI({ apiKey: SECRET, baseUrl: server.baseUrl }).embed(request)
  const { headers } = server.requests[0] ?? { headers: {} }
  expect(headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'user-agent': expect.stringMatching(/^OpenAI\/JS 7\./) })
  expect(JSON.stringify(headers)).not.toMatch(/another-product|environment|admin/)
})

test('without a key, one from the environment does not count', () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-environment')
  expect(() => createOpenAI({ apiKey: '' })).toThrow(expect.objectContaining({ code: 'config' }))
})

test.for(['', '/', '/v1', '/v1/', '/embeddings'])('a base URL ending in "%s" reaches the endpoint', async (ending) => {
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  const baseUrl = (ending === '/embeddings' ? `${server.origin}/v1` : server.origin) + ending
  const provider = createOpenAI({ apiKey: SECRET, baseUrl })
  await provider.embed(request)
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/embeddings'])
  expect(provider.space.endpoint).toBe(`${server.origin}/v1`)
})

test('B49: base64 is asked for by name, and numbers in its place are understood', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  const provider = createOpenAI({ apiKey: SECRET, baseUrl: server.baseUrl, dimensions: 2 })
  const asked = await provider.embed(request)
  server.behave({
    reply: (call) => openAIWire.answer({ ...call, isBase64: false }, [[3, 4]], { order: [0], hasIndexes: true, hasUsage: true }),
  })
  const given = await provider.embed(request)
  expect(server.requests[0]?.body).toMatchObject({ encoding_format: 'base64', dimensions: 2 })
  expect(asked.vectors[0]?.length).toBe(2)
  expect([...(given.vectors[0] ?? [])]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)])
})

test('the words of a refusal that is not JSON are shown', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  server.behave({ reply: { status: 413, body: 'Request Entity Too Large' } })
  const call = createOpenAI({ apiKey: SECRET, baseUrl: server.baseUrl }).embed(request)
  await expect(call).rejects.toMatchObject({
    code: 'input-too-long',
    message: expect.stringContaining('Request Entity Too Large'),
  })
})

test('known models have their limits, dimensions and price; a proxy has no price, an unknown model no bounds', () => {
  const apiKey = SECRET
  expect(createOpenAI({ apiKey })).toMatchObject({
    space: { model: 'text-embedding-3-small', endpoint: 'https://api.openai.com/v1', requestedDimensions: null },
    limits: { maxInputs: 2048, maxInputTokens: 8192, maxRequestTokens: 300_000, concurrency: 4 },
    traits: { isLocal: false, vectorWeight: 0.7, usdPerMillionTokens: 0.02 },
  })
  expect(createOpenAI({ apiKey, baseUrl: 'http://localhost:4000' }).traits).toEqual({ isLocal: true, vectorWeight: 0.7 })
  expect(createOpenAI({ apiKey, model: 'next-model', dimensions: 9999 }).space.requestedDimensions).toBe(9999)
})

/** The workspace modules a fresh process loads, in the order of their addresses. */
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
    const others = /.*\/node_modules\/([^/]+)\//.exec(url)?.[1]
    return others ?? ours ?? []
  })
  return [...new Set(packages)].toSorted()
}

test('importing the adapter and making a provider loads spec and provider-kit only; the SDK comes with the first call', () => {
  const make = `const { createOpenAI } = await import('@mnemark/embed-openai'); const provider = createOpenAI({ apiKey: 'sk-test-only', fetch: async () => Response.json({}) })`
  expect(modulesLoadedBy(make)).toEqual(['embed-openai', 'provider-kit', 'spec'])
  const call = `${make}; await provider.embed({ inputs: [{ type: 'text', text: 'a' }], inputType: 'query' }).catch(() => {})`
  expect(modulesLoadedBy(call)).toEqual(['embed-openai', 'openai', 'provider-kit', 'spec'])
})
