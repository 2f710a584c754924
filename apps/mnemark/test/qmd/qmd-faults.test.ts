import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemory } from '@mnemark/core'
import { withFallback } from '@mnemark/core/backend'
import { createQmdBackend, planCollections, qmdHome } from '@mnemark/store-qmd'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'
import { expect, onTestFinished, test } from 'vitest'

// The program fails in every way a program can; a stand-in does so on request. The built-in engine behind it is the real one.

const FAKE = fileURLToPath(new URL('../../../../packages/store-qmd/src/__fixtures__/fake-qmd.mjs', import.meta.url))
const COOL_DOWN_MS = 60_000
/** How long a hanging program is waited for; others end long before, also on a busy machine. */
const TIMEOUT_MS = 15_000
const NOTE = 'The router has VLAN 10.'
const ANSWER = `${JSON.stringify([{ file: 'qmd://memory-root/MEMORY.md', score: 0.8, line: 1, snippet: `@@ -1,1 @@ (0 before, 0 after)\n${NOTE}` }])}\n`

async function setUp() {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-qmd-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const workspace = join(root, 'notes')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'MEMORY.md'), `${NOTE}\n`)
  const home = qmdHome(join(root, 'state'), 'main')
  mkdirSync(join(home.config), { recursive: true })
  mkdirSync(join(home.cache, 'qmd'), { recursive: true })
  writeFileSync(home.index, '')
  const program = join(root, 'qmd.mjs')
  const install = (): void => writeFileSync(program, readFileSync(FAKE))
  install()
  const plan = (plans: object): void => writeFileSync(join(home.config, 'fake.json'), JSON.stringify(plans))
  const clock = { nowMs: 0 }
  const notes = await openWorkspace({ root: workspace })
  const qmd = createQmdBackend({
    home,
    collections: planCollections({ workspace }),
    reader: notes.reader,
    command: program,
    limits: { timeoutMs: TIMEOUT_MS },
  })
  const store = await openSqliteStore({ path: ':memory:' })
  const builtIn = await createMemory({ store, sources: [notes.source], reader: notes.reader })
  const memory = withFallback(qmd, builtIn, {
    coolDownMs: COOL_DOWN_MS,
    now: () => clock.nowMs,
    cannotAnswer: (query) => qmd.cannotAnswer(query),
  })
  onTestFinished(() => memory.close())
  plan({
    collection: {
      output: 'memory-root (qmd://memory-root/)\n  Pattern:  {MEMORY.md,SOUL.md,USER.md,bank/**/*.md,bank/**/*.markdown}\n',
    },
  })
  await memory.sync()
  const search = () => memory.search({ text: 'router', caller: { agentId: 'main', chatType: 'direct' } })
  return { memory, plan, clock, search, install, uninstall: () => rmSync(program) }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

/** Each fault, and the first entry of `degraded` it causes. */
const FAULTS: readonly (readonly [fault: string, cause: RegExp, breakIt: (open: SetUp) => void])[] = [
  ['crash', /was ended by SIGSEGV/, ({ plan }) => plan({ search: { output: '', kills: 'SIGSEGV' } })],
  ['hang', /did not end within 15000 ms/, ({ plan }) => plan({ search: { output: '', hangs: true, forks: true } })],
  ['slow start', /did not end within 15000 ms/, ({ plan }) => plan({ search: { delayMs: 60_000 } })],
  ['garbage', /printed nothing that can be read/, ({ plan }) => plan({ search: { output: '<html>\u0000' } })],
  ['truncated JSON', /printed nothing that can be read/, ({ plan }) => plan({ search: { output: ANSWER.slice(0, -9) } })],
  ['missing program', /was not found: there is no program at/, ({ uninstall }) => uninstall()],
  ['a flag refused everywhere', /ended with code 2/, ({ plan }) => plan({ '*': { refuses: '--json' } })],
]

test.each(FAULTS)(
  '%s: the built-in engine answers in time, the cause first; QMD does after the cool-down',
  async (_, cause, breakIt) => {
    const open = await setUp()
    const works = { search: { output: ANSWER } }
    open.plan(works)
    expect(await open.search()).toMatchObject({ backend: 'qmd', degraded: [] })
    breakIt(open)
    const helped = await open.search()
    expect(helped).toMatchObject({ backend: 'builtin', hits: [{ path: 'MEMORY.md', startLine: 1 }] })
    expect(helped.degraded[0]).toMatchObject({ code: 'backend-fallback', message: expect.stringMatching(cause) })
    open.install()
    open.plan(works)
    open.clock.nowMs += COOL_DOWN_MS - 1
    expect(await open.search()).toMatchObject({ backend: 'builtin' })
    open.clock.nowMs += 1
    expect(await open.search()).toMatchObject({ backend: 'qmd', degraded: [], hits: [{ path: 'MEMORY.md' }] })
    expect((await open.memory.status()).details['fallback']).toMatchObject({ lastServed: 'qmd', failure: null })
  },
)

test.each<readonly [string, object]>([
  ['an answer before a crash', { search: { output: ANSWER, kills: 'SIGABRT' } }],
  ['an answer before a hang', { search: { output: ANSWER, hangs: true } }],
  ['a refused flag that `query` takes', { search: { refuses: '--json' }, query: { output: ANSWER } }],
])('%s is an answer', async (_, plans) => {
  const { plan, search } = await setUp()
  plan(plans)
  expect(await search()).toMatchObject({ backend: 'qmd', degraded: [], hits: [{ citation: 'MEMORY.md#L1-L1' }] })
})
