/** The SDK's own habits that must not show, and when modules are loaded. */
import { execFileSync } from 'node:child_process'
import { mistralChatWire, SECRET, startChatServer } from '@mnemark/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { createMistralGenerator } from './create.ts'

const model = 'mistral-small-latest'
const request = { system: '', prompt: 'a private note' }

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('B72: a key in the environment neither counts nor goes out', async () => {
  await using server = await startChatServer(mistralChatWire, { apiKey: SECRET })
  vi.stubEnv('MISTRAL_API_KEY', 'key-of-another-product')
  expect(() => createMistralGenerator({ apiKey: '', model })).toThrow(expect.objectContaining({ code: 'config' }))
  await createMistralGenerator({ apiKey: SECRET, model, baseUrl: server.baseUrl }).generate(request)
  const { headers } = server.requests[0] ?? { headers: {} }
  expect(headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'user-agent': expect.stringContaining('mistralai') })
  expect(JSON.stringify(headers)).not.toContain('another-product')
})

test('nothing is printed of a model that will go away', async () => {
  await using server = await startChatServer(mistralChatWire, { apiKey: SECRET })
  const prints = (['log', 'warn', 'error', 'debug', 'info'] as const).map((name) => vi.spyOn(console, name))
  const headers = { 'x-model-deprecation-timestamp': '2027-01-01T00:00:00Z' }
  server.behave({ bend: (reply) => ({ ...reply, headers }) })
  await createMistralGenerator({ apiKey: SECRET, model, baseUrl: server.baseUrl }).generate(request)
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
  const { createMistralGenerator } = await import('@mnemark/generate-mistral')
  const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }]
  const reply = { id: '1', object: 'chat.completion', created: 1, model: 'm', choices, usage: { prompt_tokens: 1, completion_tokens: 1 } }
  const generator = createMistralGenerator({ apiKey: 'key-test-only', model: 'm', fetch: async () => Response.json(reply) })`
const CALL = `${MAKE}
  console.log((await generator.generate({ system: '', prompt: 'a private note' })).text.length)`

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

const OURS = ['@mnemark/generate-mistral', '@mnemark/provider-kit', '@mnemark/spec']

test('importing the adapter and making a generator asks for spec and provider-kit only; the SDK comes with the first call', () => {
  expect(packagesOf(MAKE)).toEqual(OURS)
  expect(packagesOf(CALL)).toEqual(['@mistralai/mistralai', ...OURS, 'zod'])
})

test('B72: no setting of the environment makes the SDK print notes or send records of them elsewhere', () => {
  const env = {
    MISTRAL_DEBUG: '1',
    MISTRAL_SDK_TELEMETRY: 'dedicated',
    MISTRAL_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/traces',
  }
  expect(run(CALL, env)).toBe('3\n')
  expect(packagesOf(CALL, env).filter((name) => name.includes('telemetry'))).toEqual([])
})
