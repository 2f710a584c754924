import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect } from '../harness/mcp-clients.ts'
import { serveConfig } from '../harness/serve-process.ts'
import { startServe } from '../harness/start-serve.ts'

// Today is far from the first and the last of these days, and after all others.
const NOTES = {
  'MEMORY.md': '# Memory\n',
  'memory/2001-01-01.md': 'The rent of the old flat in Aden was paid in cash.\n',
  'memory/2026-02-28.md': 'Rent talks with the landlord failed.\n',
  'memory/2026-03-01.md': 'A lawyer looked at what rent means in the contract.\n',
  'memory/2026-03-31.md': 'Moved house; the bank pays rent by standing order.\n',
  'memory/2199-12-31.md': 'Somebody may read about rent here.\n',
}
const RECENT = ['2199-12-31']
const MARCH_ON = ['2026-03-01', '2026-03-31', ...RECENT]
const PAST = ['2001-01-01', '2026-02-28', '2026-03-01', '2026-03-31']

type Bound = 'since' | 'until'
const DAYS: readonly (readonly [Bound, string, readonly string[]])[] = [
  ['since', '2026-03-01', MARCH_ON],
  ['since', '2026-03', MARCH_ON],
  ['since', '2026', ['2026-02-28', ...MARCH_ON]],
  ['since', '2026-03-01T10:00:00Z', MARCH_ON],
  ...['7d', '2w', '1m', '2 weeks ago', 'yesterday', 'last week', 'امس', 'الأسبوع الماضي', '昨天', 'gestern'].map(
    (day) => ['since', day, RECENT] as const,
  ),
  ['until', '2026-03-01', PAST.slice(0, 3)],
  ['until', '2026-03', PAST],
  ['until', '2026', PAST],
  ...['7d', 'yesterday', 'last week', 'أمس', '昨天'].map((day) => ['until', day, PAST] as const),
]

/** One of each kind, where each question starts a process. */
const SOME_DAYS = DAYS.filter(([, day]) => ['2026-03', '7d', 'last week', '昨天'].includes(day))

/** Asks a surface for `rent` within a bound, and gives its whole answer as text. */
type Ask = (bound: Bound, day: string) => Promise<string>

const SURFACES: Readonly<Record<string, (box: Sandbox) => Promise<Ask>>> = {
  'the options of search': async (box) => async (bound, day) => said(box, ['search', 'rent', `--${bound}`, day, '-k', '20']),
  'a list without words': async (box) => async (bound, day) =>
    said(box, ['search', '--path', 'memory/', `--${bound}`, day, '-k', '20']),
  'search --files': async (box) => async (bound, day) => said(box, ['search', 'rent', `--${bound}`, day, '--files', '-k', '20']),
  'the words of a query': async (box) => async (bound, day) => said(box, ['search', `rent ${bound}:"${day}"`, '-k', '20']),
  HTTP: async (box) => {
    const server = await startServe(box)
    return async (bound, day) =>
      JSON.stringify((await server.post('/v1/search', { query: 'rent', limit: 20, filter: { [bound]: day } })).body)
  },
  MCP: async (box) => {
    const client = await connect('stdio', box)
    return async (bound, day) =>
      JSON.stringify(await client.callTool({ name: 'memory_search', arguments: { query: 'rent', limit: 20, [bound]: day } }))
  },
}

function said(box: Sandbox, argv: readonly string[]): string {
  const { stdout, stderr } = box.run(argv)
  return stdout + stderr
}

test.each(Object.entries(SURFACES))('P64: a day is a day on every surface: %s', async (name, start) => {
  const ask = await start(new Sandbox({ ...NOTES, 'mnemark.json5': serveConfig() }))
  const isInOneProcess = name === 'HTTP' || name === 'MCP'
  for (const [bound, day, expected] of isInOneProcess ? DAYS : SOME_DAYS) {
    const found = [...(await ask(bound, day)).matchAll(/memory\/(\d{4}-\d\d-\d\d)\.md/g)].map(([, date]) => date)
    expect([bound, day, [...new Set(found)].toSorted()]).toEqual([bound, day, expected])
  }
  // In a query what is no day is text, as everything else is.
  const isRefused = name !== 'the words of a query'
  for (const day of ['someday', '2026-13', '2026-02-31', '7x']) {
    expect([day, (await ask('since', day)).includes('YYYY-MM-DD')]).toEqual([day, isRefused])
  }
})

test('--as-of takes the same forms', () => {
  const box = new Sandbox(NOTES)
  const paths = (day: string): string => box.run(['search', 'rent', '--as-of', day, '--files']).stdout
  expect(paths('yesterday').trimEnd().split('\n')).toHaveLength(4)
  expect(paths('2026-02').trimEnd().split('\n')).toHaveLength(2)
})
