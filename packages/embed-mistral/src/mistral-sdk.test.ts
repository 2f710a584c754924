/** The SDK's own habits that must not show, and when modules are loaded. */
import { execFileSync } from 'node:child_process'
import { mistralWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { createMistral } from './create.ts'

const request = { inputs: [{ type: 'text', text: 'a private note' }], inputType: 'document' } as const

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('B72: a key in the environment neither counts nor goes out', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  vi.stubEnv('MISTRAL_API_KEY', 'key-of-another-product')
  expect(() => createMistral({ apiKey: '' })).toThrow(expect.objectContaining({ code: 'config' }))
  await createMistral({ apiKey: SECRET, baseUrl: server.baseUrl }).embed(request)
  const { headers } = server.requests[0] ?? { headers: {} }
  expect(headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'user-agent': expect.stringContaining('mistralai') })
  expect(JSON.stringify(headers)).not.toContain('another-product')
})

test('an answer without the fields that nothing here needs is understood', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const body = { data: [{ embedding: [3, 4], index: 0 }], usage: { prompt_tokens: 3 } }
  server.behave({ reply: { status: 200, body } })
  const provider = createMistral({ apiKey: SECRET, baseUrl: server.baseUrl, model: 'codestral-embed', dimensions: 2 })
  const { vectors, usage } = await provider.embed(request)
  expect([...(vectors[0] ?? [])]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)])
  expect(usage).toEqual({ inputTokens: 3 })
})

test('nothing is printed of a model that will go away', async () => {
  await using server = await startProtocolServer(mistralWire, { apiKey: SECRET })
  const prints = (['log', 'warn', 'error', 'debug', 'info'] as const).map((name) => vi.spyOn(console, name))
  const headers = { 'x-model-deprecation-timestamp': '2027-01-01T00:00:00Z' }
  server.behave({ bend: (reply) => ({ ...reply, headers }) })
  await createMistral({ apiKey: SECRET, baseUrl: server.baseUrl }).embed(request)
  for (const print of prints) expect(print).not.toHaveBeenCalled()
})

/** Runs code in a fresh process and returns its output. */
function run(code: string, env: Readonly<Record<string, string>> = {}): string {
  return execFileSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', '--input-type=module', '--eval', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 600_000,
  })
}

const MAKE = `
  const { createMistral } = await import('@mnemark/embed-mistral')
  const reply = { id: '1', object: 'list', model: 'm', data: [{ embedding: Array(1024).fill(1), index: 0 }], usage: { prompt_tokens: 1 } }
  const provider = createMistral({ apiKey: 'key-test-only', fetch: async () => Response.json(reply) })`
const CALL = `${MAKE}
  const { vectors } = await provider.embed({ inputs: [{ type: 'text', text: 'a private note' }], inputType: 'query' })
  console.log(vectors[0].length)`

/** The packages a fresh process asks for, whether or not they are installed. */
function packagesOf(code: string, env?: Readonly<Record<string, string>>): readonly string[] {
  const hook = `
    import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => (console.log(name), next(name, context)) })
    ${code}`
  const names = run(hook, env).split('\n')
  const packages = names.flatMap((name) => /^(?:@[^/]+\/)?[a-z][^/:]*/.exec(name)?.[0] ?? [])
  return [...new Set(packages.filter((name) => name !== 'node'))].toSorted()
}

const OURS = ['@mnemark/embed-mistral', '@mnemark/provider-kit', '@mnemark/spec']

test('importing the adapter and making a provider asks for spec and provider-kit only; the SDK comes with the first call', () => {
  expect(packagesOf(MAKE)).toEqual(OURS)
  expect(packagesOf(CALL)).toEqual(['@mistralai/mistralai', ...OURS, 'zod'])
})

test('B72: no setting of the environment makes the SDK print notes or send records of them elsewhere', () => {
  const env = {
    MISTRAL_DEBUG: '1',
    MISTRAL_SDK_TELEMETRY: 'dedicated',
    MISTRAL_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/traces',
  }
  expect(run(CALL, env)).toBe('1024\n')
  expect(packagesOf(CALL, env).filter((name) => name.includes('telemetry'))).toEqual([])
})
