import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FAKE, temporaryFolder, writeNotes } from './__fixtures__/open-qmd.ts'
import { checkQmd, installHint } from './check-qmd.ts'
import { planCollections } from './collections/qmd-collection.ts'
import { qmdHome } from './home.ts'

function setUp() {
  const place = temporaryFolder()
  const workspace = join(place, 'workspace')
  writeNotes(workspace, { 'MEMORY.md': 'x' })
  const home = qmdHome(join(place, 'state'), 'main')
  const plan = (output: string): void => writeNotes(home.config, { 'fake.json': JSON.stringify({ version: { output } }) })
  return {
    place,
    home,
    plan,
    request: { home, command: FAKE, collections: planCollections({ workspace }), environment: process.env },
  }
}

test('all is well where the program answers with a known version', async () => {
  expect(await checkQmd(setUp().request)).toEqual([{ status: 'ok', message: `qmd 2.8.3 (${FAKE})` }])
})

test('an older version is named, and how to update it', async () => {
  const { plan, request } = setUp()
  plan('qmd 1.0.7\n')
  expect(await checkQmd(request)).toMatchObject([
    { status: 'warning', message: expect.stringContaining('1.0.7'), next: expect.stringContaining('npm') },
  ])
})

test.each([
  ['linux', '~/.local'],
  ['darwin', 'brew install sqlite'],
  ['win32', 'qmd.cmd'],
] as const)('a missing program: what to do on %s', async (platform, hint) => {
  const checks = await checkQmd({ ...setUp().request, command: 'no-such-qmd', platform })
  expect(checks).toMatchObject([
    { status: 'failed', message: 'qmd: no-such-qmd is not on the PATH', next: installHint(platform) },
  ])
  expect(checks[0]?.next).toContain(hint)
})

test('a program that does not answer is stopped and reported', async () => {
  const { home, request } = setUp()
  writeNotes(home.config, { 'fake.json': JSON.stringify({ version: { output: '', hangs: true } }) })
  expect(await checkQmd({ ...request, timeoutMs: 1_000 })).toMatchObject([
    { status: 'failed', message: expect.stringContaining('1000 ms') },
  ])
})

test('missing folders and models are warnings with what to do', async () => {
  const { place, request } = setUp()
  const workspace = join(place, 'workspace')
  const collections = planCollections({ workspace, paths: [{ path: '../gone', name: 'gone' }] })
  const environment = {
    ...process.env,
    QMD_EMBED_MODEL: fileURLToPath(import.meta.url),
    QMD_GENERATE_MODEL: '',
    QMD_RERANK_MODEL: '',
  }
  expect(await checkQmd({ ...request, collections, environment, searchMode: 'query' })).toMatchObject([
    { status: 'ok' },
    { status: 'warning', message: `qmd: collection gone has no folder (${join(place, 'gone')})` },
    { status: 'warning', message: expect.stringContaining('1 of the 3 models') },
  ])
})

test.skipIf(process.getuid?.() === 0)('a place that cannot be written is a failure', async () => {
  const { place, request } = setUp()
  mkdirSync(join(place, 'state'))
  chmodSync(join(place, 'state'), 0o500)
  expect((await checkQmd(request)).map(({ status }) => status)).toEqual(['ok', 'failed'])
})
