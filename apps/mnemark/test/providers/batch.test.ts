import { type EmbeddingWire, geminiWire, mistralWire, openAIWire, startProtocolServer, voyageWire } from '@mnemark/testkit'
import type { ProtocolServer } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { type Json, Sandbox } from '../harness/launcher.ts'
import { jsonBeside, runBeside as runPlainly } from '../harness/run-beside.ts'

const KEY = 'sk-key-of-the-test-0123456789'
const ENVIRONMENT = { THE_KEY: KEY }
const NAMES = ['router', 'garden', 'kitchen', 'ledger', 'piano']

async function runBeside(
  ...given: Parameters<typeof runPlainly>
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { code, stdout, stderr } = await runPlainly(...given)
  return { code, output: stdout + stderr }
}

interface Setting {
  readonly provider?: string
  readonly batch?: object
}

function box(server: ProtocolServer, { provider = 'openai', batch = {} }: Setting = {}): Sandbox {
  const sandbox = new Sandbox(Object.fromEntries(NAMES.map((name) => [`memory/${name}.md`, `All about the ${name}.\n`])))
  const remote = { baseUrl: server.baseUrl, apiKey: '${THE_KEY}', batch: { enabled: true, pollIntervalMs: 5, ...batch } }
  sandbox.configure(JSON.stringify({ agents: { defaults: { memorySearch: { provider, remote } } } }))
  return sandbox
}

/** A service whose clock moves with each request, so that jobs end while somebody looks. */
async function start(wire: EmbeddingWire = openAIWire): Promise<ProtocolServer> {
  const server = await startProtocolServer(wire, { apiKey: KEY })
  server.batch.clock.msPerRequest = 15_000
  return server
}

const services = { openai: openAIWire, gemini: geminiWire, voyage: voyageWire, mistral: mistralWire }

test.for(Object.entries(services))('%s: index fills vectors by one job, and nothing is left there', async ([provider, wire]) => {
  await using server = await start(wire)
  const sandbox = box(server, { provider })
  const index = await jsonBeside(sandbox, ['index'], ENVIRONMENT)
  expect(index).toMatchObject({ code: 0, document: { documents: { indexed: 5 } } })
  expect(index.document.vectors?.['0']).toMatchObject({ filled: 5, missing: 0, failed: 0 })
  expect([...server.batch.timesSubmitted.values()]).toEqual([1, 1, 1, 1, 1])
  expect([server.batch.leftovers, server.calls]).toEqual([[], []])
  const search = await jsonBeside(sandbox, ['search', 'piano'], ENVIRONMENT)
  expect(search.document).toMatchObject({ mode: 'hybrid', provider, degraded: [] })
  expect(index.output + search.output).not.toContain(KEY)
})

describe('a job that runs on', () => {
  const open = async () => {
    const server = await start()
    server.batch.behave({ plan: { validationMs: 0, workMs: 24 * 3_600_000 } })
    const sandbox = box(server, { batch: { wait: false } })
    return { server, sandbox, index: await jsonBeside(sandbox, ['index'], ENVIRONMENT) }
  }
  const jobOf = ({ jobs }: Json): Json | undefined => jobs?.['0']

  test('is said by index, status and batch list, and collected by batch resume', async () => {
    const { server, sandbox, index } = await open()
    await using _ = server
    expect(index.document.degraded?.['0']).toMatchObject({ code: 'space-incomplete' })
    expect((await jsonBeside(sandbox, ['status'], ENVIRONMENT)).document.queue).toMatchObject({
      jobs: { open: 1, inputs: 5, unknown: 0 },
    })
    expect((await runBeside(sandbox, ['status'], ENVIRONMENT)).output).toMatch(/batch jobs +1 at services with 5 texts/)
    const list = await jsonBeside(sandbox, ['batch', 'list'], ENVIRONMENT)
    expect(jobOf(list.document)).toMatchObject({ state: 'submitted', provider: 'openai', texts: 5 })
    server.batch.clock.advance(48 * 3_600_000)
    const resume = await runBeside(sandbox, ['batch', 'resume'], ENVIRONMENT)
    expect(resume.output).toContain('5 texts collected, 0 still at the service')
    expect((await jsonBeside(sandbox, ['status'], ENVIRONMENT)).document.queue).toMatchObject({ missing: 0, jobs: { open: 0 } })
    expect((await runBeside(sandbox, ['batch', 'list'], ENVIRONMENT)).output).toContain('done\n  5 of 5 texts came back.')
    expect(server.batch.leftovers).toEqual([])
  })

  test('is cancelled by the beginning of its marker, keeps what it did, and index sends the rest', async () => {
    const { server, sandbox } = await open()
    await using _ = server
    server.batch.clock.advance(10 * 3_600_000)
    const cancel = await runBeside(sandbox, ['batch', 'cancel', 'mnemark-'], ENVIRONMENT)
    expect(cancel).toMatchObject({ code: 0, output: expect.stringContaining('what it has done is kept') })
    server.batch.clock.advance(60_000)
    server.batch.behave({})
    const index = await jsonBeside(sandbox, ['index'], ENVIRONMENT)
    expect(index.document.notes?.['0']).toContain('2 of 5 texts came back')
    await jsonBeside(sandbox, ['batch', 'resume'], ENVIRONMENT)
    expect((await jsonBeside(sandbox, ['status'], ENVIRONMENT)).document.queue).toMatchObject({ missing: 0 })
    expect(server.batch.leftovers).toEqual([])
  })

  test('belongs to its provider: without it the job is named and left', async () => {
    const { server, sandbox } = await open()
    await using _ = server
    sandbox.configure(JSON.stringify({ agents: { defaults: { memorySearch: { provider: 'none' } } } }))
    const resume = await runBeside(sandbox, ['batch', 'resume'])
    expect(resume).toMatchObject({ code: 0, output: expect.stringMatching(/waits for openai .*not set/) })
    const cancel = await runBeside(sandbox, ['batch', 'cancel', 'mnemark-'])
    expect(cancel).toMatchObject({ code: 3, output: expect.stringContaining('Set that provider') })
  })
})

test('two failed jobs turn batch off for the run, the ordinary path takes over, and the output says so', async () => {
  await using server = await start()
  server.batch.behave({ plan: { fate: () => 'refused' } })
  const index = await runBeside(box(server, { batch: { rest: 'batch' } }), ['index'], ENVIRONMENT)
  expect(index.code).toBe(0)
  expect(index.output).toMatch(/0 of 5 texts came back/)
  expect(server.calls.flatMap(({ texts }) => texts)).toHaveLength(5)
  expect(server.batch.leftovers).toEqual([])
})

test('a dry run sends nothing and says both prices', async () => {
  const sandbox = new Sandbox({ 'memory/a.md': `${'The garden grows. '.repeat(200)}\n` })
  const memorySearch = { provider: 'openai', remote: { apiKey: 'sk-nobody', batch: { enabled: true } } }
  sandbox.configure(JSON.stringify({ agents: { defaults: { memorySearch } } }))
  const { document } = await jsonBeside(sandbox, ['index', '--dry-run'])
  expect(Number(document.usdByBatch)).toBeCloseTo(Number(document.usd) / 2, 12)
  expect((await runBeside(sandbox, ['index', '--dry-run'])).output).toMatch(/about \$0\.\d+, or \$0\.\d+ by batch jobs/)
})

test('jobs asked of a provider that runs none are said, and a wrong use has its next step', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: KEY })
  const sandbox = box(server)
  const entry = { api: 'openai', baseUrl: server.baseUrl, apiKey: '${THE_KEY}', model: 'text-embedding-3-small' }
  const memorySearch = { provider: 'acme', remote: { batch: { enabled: true } } }
  sandbox.configure(JSON.stringify({ agents: { defaults: { memorySearch } }, models: { providers: { acme: entry } } }))
  expect((await runBeside(sandbox, ['index'], ENVIRONMENT)).output).toContain('acme has no batch jobs: texts go by requests')
  expect(await runBeside(sandbox, ['batch', 'cancel'], ENVIRONMENT)).toMatchObject({
    code: 2,
    output: expect.stringContaining('batch list'),
  })
  expect(await runBeside(sandbox, ['batch', 'cancel', 'x'], ENVIRONMENT)).toMatchObject({ code: 2 })
  expect(await runBeside(sandbox, ['batch', 'stop'], ENVIRONMENT)).toMatchObject({ code: 2 })
})
