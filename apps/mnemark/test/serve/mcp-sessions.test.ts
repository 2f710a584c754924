import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import { McpEndpoint } from '../../src/serve/mcp-endpoint.ts'
import { AgentMemory } from '../../src/operations/agent-memory.ts'

const HOUR_MS = 3_600_000

interface Served {
  /** Moves the clock of the sessions. */
  wait(ms: number): void
  begin(): Promise<string>
  ask(method: string, session: string | null, params?: object): Promise<Response>
  listen(session: string): Promise<Response>
  readonly indexFile: string
}

async function serve(): Promise<Served> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-sessions-')))
  mkdirSync(join(root, 'notes'))
  writeFileSync(join(root, 'notes/MEMORY.md'), '# Memory\n\n- VLAN 10 is for guests\n')
  const settings = await loadSettings({ workspace: join(root, 'notes'), state: join(root, 'state') }, root, { HOME: root })
  const memory = await AgentMemory.open(settings, { isReadOnly: false, isMasking: true, isWatching: false })
  let nowMs = 0
  const limited = (signal: AbortSignal): AbortSignal => signal
  const endpoint = new McpEndpoint(
    { host: memory, version: '0', log: () => {}, limited },
    { maxBodyBytes: 1_000_000, now: () => nowMs },
  )
  onTestFinished(async () => {
    await endpoint.close()
    await memory.close()
    rmSync(root, { recursive: true, force: true })
  })
  let id = 0
  const send = (method: string, session: string | null, body?: object): Promise<Response> =>
    endpoint.handle(
      new Request('http://127.0.0.1/mcp', {
        method,
        headers: {
          accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(session === null ? {} : { 'mcp-session-id': session }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
      }),
    )
  const ask: Served['ask'] = (method, session, params = {}) =>
    send('POST', session, { method, params, ...(method.startsWith('notifications/') ? {} : { id: (id += 1) }) })
  return {
    wait: (ms) => void (nowMs += ms),
    ask,
    listen: (session) => send('GET', session),
    begin: async () => {
      const clientInfo = { name: 't', version: '1' }
      const response = await ask('initialize', null, { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
      await response.text()
      const session = response.headers.get('mcp-session-id') ?? ''
      await (await ask('notifications/initialized', session)).text()
      return session
    },
    indexFile: memory.indexFile ?? '',
  }
}

async function statusOf(asked: Promise<Response>): Promise<number> {
  const response = await asked
  await response.text()
  return response.status
}

test('P72: a session that is idle for an hour ends, its client gets 404 and begins again', async () => {
  const server = await serve()
  const [first, used] = [await server.begin(), await server.begin()]
  server.wait(HOUR_MS / 2)
  expect(await statusOf(server.ask('ping', used))).toBe(200)
  server.wait(HOUR_MS / 2 + 1)
  expect(await statusOf(server.ask('ping', used))).toBe(200)
  const gone = await server.ask('ping', first)
  expect([gone.status, await gone.json()]).toMatchObject([404, { error: { code: -32_001, message: 'Session not found' } }])
  expect([await statusOf(server.listen(first)), await statusOf(server.ask('ping', await server.begin()))]).toEqual([404, 200])
})

test('P72: 64 other clients end no session, and idle ones are kept up to a thousand', async () => {
  const server = await serve()
  const first = await server.begin()
  for (let count = 0; count < 70; count += 1) await server.begin()
  expect(await statusOf(server.ask('ping', first))).toBe(200)
  server.wait(1)
  const second = await server.begin()
  for (let count = 0; count < 1_000; count += 1) {
    server.wait(1)
    await server.begin()
  }
  expect(await statusOf(server.ask('ping', second))).toBe(404)
  expect(await statusOf(server.ask('ping', await server.begin()))).toBe(200)
})

test('P72: an open stream keeps its session, however long nothing is asked, until it is left', async () => {
  const server = await serve()
  const session = await server.begin()
  const stream = await server.listen(session)
  server.wait(10 * HOUR_MS)
  await server.begin()
  expect(await statusOf(server.ask('ping', session))).toBe(200)
  server.wait(10 * HOUR_MS)
  expect(await statusOf(server.ask('ping', session))).toBe(200)
  await stream.body?.cancel()
  server.wait(HOUR_MS + 1)
  expect(await statusOf(server.ask('ping', session))).toBe(404)
})

test('P72: a running call keeps its session, also when its connection breaks, until it is answered', async () => {
  const server = await serve()
  // Another process writes: a first search waits for it.
  const store = await openSqliteStore({ path: server.indexFile })
  onTestFinished(() => store.close())
  const lease = await store.acquireLease('write')
  const session = await server.begin()
  const call = await server.ask('tools/call', session, { name: 'memory_search', arguments: { query: 'vlan' } })
  await call.body?.cancel()
  server.wait(10 * HOUR_MS)
  expect(await statusOf(server.ask('ping', session))).toBe(200)
  await lease?.release()
  const answered = await server.ask('tools/call', session, { name: 'memory_search', arguments: { query: 'vlan' } })
  expect(await answered.text()).toContain('VLAN 10')
  // The first call ends with the same sync, at the latest with the next one.
  await expect.poll(async () => (server.wait(HOUR_MS + 1), statusOf(server.ask('ping', session)))).toBe(404)
})

test('P72: a cancelled call keeps its session no longer', async () => {
  const server = await serve()
  const store = await openSqliteStore({ path: server.indexFile })
  onTestFinished(() => store.close())
  const lease = await store.acquireLease('write')
  const session = await server.begin()
  const call = await server.ask('tools/call', session, { name: 'memory_search', arguments: { query: 'vlan' } })
  // The second request of this client: the first was the handshake.
  const cancelled = await server.ask('notifications/cancelled', session, { requestId: 2 })
  expect(cancelled.status).toBe(202)
  await call.body?.cancel()
  server.wait(HOUR_MS + 1)
  expect(await statusOf(server.ask('ping', session))).toBe(404)
  await lease?.release()
})
