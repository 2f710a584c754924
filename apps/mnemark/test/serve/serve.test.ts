import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { serveConfig, TOKEN } from '../harness/serve-process.ts'
import type { ServeProcess } from '../harness/serve-process.ts'
import { startServe } from '../harness/start-serve.ts'

const notes = (config: string = serveConfig()): Sandbox =>
  new Sandbox({
    'MEMORY.md': '# Memory\n\n- Huda prefers pnpm.\n',
    'memory/net.md': '# Network\n\n- VLAN 10 is for guests\n- password: hunter2\n',
    'mnemark.json5': config,
  })

const error = (code: string): object => ({ error: { code, message: expect.any(String), next: expect.stringMatching(/\w/) } })

describe('the API', () => {
  test('searches, reads, lists, writes, and tells what a session begins with', async () => {
    const server = await startServe(notes())
    const found = await server.post('/v1/search', {
      query: 'vlan guests',
      limit: 3,
      explain: true,
      filter: { paths: ['memory/*'] },
    })
    expect(found).toMatchObject({
      status: 200,
      body: {
        mode: 'keywords',
        stale: false,
        hits: [{ path: 'memory/net.md', quoteHash: expect.any(String), explain: { fused: expect.any(Number) } }],
      },
    })
    expect(await server.get('/v1/note?path=memory/net.md&from=3&lines=1')).toMatchObject({
      status: 200,
      body: { text: '- VLAN 10 is for guests' },
    })
    expect(await server.get('/v1/note?path=memory/none.md')).toMatchObject({ status: 200, body: { status: 'not-found' } })
    const first = await server.get('/v1/notes?limit=1&order=path&tags=true')
    expect(first).toMatchObject({ status: 200, body: { notes: [{ path: 'MEMORY.md' }], total: 2, tags: [], stale: false } })
    const next = encodeURIComponent(String((first.body as { next?: string }).next))
    expect(await server.get(`/v1/notes?after=${next}&order=path`)).toMatchObject({ body: { notes: [{ path: 'memory/net.md' }] } })
    const filtered = await server.get('/v1/notes?path=memory/&path=bank/&since=&tag=')
    expect(filtered).toMatchObject({ body: { notes: [{ path: 'memory/net.md' }], total: 1 } })
    expect(await server.post('/v1/append', { text: 'Router PIN: 4711', to: 'memory' })).toMatchObject({
      body: { status: 'appended', warning: expect.stringContaining('MEMORY.md') },
    })
    expect(await server.post('/v1/append', { text: '- tea at five', to: 'memory' })).toMatchObject({
      body: { status: 'appended', path: 'MEMORY.md' },
    })
    expect(await server.post('/v1/search', { query: 'tea' })).toMatchObject({ body: { hits: [{ path: 'MEMORY.md' }] } })
    const edited = await server.post('/v1/edit', { path: 'MEMORY.md', replace: { old: 'tea at five', new: 'tea at six' } })
    expect(edited).toMatchObject({ status: 200, body: { status: 'edited', conflict: null, hash: expect.any(String) } })
    const insert = { path: 'MEMORY.md', insert: { afterLine: 0, text: 'Top' }, expected: '0'.repeat(64) }
    expect(await server.post('/v1/edit', insert)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(await server.post('/v1/edit', { ...insert, expected: null })).toMatchObject({ body: { startLine: 1, endLine: 1 } })
    const back = { path: 'MEMORY.md', replace: { old: 'tea at six', new: 'tea at five' } }
    expect(await server.post('/v1/edit', back)).toMatchObject({ body: { status: 'edited' } })
    expect(await server.get('/v1/context?budget=1000')).toMatchObject({
      body: { isPrivate: true, text: expect.stringContaining('tea at five') },
    })
    expect(await server.get('/v1/status')).toMatchObject({ body: { documents: 2, backend: 'builtin' } })
    expect(await server.post('/v1/sync', { force: true })).toMatchObject({ body: { indexed: 2, isComplete: true } })
    expect(await server.post('/v1/tools/memory_get', { path: 'MEMORY.md' })).toMatchObject({
      body: { text: expect.stringContaining('untrusted-data') },
    })
  })

  test('P30 to P34: blanks count as left out, folders and days are read, and what matches nothing is said', async () => {
    const files = { 'MEMORY.md': 'rent #money\n', 'memory/2026-03-14.md': 'rent #person\n', 'mnemark.json5': serveConfig() }
    const server = await startServe(new Sandbox(files))
    const search = async (body: object): Promise<unknown> => (await server.post('/v1/search', body)).body
    const blank = {
      sources: [],
      paths: [''],
      excludePaths: null,
      since: '',
      until: null,
      asOf: ' ',
      kinds: [],
      entities: [''],
      tags: [],
    }
    expect(
      await search({ query: 'rent', limit: null, filter: blank, overrides: { mmr: null }, explain: null, why: null }),
    ).toMatchObject({
      hits: [{}, {}],
      degraded: [],
    })
    expect(await search({ query: 'rent', filter: { paths: ['memory/'], since: '2026-03', until: 'today' } })).toMatchObject({
      hits: [{ path: 'memory/2026-03-14.md' }],
    })
    expect(await search({ query: '', filter: { tags: ['#person'] } })).toMatchObject({ hits: [{ path: 'memory/2026-03-14.md' }] })
    expect(await search({ query: 'rent path:memroy' })).toMatchObject({
      hits: [],
      degraded: [{ code: 'filter-unmatched', message: expect.stringContaining('"memory/"') }],
    })
    expect(await server.get('/v1/note?path=MEMORY.md&from=&lines=')).toMatchObject({
      status: 200,
      body: { text: 'rent #money\n' },
    })
  })

  test('what is wrong with a request is named in one form, and nothing of the system with it', async () => {
    const server = await startServe(notes())
    const cases: readonly (readonly [Promise<{ readonly status: number; readonly body: unknown }>, number, string])[] = [
      [server.post('/v1/search', { qery: 'x' }), 400, 'bad-input'],
      [server.post('/v1/search', { query: 'x', limit: 1.5 }), 400, 'bad-input'],
      [server.post('/v1/search', { query: 'x', filter: { since: '2026-02-31' } }), 400, 'bad-input'],
      [server.post('/v1/search', { query: 'x', filter: { paths: ['**/*a*a*a*a*a*b'] } }), 400, 'bad-input'],
      [server.get('/v1/note'), 400, 'bad-input'],
      [server.get('/v1/note?path=MEMORY.md&from=-1'), 400, 'bad-input'],
      [server.get('/v1/note?path=MEMORY.md&from=0'), 400, 'bad-input'],
      [server.get('/v1/note?path=MEMORY.md&lines=0'), 400, 'bad-input'],
      [server.get('/v1/notes?limit=0'), 400, 'bad-input'],
      [server.get('/v1/notes?since=someday'), 400, 'bad-input'],
      [server.get('/v1/notes?after=page2'), 400, 'invalid-value'],
      [server.post('/v1/edit', { path: 'MEMORY.md' }), 400, 'bad-input'],
      [server.post('/v1/edit', { path: '../x.md', insert: { afterLine: 0, text: 'x' } }), 403, 'refused'],
      [server.get('/v1/context?budget=5'), 400, 'bad-input'],
      [server.get('/v1/status', { 'mnemark-chat-type': 'private' }), 400, 'bad-input'],
      [server.get('/v1/note?path=../../etc/passwd'), 403, 'refused'],
      [server.get('/v1/note?path=%2Fetc%2Fpasswd'), 403, 'refused'],
      [server.get(`/v1/note?path=${encodeURIComponent('memory/../../../etc/passwd')}`), 403, 'refused'],
      [server.post('/v1/append', { text: 'x', to: '../outside.md' }), 403, 'refused'],
      [server.post('/v1/tools/memory_get', { path: 'a', wrong: 1 }), 400, 'bad-input'],
      [server.get('/v1/nothing'), 404, 'not-found'],
      [server.post('/v1/tools/rm', {}), 404, 'not-found'],
    ]
    for (const [asked, status, code] of cases) {
      const answer = await asked
      expect(answer).toEqual({ status, body: error(code) })
      expect(JSON.stringify(answer)).not.toMatch(/mnemark-app-|\.ts\b/)
    }
    const malformed = await server.fetch('/v1/search', { method: 'POST', body: '{bad' })
    expect([malformed.status, await malformed.json()]).toEqual([400, error('bad-input')])
    const form = await server.post('/v1/search', { query: 'x' }, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('application/json') } } })
  })

  test('a body sent in pieces is read like any other', async () => {
    const server = await startServe(notes())
    const send = async (method: string, path: string, body: string): Promise<unknown> => {
      const init = { method, headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } }
      const pieces = ReadableStream.from([...body].map((piece) => Buffer.from(piece)))
      const response = await server.fetch(path, { ...init, body: pieces, duplex: 'half' } as RequestInit)
      return { status: response.status, text: await response.text() }
    }
    expect(await send('POST', '/v1/search', '{"query":"vlan"}')).toMatchObject({
      status: 200,
      text: expect.stringContaining('VLAN 10'),
    })
    expect(await send('POST', '/v1/append', '{"text":"- tea","to":"memory"}')).toMatchObject({ status: 200 })
    expect(await send('POST', '/v1/tools/memory_get', '{"path":"MEMORY.md"}')).toMatchObject({
      status: 200,
      text: expect.stringContaining('tea'),
    })
    expect(await send('POST', '/v1/search', '{"query":')).toMatchObject({ status: 400 })
    expect(await send('DELETE', '/v1/note', '{}')).toMatchObject({ status: 405 })
    const clientInfo = { name: 't', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(await send('POST', '/mcp', initialize)).toMatchObject({ status: 200, text: expect.stringContaining('serverInfo') })
  })

  test('is described by a valid OpenAPI document that names every route', async () => {
    const server = await startServe(notes())
    const document = (await (await server.fetch('/openapi.json')).json()) as OpenApiDocument
    expect(await new Validator().validate(document)).toEqual({ valid: true })
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(routes.toSorted()).toEqual([
      'delete /v1/sessions/{session}',
      'get /v1/context',
      'get /v1/entities',
      'get /v1/events',
      'get /v1/note',
      'get /v1/notes',
      'get /v1/sessions',
      'get /v1/sessions/{session}',
      'get /v1/sessions/{session}/messages',
      'get /v1/status',
      'get /v1/tools',
      'post /v1/append',
      'post /v1/edit',
      'post /v1/entities/merge',
      'post /v1/entities/unmerge',
      'post /v1/recall',
      'post /v1/recall/check',
      'post /v1/retain',
      'post /v1/search',
      'post /v1/sessions/{session}/compact',
      'post /v1/sessions/{session}/forget',
      'post /v1/sessions/{session}/messages',
      'post /v1/sessions/{session}/reset',
      'post /v1/sync',
      'post /v1/tools/{name}',
    ])
    expect(document.paths['/v1/search']?.post?.requestBody).toMatchObject({
      content: { 'application/json': { schema: { required: ['query'], additionalProperties: false } } },
    })
    expect(document.paths['/v1/tools/{name}']?.post?.requestBody).toMatchObject({
      content: { 'application/json': { schema: { type: 'object' } } },
    })
    expect(document).toMatchObject({ security: [{ bearer: [] }] })
  })

  test('a caller is who the headers say: a group gets no long-term file', async () => {
    const server = await startServe(notes())
    const group = {
      'mnemark-session-key': 'agent:main:telegram:group:1',
      'mnemark-chat-type': 'group',
      'mnemark-channel': 'telegram',
    }
    expect(await server.get('/v1/context', group)).toMatchObject({ body: { isPrivate: false, parts: [] } })
    const [direct, inGroup] = [
      await server.post('/v1/search', { query: 'vlan' }, { 'mnemark-chat-type': 'direct' }),
      await server.post('/v1/search', { query: 'vlan' }, group),
    ]
    expect(JSON.stringify(direct)).toContain('Source: memory/net.md#L1-L4')
    expect(JSON.stringify(inGroup)).not.toContain('Source: ')
  })

  test.each([
    ['by default secrets are hidden', {}, false],
    ['with serve.mask false they are shown', { mask: false }, true],
  ])('%s', async (_name, serve, isShown) => {
    const server = await startServe(notes(serveConfig(serve)))
    const answers = [await server.post('/v1/search', { query: 'password' }), await server.get('/v1/note?path=memory/net.md')]
    for (const answer of answers) expect(JSON.stringify(answer).includes('hunter2')).toBe(isShown)
  })

  test('B79: a forgotten note is in no list and in no start-up context', async () => {
    const box = notes()
    box.run(['index'])
    box.run(['forget', 'MEMORY.md'])
    const server = await startServe(box)
    expect(await server.get('/v1/notes')).toMatchObject({ status: 200, body: { notes: [{ path: 'memory/net.md' }], total: 1 } })
    expect(await server.get('/v1/context')).toMatchObject({ body: { parts: [] } })
  })

  test('read-only, nothing is written', async () => {
    const box = notes()
    const server = await startServe(box, ['--read-only'])
    expect(await server.post('/v1/append', { text: 'x', to: 'memory' })).toEqual({ status: 403, body: error('read-only') })
    expect(await server.post('/v1/tools/memory_append', { text: 'x' })).toMatchObject({ status: 404 })
    expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).not.toContain('x\n')
  })

  test('a request that takes too long is given up', async () => {
    const box = notes(serveConfig({ requestTimeoutSeconds: 1 }))
    const server = await startServe(box)
    // Another process that writes for as long as it likes.
    const store = await openSqliteStore({ path: join(box.workspace, '.mnemark/main.sqlite') })
    onTestFinished(() => store.close())
    const lease = await store.acquireLease('write')
    box.write('memory/new.md', 'words of a new note\n')
    expect(await server.post('/v1/sync', { force: true })).toEqual({ status: 504, body: error('timed-out') })
    await lease?.release()
    expect(await server.get('/v1/notes?limit=1')).toMatchObject({ status: 200 })
    expect(await server.post('/v1/sync', {})).toMatchObject({ status: 200 })
  })
})

test('P72: a client of the older protocol keeps its session when 65 others begin; one whose session is gone is told to begin anew', async () => {
  const server = await startServe(notes())
  const ask = (method: string, session?: string): Promise<Response> =>
    server.fetch('/mcp', {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', ...(session === undefined ? {} : { 'mcp-session-id': session }) },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params:
          method === 'initialize'
            ? { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
            : {},
      }),
    })
  const sessions: string[] = []
  for (let count = 0; count < 66; count += 1) {
    const begun = await ask('initialize')
    await begun.text()
    sessions.push(begun.headers.get('mcp-session-id') ?? '')
  }
  expect(new Set(sessions).size).toBe(66)
  const listed = await ask('tools/list', sessions[0])
  expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('memory_search')])
  expect((await ask('tools/list', 'a-session-that-is-gone')).status).toBe(404)
  expect((await ask('tools/list')).status).toBe(400)
})

describe('syncs', () => {
  test('at the start, on change and on request, told by events', async () => {
    const box = notes(serveConfig({}, { sync: { watchDebounceMs: 30 } }))
    const server = await startServe(box)
    const events = await listen(server)
    box.write('memory/new.md', '# New\n\n- the codeword is ZEBRA\n')
    expect(await events.next(({ event, data }) => event === 'synced' && data.indexed === 1)).toMatchObject({
      data: { reason: 'watch', failed: [] },
    })
    expect(await server.post('/v1/search', { query: 'zebra' })).toMatchObject({
      body: { hits: [{ path: 'memory/new.md' }], stale: false },
    })
    await server.post('/v1/sync', { force: true })
    expect(await events.next(({ event }) => event === 'progress')).toMatchObject({
      data: { phase: expect.any(String), done: expect.any(Number) },
    })
    expect(await events.next(({ data }) => data.reason === 'manual')).toMatchObject({ event: 'synced', data: { total: 3 } })
    rmSync(join(box.workspace, 'memory/new.md'))
    expect(await events.next(({ data }) => data.removed === 1)).toMatchObject({ event: 'synced' })
  })

  test('without a watch every sync.intervalMinutes', async () => {
    const box = notes(serveConfig({}, { sync: { watch: false, onSessionStart: false, intervalMinutes: 0.003 } }))
    const server = await startServe(box)
    const events = await listen(server)
    box.write('memory/new.md', 'x\n')
    expect(await events.next(({ data }) => data.indexed === 1)).toMatchObject({ data: { reason: 'interval' } })
  })

  test('two servers of one workspace both answer, and both have what changed', async () => {
    const box = notes(serveConfig({}, { sync: { watchDebounceMs: 30 } }))
    const [first, second] = [await startServe(box), await startServe(box)]
    for (let index = 0; index < 200; index += 1) box.write(`memory/n${index}.md`, `# N${index}\n\n- word${index} of many\n`)
    for (const server of [first, second]) {
      await server.post('/v1/sync', {})
      expect(await server.post('/v1/search', { query: 'word199' })).toMatchObject({
        body: { hits: [{ path: 'memory/n199.md' }], degraded: [] },
      })
    }
    expect((await second.stop('SIGTERM')).code).toBe(0)
    expect(await first.get('/v1/status')).toMatchObject({ body: { documents: 202, isDirty: false } })
  })
})

describe('the token', () => {
  test('is made once, for its owner only, shown once, and again on request', async () => {
    const box = notes('{ serve: { port: 0 } }')
    const state = join(box.root, 'state')
    const shown = box.json(['serve', 'token', '--state', state])
    const file = join(state, 'serve.token')
    expect(shown).toMatchObject({ code: 0, document: { token: expect.stringMatching(/^[\w-]{43}$/), file } })
    expect(readFileSync(file, 'utf8').trim()).toBe(shown.document.token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(box.json(['serve', 'token', '--state', state]).document.token).toBe(shown.document.token)
    const renewed = box.json(['serve', 'token', '--new', '--state', state])
    expect(renewed.document.token).not.toBe(shown.document.token)
    const server = await startServe(box, ['--state', state])
    const ask = async (token: unknown): Promise<number> =>
      (await server.fetch('/v1/status', { headers: { authorization: `Bearer ${String(token)}` } })).status
    expect([await ask(renewed.document.token), await ask(shown.document.token)]).toEqual([200, 401])
    const { stderr } = await server.stop('SIGINT')
    expect(stderr).not.toContain(renewed.document.token)
  })

  test('is asked for everywhere but for the sign of life, and a wrong one is told in the form of errors', async () => {
    const server = await startServe(notes())
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({
      status: 'ok',
      name: 'mnemark',
      version: expect.any(String),
    })
    for (const headers of [
      { authorization: '' },
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${TOKEN}` },
      { authorization: TOKEN },
    ]) {
      for (const path of ['/v1/status', '/openapi.json', '/mcp', '/v1/events', '/nothing']) {
        const response = await server.fetch(path, { headers })
        expect([response.status, await response.json()]).toEqual([expect.toBeOneOf([400, 401]), error('unauthorised')])
      }
    }
  })

  test('that is short is refused by name, without being shown', () => {
    const box = notes('{ serve: { token: "short-secret" } }')
    const { code, stderr } = box.run(['serve'])
    expect(code).toBe(4)
    expect(stderr).toMatch(/serve\.token.*at least 16/)
    expect(stderr).not.toContain('short-secret')
    const unset = notes('{ serve: { token: "${NOT_SET_HERE}" } }').run(['serve'])
    expect([unset.code, unset.stderr]).toEqual([4, expect.stringContaining('NOT_SET_HERE')])
  })
})

describe('hostile requests', () => {
  test.each([
    ['a name of another host (DNS rebinding)', { host: 'evil.example' }, 'refused-host'],
    ['an address that only looks like this machine', { host: '127.0.0.1.evil.example' }, 'refused-host'],
    ['a page of another origin', { origin: 'https://evil.example' }, 'refused-origin'],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 'refused-origin'],
    ['a page without an origin', { origin: 'null' }, 'refused-origin'],
    ['a cross-site request without an origin', { 'sec-fetch-site': 'cross-site' }, 'refused-origin'],
  ])('%s is refused, also with the token, on every route', async (_name, headers, code) => {
    const server = await startServe(notes())
    for (const [method, path] of [
      ['POST', '/v1/append'],
      ['POST', '/mcp'],
      ['GET', '/v1/status'],
      ['GET', '/health'],
    ] as const) {
      expect(await raw(server, { method, path, headers, body: method === 'POST' ? '{"text":"x"}' : '' })).toMatchObject({
        status: 403,
        body: error(code),
      })
    }
  })

  test('configured names and origins are let in, and browsers are told so', async () => {
    const server = await startServe(
      notes(serveConfig({ allowedHosts: ['notes.example'], allowedOrigins: ['https://app.example'] })),
    )
    expect(await raw(server, { path: '/v1/status', headers: { host: 'notes.example:8080' } })).toMatchObject({ status: 200 })
    const preflight = await fetch(`${server.url}/v1/search`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example'])
    expect(await server.get('/v1/status', { origin: 'https://app.example' })).toMatchObject({ status: 200 })
  })

  test('a body of 100 MB is refused at once, said to be that long or not, and the server goes on', async () => {
    const server = await startServe(notes())
    const size = 100_000_000
    expect(
      await raw(server, { method: 'POST', path: '/v1/search', headers: { 'content-length': String(size) }, body: 'x' }),
    ).toMatchObject({ status: 413, body: error('too-large') })
    for (const path of ['/v1/append', '/mcp', '/v1/tools/memory_search']) {
      const sent = await stream(server, path, size)
      expect(sent).toMatchObject({ status: expect.toBeOneOf([413, 0]) })
      expect(sent.bytes).toBeLessThan(size / 2)
    }
    expect(memoryOf(server)).toBeLessThan(400)
    expect(await server.post('/v1/search', { query: 'vlan' })).toMatchObject({ status: 200 })
  })

  test('idle connections over the limit are not taken, the others are let go, and the server goes on', async () => {
    const server = await startServe(notes(serveConfig({ maxConnections: 50 })))
    const crowd = await crowdOf(server, 400)
    await crowd.closed(350)
    await crowd.closed(400)
    expect(await server.post('/v1/search', { query: 'vlan' })).toMatchObject({ status: 200 })
  })

  test('P108: 700 half-open connections and a crowd of strangers do not lock the owner out', async () => {
    const server = await startServe(notes(serveConfig({ maxConnections: 100, requestsPerMinute: 60 })))
    const crowd = await crowdOf(server, 700)
    // Nobody waits until they are let go: the owner is served while they are there.
    expect(await server.post('/v1/search', { query: 'vlan' })).toMatchObject({ status: 200 })
    const strangers = await Promise.all(
      Array.from({ length: 40 }, () => fetch(`${server.url}/v1/notes`, { headers: { authorization: 'Bearer wrong' } })),
    )
    const statuses = strangers.map(({ status }) => status)
    expect([statuses.filter((status) => status === 401).length > 0, statuses.includes(429)]).toEqual([true, true])
    expect(await server.post('/v1/search', { query: 'vlan' })).toMatchObject({ status: 200 })
    await crowd.closed(600)
  }, 60_000)

  test('more requests than allowed are told to wait, and later ones are served', async () => {
    const server = await startServe(notes(serveConfig({ requestsPerMinute: 60 })))
    const answers = await Promise.all(Array.from({ length: 30 }, () => server.fetch('/v1/notes')))
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([10, 20])
    expect(await refused[0]?.json()).toEqual(error('too-many-requests'))
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  test('rubbish on the wire ends its connection, not the server', async () => {
    const server = await startServe(notes())
    for (const bytes of [
      '\0\0\0\0',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    ]) {
      const socket = open(server)
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.write(bytes)
      await closed
    }
    expect(await server.get('/v1/status')).toMatchObject({ status: 200 })
  })
})

describe('the process', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it, streams and all, with the index whole', async (signal) => {
    const box = notes()
    const server = await startServe(box)
    const events = await server.fetch('/v1/events')
    const { code } = await server.stop(signal)
    expect(code).toBe(0)
    expect(await events.text()).toContain('event: ready')
    expect(box.json(['doctor']).code).toBe(0)
  })

  test('a port that is taken is said so, with what to do', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { code, document } = notes().json(['serve', '--port', String(port)])
    expect([code, document]).toEqual([3, error('not-listening')])
  })

  test('where memory is switched off it does not start', () => {
    const box = notes('{ plugins: { slots: { memory: "none" } } }')
    expect(box.run(['serve']).code).toBe(3)
    expect(existsSync(join(box.workspace, '.mnemark'))).toBe(false)
  })
})

interface OpenApiDocument {
  readonly [key: string]: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>
}

interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request with headers that fetch would not let through. */
function raw(
  server: ServeProcess,
  { method = 'GET', path, headers = {}, body = '' }: RawRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      },
      async (incoming) => {
        const text = await Readable.from(incoming).toArray()
        resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(Buffer.concat(text).toString()) })
      },
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

/** Sends a body piece by piece, without its length, until all is sent or the server has had enough; status 0 where it only hung up. */
function stream(server: ServeProcess, path: string, size: number): Promise<{ readonly status: number; readonly bytes: number }> {
  const { hostname, port } = new URL(server.url)
  const piece = Buffer.alloc(64_000, ' ')
  return new Promise((resolve) => {
    let bytes = 0
    let isDone = false
    const done = (status: number): void => {
      isDone = true
      resolve({ status, bytes })
    }
    const outgoing = request(
      {
        hostname,
        port,
        method: 'POST',
        path,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
      },
      (incoming) => {
        incoming.resume()
        done(incoming.statusCode ?? 0)
      },
    )
    outgoing.once('error', () => done(0))
    const more = (): void => {
      while (!isDone && bytes < size) {
        bytes += piece.length
        if (!outgoing.write(piece)) return void outgoing.once('drain', more)
      }
      outgoing.end()
    }
    more()
  })
}

function open(server: ServeProcess): Socket {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.resume()
  return socket
}

/** So many connections that say nothing; `closed` resolves when at least so many of them have ended. */
async function crowdOf(server: ServeProcess, size: number): Promise<{ closed(count: number): Promise<void> }> {
  let ended = 0
  let check = (): void => {}
  const sockets = Array.from({ length: size }, () => open(server))
  for (const socket of sockets) {
    socket.once('close', () => {
      ended += 1
      check()
    })
  }
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  return {
    closed: (count) =>
      new Promise((resolve) => {
        check = () => ended >= count && resolve()
        check()
      }),
  }
}

interface ServerEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events of a server; ready when the server listens. */
async function listen(server: ServeProcess): Promise<{ next(fits: (event: ServerEvent) => boolean): Promise<ServerEvent> }> {
  const response = await server.fetch('/v1/events')
  const events = eventsOf(response)
  await events.next()
  return {
    next: async (fits) => {
      for (;;) {
        const { value, done } = await events.next()
        if (done === true) throw new Error('the stream ended')
        if (fits(value)) return value
      }
    },
  }
}

async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const event = /^event: (.*)$/m.exec(block)?.[1]
      if (event !== undefined) yield { event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') }
    }
  }
}

/** Resident memory in MB. */
function memoryOf(server: ServeProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' })) / 1_024
}
