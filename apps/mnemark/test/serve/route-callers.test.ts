import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { quoteHash } from '@mnemark/spec'
import type { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import { createApp } from '../../src/serve/create-app.ts'
import { AgentMemory } from '../../src/operations/agent-memory.ts'
import type { MemoryEvent } from '../../src/operations/agent-memory.ts'
import type { Caller } from '@mnemark/tools'
import { runTool, toolList } from '@mnemark/tools/host'

const TOKEN = 'test-token-of-at-least-32-characters'
const DIRECT_ONLY = '{ default: "deny", rules: [{ action: "allow", match: { chatType: "direct" } }] }'
const NAMED =
  '{ default: "deny", rules: [{ action: "allow", match: { chatType: "direct" } }, { action: "allow", match: { chatType: "group" } }] }'
/** Stands in long-term notes, and in the owner's conversation. */
const PRIVATE = 'quokka'
const SESSION = 'agent:main:main'

interface Served {
  readonly app: Hono
  readonly memory: AgentMemory
  readonly root: string
}

async function serve(scope: string | null): Promise<Served> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-routes-')))
  const notes = join(root, 'notes')
  const files = {
    'notes/MEMORY.md': `# Memory\n\n- ${PRIVATE} rent is 900 EUR a month\n`,
    'notes/bank/world.md': `# World\n\n- ${PRIVATE} lives in Perth\n`,
    'notes/bank/entities/quokka.md': '---\naliases: [Quo]\n---\n',
    'notes/memory/2026-03-01.md': '# 2026-03-01\n\n- the router is new\n- rent is 950 EUR a month\n',
    'mnemark.json5': `{ serve: { token: "${TOKEN}", allowedHosts: ["localhost"] }${scope === null ? '' : `, memory: { scope: ${scope} }`} }`,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const options = { workspace: notes, config: join(root, 'mnemark.json5'), state: join(root, 'state') }
  const settings = await loadSettings(options, root, { HOME: root })
  const memory = await AgentMemory.open(settings, { isReadOnly: false, isMasking: true, isWatching: false })
  await memory.transcripts.append(SESSION, [{ role: 'user', content: `${PRIVATE} rent is 900 EUR` }], { caller: {} })
  const stopping = new AbortController()
  const { app, close } = createApp({ memory, token: TOKEN, version: '0', stopping: stopping.signal, log: () => {} })
  onTestFinished(async () => {
    stopping.abort()
    await close()
    await memory.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { app, memory, root }
}

type Headers = Readonly<Record<string, string>>
const OWNER: Headers = {}
const GROUP: Headers = { 'Mnemark-Session-Key': 'agent:main:telegram:group:7' }
const DISGUISED: Headers = { ...GROUP, 'Mnemark-Chat-Type': 'direct' }
const CHANNEL: Headers = { 'Mnemark-Chat-Type': 'channel' }

interface Row {
  readonly path?: string
  readonly body?: object
  /** The status for a group without rules, where it is one in particular. */
  readonly forGroups?: number
  /** The reply to a caller the rules exclude; `finds-nothing` is a success without content. */
  readonly denied: 'refused' | 'finds-nothing' | 'holds-no-notes'
}

/** Every route of the server. A new one fails the test until it has a row. */
const ROUTES: Readonly<Record<string, Row>> = {
  'GET /health': { denied: 'holds-no-notes' },
  'GET /openapi.json': { denied: 'holds-no-notes' },
  'GET /v1/tools': { denied: 'holds-no-notes' },
  'POST /v1/search': { body: { query: `${PRIVATE} rent` }, denied: 'finds-nothing' },
  'POST /v1/recall': { body: { question: `what about ${PRIVATE} and the rent` }, denied: 'refused' },
  'POST /v1/recall/check': {
    body: { citations: [{ source: 'MEMORY.md#L1-L1', quoteHash: quoteHash('# Memory') }] },
    forGroups: 403,
    denied: 'refused',
  },
  'GET /v1/note': { path: '/v1/note?path=MEMORY.md', forGroups: 403, denied: 'refused' },
  'GET /v1/notes': { path: '/v1/notes?tags=true', denied: 'finds-nothing' },
  'GET /v1/context': { denied: 'refused' },
  'GET /v1/status': { denied: 'refused' },
  'POST /v1/append': { body: { text: `- ${PRIVATE} rent is 900 EUR a month`, to: 'memory' }, forGroups: 403, denied: 'refused' },
  'POST /v1/edit': {
    body: { path: 'MEMORY.md', insert: { afterLine: 3, text: '- more' } },
    forGroups: 403,
    denied: 'refused',
  },
  'POST /v1/retain': { body: { text: 'W @Mara: likes tea' }, denied: 'refused' },
  'GET /v1/entities': { path: `/v1/entities?name=${PRIVATE}`, denied: 'refused' },
  'POST /v1/entities/merge': { body: { names: [PRIVATE, 'Quo'] }, forGroups: 403, denied: 'refused' },
  'POST /v1/entities/unmerge': { body: { names: [PRIVATE, 'Quo'] }, forGroups: 403, denied: 'refused' },
  'POST /v1/sync': { body: { force: true }, denied: 'refused' },
  'GET /v1/events': { denied: 'refused' },
  'POST /v1/tools/:name': { path: '/v1/tools/memory_get', body: { path: 'MEMORY.md' }, forGroups: 403, denied: 'refused' },
  'GET /v1/sessions': { denied: 'refused' },
  'GET /v1/sessions/:session': { path: `/v1/sessions/${SESSION}`, forGroups: 404, denied: 'refused' },
  'GET /v1/sessions/:session/messages': { path: `/v1/sessions/${SESSION}/messages`, forGroups: 404, denied: 'refused' },
  'POST /v1/sessions/:session/messages': {
    path: `/v1/sessions/${SESSION}/messages`,
    body: { messages: [{ role: 'user', content: 'hello' }] },
    forGroups: 404,
    denied: 'refused',
  },
  'POST /v1/sessions/:session/reset': { path: `/v1/sessions/${SESSION}/reset`, body: {}, forGroups: 403, denied: 'refused' },
  'POST /v1/sessions/:session/compact': {
    path: `/v1/sessions/${SESSION}/compact`,
    body: { window: 8_000 },
    forGroups: 403,
    denied: 'refused',
  },
  'POST /v1/sessions/:session/forget': {
    path: `/v1/sessions/${SESSION}/forget`,
    body: { messages: ['none'] },
    forGroups: 403,
    denied: 'refused',
  },
  'DELETE /v1/sessions/:session': { path: `/v1/sessions/${SESSION}`, forGroups: 403, denied: 'refused' },
  // Its tools and resources are asked for below, and over a real client in mcp.test.ts.
  'ALL /mcp': { path: '/mcp', denied: 'holds-no-notes' },
}

const DENIED: Readonly<Record<Row['denied'], object>> = {
  refused: { status: 403, text: expect.stringContaining('"denied"') },
  'finds-nothing': { status: 200, text: expect.stringContaining('scope-denied') },
  'holds-no-notes': { status: expect.any(Number), text: expect.any(String) },
}

async function ask(app: Hono, route: string, caller: Headers): Promise<{ readonly status: number; readonly text: string }> {
  const [method = '', pattern = ''] = route.split(' ')
  const { path = pattern, body } = ROUTES[route] ?? {}
  const response = await app.request(`http://localhost${path}`, {
    method: method === 'ALL' ? 'GET' : method,
    headers: { host: 'localhost', authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...caller },
    ...(body && { body: JSON.stringify(body) }),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (!isStream) return { status: response.status, text: await response.text() }
  await response.body?.cancel()
  return { status: response.status, text: 'a stream' }
}

test('P105: every route has a row in the table of who is answered what', async () => {
  const { app } = await serve(null)
  // `ALL` beside a path with a star is a guard before routes, not one of them.
  const routes = app.routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => `${method} ${path}`)
  expect([...new Set(routes)].sort()).toEqual(Object.keys(ROUTES).sort())
})

test.each(Object.entries(ROUTES))('P105: %s answers nobody whom the scope rules keep out', async (route, { denied }) => {
  const { app } = await serve(DIRECT_ONLY)
  expect((await ask(app, route, OWNER)).status).toBeLessThan(route === 'ALL /mcp' ? 500 : 300)
  for (const caller of [GROUP, DISGUISED, CHANNEL]) {
    const { status, text } = await ask(app, route, caller)
    expect(text).not.toMatch(/quokka|EUR|Perth/)
    expect({ status, text }).toEqual(DENIED[denied])
  }
})

test.each(Object.keys(ROUTES))(
  'P105: without rules %s gives groups and channels nothing of MEMORY.md and bank/',
  async (route) => {
    const { app, root } = await serve(null)
    for (const caller of [GROUP, DISGUISED, CHANNEL]) {
      const { status, text } = await ask(app, route, caller)
      expect(text).not.toMatch(/quokka|900 EUR|Perth|bank\/world/)
      expect(text).not.toContain(root)
      expect(status).toBe(ROUTES[route]?.forGroups ?? status)
    }
  },
)

test('P105: a rule that names a group lets it in; one for others, and a default, do not', async () => {
  const found = async (scope: string, caller: Headers): Promise<boolean> =>
    (await ask((await serve(scope)).app, 'POST /v1/search', caller)).text.includes(PRIVATE)
  expect(await found(NAMED, GROUP)).toBe(true)
  expect(await found(NAMED, DISGUISED)).toBe(true)
  expect(await found('{ default: "allow" }', GROUP)).toBe(false)
  expect(await found('{ default: "allow", rules: [{ action: "allow", match: { chatType: "channel" } }] }', GROUP)).toBe(false)
  expect(await found('{ default: "allow" }', OWNER)).toBe(true)
})

const GROUP_CALLER: Caller = { sessionKey: 'agent:main:telegram:group:7' }

/** Every tool with inputs that ask for long-term notes. A new tool fails the test until it has a row. */
const TOOLS: Readonly<Record<string, readonly object[]>> = {
  memory_search: [
    { query: `${PRIVATE} rent` },
    { query: 'rent EUR month' },
    { query: '', paths: ['bank/'] },
    { query: '', paths: ['MEMORY.md'] },
    { query: 'path:MEMORY.md rent' },
  ],
  memory_get: [
    'MEMORY.md',
    './MEMORY.md',
    'bank/../MEMORY.md',
    'MEMORY.md#L1-L3',
    'MEMORY.md:3',
    'memory/../bank/world.md',
    'bank/new.md',
    'world',
    'world.md',
    '/bank/world',
    'Source: bank/world.md#L1-L3',
    'mnemark://notes/MEMORY.md',
  ].map((path) => ({ path })),
  memory_list: [{}, { paths: ['bank/'] }, { paths: ['MEMORY.md'] }, { since: '2000', limit: 200 }],
  memory_recent: [{}, { paths: ['bank/'] }],
  memory_edit: ['MEMORY.md', './MEMORY.md', 'bank/world.md', 'memory/../bank/world.md'].flatMap((path) => [
    { path, after: 0, text: '- x' },
    { path, replace: 'rent', text: 'fee' },
  ]),
  memory_append: ['memory', 'MEMORY.md', './MEMORY.md', 'bank/world.md', 'bank/new.md'].map((to) => ({
    text: `- ${PRIVATE} rent is 900 EUR a month`,
    to,
  })),
}

test('P105: no tool gives a group long-term notes, nor writes there', async () => {
  const { memory } = await serve(null)
  const tools = toolList(memory)
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(TOOLS).sort())
  for (const tool of tools) {
    for (const input of TOOLS[tool.name] ?? []) {
      const asked = [tool.name, input]
      const answer = await runTool(tool, memory, input, { caller: GROUP_CALLER }).catch((error: unknown) => String(error))
      expect([...asked, JSON.stringify(answer)]).toEqual([
        ...asked,
        expect.not.stringMatching(/900|Perth|world\.md[# ]|MEMORY\.md \(|Written|Changed|stands/),
      ])
    }
    await runTool(tool, memory, { query: 'router', path: 'memory/2026-03-01.md', text: 'x' }, { caller: GROUP_CALLER }).catch(
      () => {},
    )
  }
  expect(await memory.paths({ caller: GROUP_CALLER })).toEqual(['memory/2026-03-01.md'])
  expect(JSON.stringify(await memory.context({}, { caller: GROUP_CALLER }))).not.toMatch(/quokka/)
  expect((await memory.status({ isDeep: true }, { caller: GROUP_CALLER })).details).toEqual({})
  expect((await memory.status({ isDeep: true }, { caller: {} })).details).toHaveProperty('scan')
})

test('P105: events name no long-term note to a group', async () => {
  const { memory } = await serve(null)
  const [group, owner]: [MemoryEvent[], MemoryEvent[]] = [[], []]
  memory.listenFor({ caller: GROUP_CALLER }, (event) => group.push(event))
  memory.listenFor({ caller: {} }, (event) => owner.push(event))
  const synced = Promise.withResolvers<void>()
  memory.listen((event) => event.event === 'synced' && synced.resolve())
  await memory.append('- tea at five', 'memory', { caller: {} })
  await synced.promise
  expect(JSON.stringify(owner)).toContain('MEMORY.md')
  expect(JSON.stringify(group)).not.toContain('MEMORY.md')
})
