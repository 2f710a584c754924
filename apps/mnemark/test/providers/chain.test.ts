import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ollamaWire, openAIWire, startProtocolServer, voyageWire } from '@mnemark/testkit'
import type { ProtocolServer } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { jsonBeside, runBeside } from '../harness/run-beside.ts'

const KEY = 'sk-key-of-the-test-0123456789'
const ENVIRONMENT = { THE_KEY: KEY }

const notes = (): Sandbox =>
  new Sandbox({
    'MEMORY.md': '# Memory\n\nThe router is in the attic.\n',
    'memory/a.md': 'beta\n',
    'memory/b.md': 'gamma\n',
  })

function configure(box: Sandbox, memorySearch: object): void {
  box.configure(JSON.stringify({ agents: { defaults: { memorySearch } } }))
}

const at = (server: ProtocolServer) => ({ baseUrl: server.baseUrl, apiKey: '${THE_KEY}' })
const start = (): Promise<ProtocolServer> => startProtocolServer(openAIWire, { apiKey: KEY })
const textsOf = ({ calls }: ProtocolServer): number => calls.reduce((sum, { texts }) => sum + texts.length, 0)
const refuse = (server: ProtocolServer): void => {
  const [failure] = openAIWire.failures.auth
  if (failure !== undefined) server.behave({ reply: failure.reply })
}

describe('a provider by name', () => {
  test('index fills its vectors once, search is hybrid, and a moved note costs nothing', async () => {
    await using server = await start()
    const box = notes()
    configure(box, { provider: 'openai', outputDimensionality: 32, remote: at(server) })
    const index = await jsonBeside(box, ['index'], ENVIRONMENT)
    expect(index).toMatchObject({ code: 0, document: { documents: { indexed: 3 } } })
    expect(index.document.vectors?.['0']).toMatchObject({ filled: 3, missing: 0, failed: 0 })
    expect(Number(index.document.tokens)).toBeGreaterThan(0)
    const search = await jsonBeside(box, ['search', 'attic'], ENVIRONMENT)
    expect(search).toMatchObject({
      code: 0,
      document: {
        mode: 'hybrid',
        provider: 'openai',
        model: 'text-embedding-3-small',
        requestedProvider: 'openai',
        degraded: [],
      },
    })
    renameSync(join(box.workspace, 'memory/b.md'), join(box.workspace, 'memory/c.md'))
    const before = textsOf(server)
    expect(await jsonBeside(box, ['index', '--force'], ENVIRONMENT)).toMatchObject({ code: 0, document: { tokens: 0 } })
    expect(textsOf(server)).toBe(before)
    const status = await jsonBeside(box, ['status'], ENVIRONMENT)
    expect(status.document).toMatchObject({ provider: 'openai', queue: { missing: 0, failed: 0 } })
    expect(status.document.chain?.['0']).toMatchObject({ provider: 'openai', isHealthy: true })
    for (const { output } of [index, search, status]) expect(output).not.toContain(KEY)
  })

  test('that fails is unavailable: no hits, exit code 3, cause and next step; keywords only on request', async () => {
    await using server = await start()
    const box = notes()
    configure(box, { provider: 'openai', remote: at(server) })
    await jsonBeside(box, ['index'], ENVIRONMENT)
    refuse(server)
    const search = await jsonBeside(box, ['search', 'attic'], ENVIRONMENT)
    expect(search).toMatchObject({ code: 3, document: { hits: [], mode: 'unavailable', requestedProvider: 'openai' } })
    expect(search.document.degraded?.['0']).toMatchObject({
      code: 'provider-unavailable',
      message: expect.stringMatching(/key was refused.*--keywords/s),
    })
    expect(search.output).not.toContain(KEY)
    expect(await jsonBeside(box, ['search', 'attic', '--keywords'], ENVIRONMENT)).toMatchObject({
      code: 0,
      document: { mode: 'keywords', degraded: [] },
    })
    box.write('memory/new.md', 'delta\n')
    const index = await jsonBeside(box, ['index'], ENVIRONMENT)
    expect(index).toMatchObject({ code: 0, document: { documents: { indexed: 1 } } })
    expect((await runBeside(box, ['status'], ENVIRONMENT)).stdout).toMatch(/3 of 4 texts; failing since .*key was refused/)
  })

  test('a settings error comes before any request, and a search by keywords needs no key', async () => {
    await using server = await start()
    const box = notes()
    configure(box, { provider: 'openai', remote: at(server) })
    const search = await jsonBeside(box, ['search', 'attic'])
    expect(search).toMatchObject({ code: 4, document: { error: { code: 'unset-variable' } } })
    expect(search.document.error?.message).toContain('remote.apiKey needs the environment variable THE_KEY')
    expect((await jsonBeside(box, ['search', 'attic', '--keywords'])).code).toBe(0)
    expect(server.requests).toEqual([])
  })

  test('a dry run sends nothing and says what would be; --re-embed pays again', async () => {
    await using server = await start()
    const box = notes()
    configure(box, { provider: 'openai', remote: at(server) })
    const dry = await jsonBeside(box, ['index', '--dry-run'], ENVIRONMENT)
    expect(dry).toMatchObject({ code: 0, document: { documents: { total: 3 }, chunks: 3, vectors: [] } })
    expect((await runBeside(box, ['index', '--dry-run'], ENVIRONMENT)).stdout).toMatch(
      /would be embedded by openai \(text-embedding-3-small\): about \d+ tokens/,
    )
    expect(server.requests).toEqual([])
    const first = await jsonBeside(box, ['index'], ENVIRONMENT)
    // A dry run may count a little more, never less.
    expect(Number(dry.document.tokens)).toBeGreaterThanOrEqual(Number(first.document.tokens))
    expect((await jsonBeside(box, ['index', '--dry-run'], ENVIRONMENT)).document.tokens).toBe(0)
    const again = await jsonBeside(box, ['index', '--re-embed', 'openai/text-embedding-3-small'], ENVIRONMENT)
    expect(again.document.tokens).toBe(first.document.tokens)
    expect(textsOf(server)).toBe(6)
    const planned = await runBeside(box, ['index', '--dry-run', '--re-embed', 'openai'], ENVIRONMENT)
    expect(planned.stdout).toMatch(/all of openai again: about [1-9]\d* tokens/)
    expect(textsOf(server)).toBe(6)
    expect(await jsonBeside(box, ['index', '--re-embed', 'other'], ENVIRONMENT)).toMatchObject({
      code: 2,
      document: { error: { code: 'bad-option', message: expect.stringContaining('openai/text-embedding-3-small') } },
    })
  })

  test('limits.dailyTokens ends a day of sending, and says so', async () => {
    await using server = await start()
    const box = notes()
    configure(box, { provider: 'openai', remote: at(server), limits: { dailyTokens: 1 } })
    const { code, document } = await jsonBeside(box, ['index'], ENVIRONMENT)
    expect([code, document.degraded?.['0']?.code]).toEqual([0, 'budget-reached'])
    expect(textsOf(server)).toBe(0)
  })
})

describe('a chain', () => {
  test('B67: words first; a provider that comes later fills its vectors and loses nothing', async () => {
    await using server = await start()
    const box = notes()
    expect(await jsonBeside(box, ['index'])).toMatchObject({ code: 0, document: { documents: { indexed: 3 }, vectors: [] } })
    configure(box, { provider: 'openai', remote: at(server) })
    const later = await jsonBeside(box, ['index'], ENVIRONMENT)
    expect(later).toMatchObject({ code: 0, document: { documents: { indexed: 0, unchanged: 3 } } })
    expect(later.document.vectors?.['0']).toMatchObject({ filled: 3 })
  })

  test('the fallback fills its own space and answers while the provider is refused; going back costs nothing', async () => {
    await using first = await start()
    await using second = await startProtocolServer(voyageWire, { apiKey: KEY })
    const box = notes()
    configure(box, { provider: 'openai', remote: at(first), fallback: [{ provider: 'voyage', remote: at(second) }] })
    await jsonBeside(box, ['index'], ENVIRONMENT)
    expect([textsOf(first), textsOf(second)]).toEqual([3, 0])
    refuse(first)
    const unfilled = await jsonBeside(box, ['search', 'attic'], ENVIRONMENT)
    expect(unfilled).toMatchObject({ code: 0, document: { mode: 'keywords' } })
    expect(unfilled.document.hits?.['0']?.path).toBe('MEMORY.md')
    // With a refused key nobody waits: the next sync fills the next link whole.
    await jsonBeside(box, ['index'], ENVIRONMENT)
    const answered = await jsonBeside(box, ['search', 'attic'], ENVIRONMENT)
    expect(answered).toMatchObject({ code: 0, document: { mode: 'hybrid', provider: 'voyage', requestedProvider: 'openai' } })
    expect(answered.document.degraded?.['0']?.code).toBe('fallback-provider')
    const status = await jsonBeside(box, ['status'], ENVIRONMENT)
    expect(status.document).toMatchObject({ provider: 'voyage' })
    expect(status.document.spaces).toHaveLength(2)
    configure(box, { provider: 'voyage', remote: at(second), fallback: 'none' })
    const before = [textsOf(first), second.calls.filter(({ inputType }) => inputType === 'document').length]
    await jsonBeside(box, ['index'], ENVIRONMENT)
    expect([textsOf(first), second.calls.filter(({ inputType }) => inputType === 'document').length]).toEqual(before)
  })

  test('B72: another address is asked anew, and switching back embeds nothing twice', async () => {
    await using one = await start()
    await using two = await start()
    const box = notes()
    for (const server of [one, two, one]) {
      configure(box, { provider: 'openai', remote: at(server) })
      await jsonBeside(box, ['index'], ENVIRONMENT)
    }
    expect([textsOf(one), textsOf(two)]).toEqual([3, 3])
  })
})

describe('asking', () => {
  test('status --deep and doctor ask each link for one vector and report each', async () => {
    await using good = await startProtocolServer(ollamaWire)
    await using bad = await start()
    refuse(bad)
    const box = notes()
    configure(box, {
      provider: 'ollama',
      remote: { baseUrl: good.baseUrl },
      fallback: { provider: 'openai', remote: at(bad) },
    })
    const { code, document } = await jsonBeside(box, ['status', '--deep'], ENVIRONMENT)
    expect(code).toBe(0)
    expect(document.asked).toMatchObject([
      { provider: 'ollama', dimensions: 768 },
      { provider: 'openai', dimensions: null, problem: { code: 'auth' } },
    ])
    expect([textsOf(good), textsOf(bad)]).toEqual([1, 1])
    const doctor = await runBeside(box, ['doctor'], ENVIRONMENT)
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(
      /ok {7}provider: ollama \(nomic-embed-text\) at 127\.0\.0\.1:\d+ answers in \d+ ms, 768 dimensions/,
    )
    expect(doctor.stdout).toMatch(/failed {3}provider: openai .*key was refused/)
    expect(doctor.stdout).toMatch(/keys: present for openai \(agents\.defaults\.memorySearch\.fallback\.remote\.apiKey\)/)
    expect(doctor.stdout + doctor.stderr).not.toContain(KEY)
  })
})

test('a cold search loads the adapter that is configured, and no other', async () => {
  await using server = await start()
  const box = notes()
  configure(box, { provider: 'openai', remote: at(server) })
  await jsonBeside(box, ['index'], ENVIRONMENT)
  const list = join(box.root, 'modules.txt')
  const hook = join(box.root, 'hook.mjs')
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context)) })`,
  )
  const { code } = await jsonBeside(box, ['search', 'attic'], {
    ...ENVIRONMENT,
    NODE_OPTIONS: `--import=${hook}`,
    MNEMARK_FROM_SOURCES: '1',
  })
  expect(code).toBe(0)
  const loaded = readFileSync(list, 'utf8')
  const adapters = new Set(loaded.match(/(?<=\/packages\/)embed-[a-z-]+/g))
  expect([...adapters]).toEqual(['embed-openai'])
  for (const name of ['@google/genai', 'voyageai', '@mistralai', '@aws-sdk', 'node-llama-cpp', 'ollama', 'cli-progress']) {
    expect([name, loaded.includes(`/node_modules/${name}/`)]).toEqual([name, false])
  }
})

describe('a first provider that fails', () => {
  const limitOf = (server: ProtocolServer, headers: Readonly<Record<string, string>>): void =>
    server.behave({ reply: { status: 429, headers, body: { error: { message: 'slow down' } } } })
  const withFallback = (first: ProtocolServer, second: ProtocolServer): object => ({
    provider: 'openai',
    outputDimensionality: 32,
    remote: at(first),
    fallback: [{ provider: 'voyage', remote: { baseUrl: second.baseUrl, apiKey: '${THE_KEY}' } }],
  })

  test('P53: at the first index the fallback is filled at once, and answers', async () => {
    await using first = await start()
    await using second = await startProtocolServer(voyageWire, { apiKey: KEY })
    const box = notes()
    configure(box, withFallback(first, second))
    refuse(first)
    const index = await jsonBeside(box, ['index'], ENVIRONMENT)
    expect(Object.values(index.document.vectors ?? {})).toMatchObject([
      { filled: 0, missing: 3 },
      { filled: 3, missing: 0 },
    ])
    expect((await jsonBeside(box, ['search', 'attic'], ENVIRONMENT)).document).toMatchObject({
      mode: 'hybrid',
      provider: 'voyage',
    })
  })

  test.for([
    ['retry-after', '10800'],
    ['retry-after', new Date(Date.now() + 10_800_000).toUTCString()],
    ['retry-after-ms', '10800000'],
  ] as const)(
    'P51: told by %s: %s, index ends at once and says when and how it goes on; --fallback does not wait',
    async ([name, value]) => {
      await using first = await start()
      await using second = await startProtocolServer(voyageWire, { apiKey: KEY })
      const box = notes()
      configure(box, withFallback(first, second))
      await jsonBeside(box, ['index'], ENVIRONMENT)
      box.write('memory/new.md', 'delta\n')
      limitOf(first, { [name]: value })
      const asked = first.requests.length
      const index = await jsonBeside(box, ['index'], ENVIRONMENT)
      expect(first.requests.length).toBe(asked + 1)
      expect(index.code).toBe(0)
      const said = JSON.stringify(index.document.degraded)
      expect(said).toMatch(/openai \(text-embedding-3-small\) is asked again at \d{4}-\d\d-\d\d \d\d:\d\d/i)
      expect(said).toMatch(/index --fallback/)
      expect(Date.parse(String(index.document.retryAt))).toBeGreaterThan(Date.now())
      const urgent = await jsonBeside(box, ['index', '--fallback'], ENVIRONMENT)
      expect(Object.values(urgent.document.vectors ?? {})).toMatchObject([
        { filled: 3, missing: 1 },
        { filled: 4, missing: 0 },
      ])
    },
  )

  test('P55: after a 401 at the first index all texts are missing, in status and in its JSON', async () => {
    await using server = await start()
    const box = notes()
    configure(box, { provider: 'openai', outputDimensionality: 32, remote: at(server) })
    refuse(server)
    await jsonBeside(box, ['index'], ENVIRONMENT)
    expect((await jsonBeside(box, ['status'], ENVIRONMENT)).document).toMatchObject({ queue: { missing: 3, failed: 0 } })
    expect((await runBeside(box, ['status'], ENVIRONMENT)).stdout).toMatch(
      /openai \(text-embedding-3-small\): 0 of 3 texts; failing since/,
    )
  })

  test('P55: without a key no request goes out, and the variable is named', async () => {
    await using server = await start()
    const box = notes()
    for (const [provider, variable] of [
      ['openai', 'OPENAI_API_KEY'],
      ['gemini', 'GEMINI_API_KEY'],
      ['voyage', 'VOYAGE_API_KEY'],
      ['mistral', 'MISTRAL_API_KEY'],
      ['github-copilot', 'COPILOT_GITHUB_TOKEN'],
    ] as const) {
      configure(box, { provider })
      // Whatever goes out would have to pass here.
      const environment = { HTTPS_PROXY: server.origin }
      const index = await jsonBeside(box, ['index'], environment)
      expect(JSON.stringify(index.document.degraded)).toContain(variable)
      const search = await jsonBeside(box, ['search', 'attic'], environment)
      expect([search.code, search.output]).toEqual([3, expect.stringContaining(variable)])
    }
    expect(server.requests).toEqual([])
  })
})
