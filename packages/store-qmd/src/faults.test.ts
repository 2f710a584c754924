import { chmodSync, copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BackendError } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import {
  type FakePlan,
  isAlive,
  openFake,
  openQmd,
  OWNER,
  ROUTER_RESULT,
  results,
  temporaryFolder,
} from './__fixtures__/open-qmd.ts'

/** Time-out for calls that hang. */
const HANG_MS = 3_000
/** Every answer comes long before this, even on a busy machine. */
const ANSWER_MS = 10_000
/** Calls that end by themselves do so long before this, even on a busy machine. */
const ENOUGH_MS = 300_000

async function failureOf(work: Promise<unknown>): Promise<BackendError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!BackendError.isInstance(error)) throw new Error(`expected a BackendError, got ${String(error)}`)
  return error
}

/** Faults, and the resulting message of the search. */
const FAULTS: readonly (readonly [fault: string, plan: FakePlan, code: BackendError['code'], says: RegExp])[] = [
  ['crash', { output: '', kills: 'SIGSEGV' }, 'bad-output', /`qmd search` was ended by SIGSEGV/],
  ['error', { output: '', error: 'Error: odd', code: 1 }, 'bad-output', /`qmd search` ended with code 1: .*`mnemark qmd env`/],
  ['hang', { output: '', hangs: true }, 'timeout', /`qmd search` did not end within 3000 ms/],
  ['slow start', { delayMs: 60_000 }, 'timeout', /did not end within 3000 ms/],
  ['garbage', { output: '\u0000\uFFFD<html>502 Bad Gateway</html>' }, 'bad-output', /printed nothing that can be read/],
  ['nothing', { output: '' }, 'bad-output', /printed nothing that can be read/],
  ['truncated JSON', { output: ROUTER_RESULT.slice(0, -20) }, 'bad-output', /printed nothing that can be read/],
  ['truncated JSON and a crash', { output: ROUTER_RESULT.slice(0, -20), kills: 'SIGKILL' }, 'bad-output', /was ended by SIGKILL/],
  ['endless output', { floods: true }, 'bad-output', /printed more than is ever needed/],
  ['nothing found, then an error', { output: '[]', code: 1 }, 'bad-output', /ended with code 1/],
  [
    'parts built for another Node',
    { output: '', error: 'ERR_DLOPEN_FAILED', code: 1 },
    'bad-output',
    /another Node; install it again/,
  ],
  [
    'a locked index',
    { output: '', error: 'SqliteError: database is locked', code: 1 },
    'bad-output',
    /in use by another process/,
  ],
]

describe('a search whose program fails says how, within its time', () => {
  test.each(FAULTS)('%s', async (_, plan, code, says) => {
    const fake = await openFake({ limits: { timeoutMs: code === 'timeout' ? HANG_MS : ENOUGH_MS } })
    fake.plan({ search: { ...plan, forks: true } })
    const error = await failureOf(fake.search('router'))
    expect(error).toMatchObject({ code, message: expect.stringMatching(says) })
    await expect.poll(() => [fake.leftBehind(), fake.calls('search')[0]?.pid ?? 0].filter(isAlive)).toEqual([])
    fake.plan({ search: { output: ROUTER_RESULT } })
    expect((await fake.search('router')).hits).toHaveLength(1)
  })

  test('the words of the program are not repeated: they may be those of a note or a query', async () => {
    const fake = await openFake()
    fake.plan({ search: { output: 'the secret is sesame', error: 'Expanding: sesame', code: 1 } })
    const error = await failureOf(fake.search('sesame'))
    expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain('sesame')
  })
})

describe('an answer counts, however the program ends after it', () => {
  test.each<readonly [string, FakePlan]>([
    ['an error code', { code: 1 }],
    ['a crash', { kills: 'SIGABRT' }],
    ['a hang', { hangs: true }],
    ['a process it leaves behind', { forks: true }],
  ])('%s', async (_, plan) => {
    const fake = await openFake({ limits: { timeoutMs: ANSWER_MS } })
    fake.plan({ search: { output: `[node-llama-cpp] using CPU\n${ROUTER_RESULT}`, ...plan } })
    const reply = await fake.search('router')
    expect(reply.hits).toMatchObject([{ path: 'MEMORY.md', startLine: 1, endLine: 1, citation: 'MEMORY.md#L1-L1' }])
    const pids = fake.calls('search').map(({ pid }) => pid)
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })
})

describe('B73: plain words for nothing found are an empty answer', () => {
  test.each(['No results found.\n', '[]\n'])('%j', async (output) => {
    const fake = await openFake()
    fake.plan({ search: { output } })
    expect(await fake.search('router')).toMatchObject({ hits: [], mode: 'keywords', degraded: [] })
  })
})

describe('a version that knows less', () => {
  test('a refused mode or flag is asked again as `query`, and from then on at once', async () => {
    const fake = await openFake()
    fake.plan({ search: { refuses: '--json' }, query: { output: ROUTER_RESULT } })
    expect((await fake.search('router')).hits).toHaveLength(1)
    expect((await fake.search('router')).hits).toHaveLength(1)
    expect(fake.calls('search')).toHaveLength(1)
    expect(fake.calls('query')).toHaveLength(2)
  })

  test('one that refuses `--index` is asked without it', async () => {
    const fake = await openFake()
    fake.plan({ search: { refuses: '--index', output: ROUTER_RESULT } })
    expect((await fake.search('router')).hits).toHaveLength(1)
    expect(fake.calls('search').map(({ words }) => words.includes('--index'))).toEqual([true, false])
    expect(fake.calls('query')).toHaveLength(0)
  })

  test('one that refuses `query` as well has failed', async () => {
    const fake = await openFake()
    fake.plan({ '*': { refuses: '--json' } })
    expect(await failureOf(fake.search('router'))).toMatchObject({ code: 'bad-output' })
    expect(fake.calls('query')).toHaveLength(1)
  })

  test('one that makes names plain is understood where one file alone can be meant', async () => {
    const notes = {
      'MEMORY.md': 'x',
      'memory/Home Network (old).md': 'The router has VLAN 10.\n',
      'memory/a b.md': 'one',
      'memory/a-b.md': 'two',
    }
    const fake = await openFake({ notes })
    fake.plan({
      search: {
        output: results({ file: 'qmd://memory-dir/home-network-old.md', line: 1 }, { file: 'qmd://memory-dir/A-B.md', line: 1 }),
      },
    })
    const { hits } = await fake.search('router')
    expect(hits.map(({ path }) => path)).toEqual(['memory/Home Network (old).md'])
  })
})

describe('a missing program', () => {
  test.each(['no-such-program', '/no/such/qmd'])('%s: the message says what to do', async (command) => {
    const fake = await openFake({ notes: { 'MEMORY.md': 'The router.' } })
    const missing = openQmd({ command, place: join(fake.workspace, '..') })
    expect(await failureOf(missing.search('router'))).toMatchObject({
      code: 'missing-program',
      message: expect.stringContaining('npm install -g @tobilu/qmd'),
    })
    expect(await failureOf(missing.qmd.sync())).toMatchObject({ code: 'missing-program' })
  })

  test('one that comes back is used without a new start, and reading never needed it', async () => {
    const place = temporaryFolder()
    const command = join(place, 'qmd.mjs')
    copyFileSync(fileURLToPath(new URL('./__fixtures__/fake-qmd.mjs', import.meta.url)), command)
    const fake = await openFake({ command, place })
    rmSync(command)
    expect(await failureOf(fake.search('router'))).toMatchObject({ code: 'missing-program' })
    expect(await fake.qmd.read({ path: 'MEMORY.md', caller: OWNER })).toMatchObject({ status: 'ok', startLine: 1 })
    copyFileSync(fileURLToPath(new URL('./__fixtures__/fake-qmd.mjs', import.meta.url)), command)
    fake.plan({ search: { output: ROUTER_RESULT } })
    expect((await fake.search('router')).hits).toHaveLength(1)
  })

  test('a file that may not be run is none', async () => {
    const place = temporaryFolder()
    const command = join(place, 'qmd')
    copyFileSync(fileURLToPath(new URL('./__fixtures__/fake-qmd.mjs', import.meta.url)), command)
    chmodSync(command, 0o644)
    expect(await failureOf(openQmd({ command, place }).qmd.sync())).toMatchObject({ code: 'missing-program' })
  })
})

test('B75: what a query holds is one argument, and read by no shell', async () => {
  const fake = await openFake()
  for (const text of ['a & del b', '$(id) `id` | rm -rf ~', "x'; --", '-n 5', '--json', '%PATH%\n\ttwo  lines']) {
    await fake.search(text)
    expect(fake.calls('search').at(-1)?.words.slice(-2)).toEqual(['--', text.replaceAll(/\s+/g, ' ')])
  }
})

test('the language of `query` is not spoken by accident', async () => {
  const fake = await openFake({ searchMode: 'query', environment: withModels() })
  fake.plan({ status: { output: '  Vectors:  9 embedded\n' } })
  await fake.search('intent: buy milk\nvec: two')
  expect(fake.calls('query').at(-1)?.words.at(-1)).toBe('intent buy milk vec: two')
})

/** Existing models, by the variables that the program reads. */
function withModels(): Record<string, string | undefined> {
  const file = fileURLToPath(import.meta.url)
  return { ...process.env, QMD_EMBED_MODEL: file, QMD_GENERATE_MODEL: file, QMD_RERANK_MODEL: file }
}
