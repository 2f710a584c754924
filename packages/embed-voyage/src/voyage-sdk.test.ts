/** The SDK's own habits that must not show, and when modules are loaded. */
import { execFileSync } from 'node:child_process'
import { SECRET, startProtocolServer, voyageWire } from '@mnemark/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { createVoyage } from './create.ts'

const request = { inputs: [{ type: 'text', text: 'a note' }], inputType: 'document' } as const

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('B72: a key in the environment neither counts nor goes out', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  vi.stubEnv('VOYAGE_API_KEY', 'pa-of-another-product')
  expect(() => createVoyage({ apiKey: '' })).toThrow(expect.objectContaining({ code: 'config' }))
  await createVoyage({ apiKey: SECRET, baseUrl: server.baseUrl }).embed(request)
  const { headers } = server.requests[0] ?? { headers: {} }
  expect(headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'user-agent': expect.stringMatching(/^voyageai\/0\./) })
  expect(JSON.stringify(headers)).not.toContain('another-product')
})

test('B49: base64 is asked for by name, and numbers in its place are understood', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const provider = createVoyage({ apiKey: SECRET, baseUrl: server.baseUrl, dimensions: 256 })
  const asked = await provider.embed(request)
  const shape = { order: [0], hasIndexes: true, hasUsage: true }
  server.behave({
    reply: (call) => voyageWire.answer({ ...call, isBase64: false }, [[3, 4, ...Array<number>(254).fill(0)]], shape),
  })
  const given = await provider.embed(request)
  expect(server.requests[0]?.body).toMatchObject({ encoding_format: 'base64', output_dimension: 256, truncation: false })
  expect(asked.vectors[0]?.length).toBe(256)
  expect([...(given.vectors[0] ?? [])].slice(0, 3)).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6), 0])
})

test('nothing is printed, whatever the answer holds', async () => {
  await using server = await startProtocolServer(voyageWire, { apiKey: SECRET })
  const prints = (['log', 'warn', 'error', 'debug', 'info'] as const).map((name) => vi.spyOn(console, name))
  const provider = createVoyage({ apiKey: SECRET, baseUrl: server.baseUrl })
  await provider.embed(request)
  server.behave({ reply: { status: 200, body: { data: [{ embedding: ['one', null], index: 'first' }], usage: 'none' } } })
  await expect(provider.embed(request)).rejects.toMatchObject({ code: 'bad-response' })
  for (const print of prints) expect(print).not.toHaveBeenCalled()
})

const RUN_TIMEOUT_MS = 600_000

/** Runs code in a fresh process, which must end by itself, and returns its output. */
function run(code: string): string {
  return execFileSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', '--input-type=module', '--eval', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
  })
}

const making = (options: string): string => `
  const { createVoyage } = await import('@mnemark/embed-voyage')
  const provider = createVoyage({ apiKey: 'pa-test-only', ${options} })
  const request = { inputs: [{ type: 'text', text: 'a' }], inputType: 'query' }`

test.each(['new Error("broken")', 'new TypeError("fetch failed")'])(
  'after a request that failed with %s nothing keeps the process alive',
  (error) => {
    const code = `${making(`fetch: () => Promise.reject(${error})`)}
      await provider.embed(request).catch(({ code }) => console.log(code))`
    expect(run(code)).toBe('unavailable\n')
  },
)

/** The packages a fresh process asks for, whether or not they are installed. */
function packagesOf(code: string): readonly string[] {
  const hook = `
    import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => (console.log(name), next(name, context)) })
    ${code}`
  const names = run(hook)
    .split('\n')
    .filter((name) => /^[a-z@]/.test(name) && !name.startsWith('node:'))
  return [...new Set(names)].toSorted()
}

test('importing the adapter and making a provider asks for spec and provider-kit only; the SDK comes with the first call', () => {
  const ours = ['@mnemark/embed-voyage', '@mnemark/provider-kit', '@mnemark/spec']
  const make = making('fetch: async () => Response.json({})')
  expect(packagesOf(make)).toEqual(ours)
  const call = `${make}; await provider.embed(request).catch(() => {})`
  expect(packagesOf(call)).toEqual([...ours, 'voyageai'])
})

test('the heavy optional parts of the SDK are never asked for, not even by a model that it would run itself', () => {
  const call = `${making("model: 'voyage-4-nano', fetch: async () => Response.json({})")}; await provider.embed(request).catch(() => {})`
  expect(packagesOf(call)).not.toContain('@huggingface/transformers')
  expect(packagesOf(call).filter((name) => /transformers|onnx|node-fetch/.test(name))).toEqual([])
})
