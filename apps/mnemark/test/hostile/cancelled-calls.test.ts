import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../harness/in-process-app.ts'
import type { InProcessApp } from '../harness/in-process-app.ts'
import { TOKEN } from '../harness/serve-process.ts'

/** More than one batch: what was read of the one that is on is kept when a sync stops. */
const COUNT = 1_200
const NOTES = Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`memory/${at}.md`, `# Note ${at}\n\n- a\n`]))
/** Nothing is indexed on its own. */
const CONFIG = { agents: { defaults: { memorySearch: { sync: { onSessionStart: false, watch: false, intervalMinutes: 0 } } } } }

interface Held extends InProcessApp {
  /** Lets indexing begin. */
  release(): Promise<void>
  /** How many notes the next sync finds not indexed yet. */
  left(): Promise<number>
}

/** A memory with nothing indexed, while another process keeps everybody from writing. */
async function openHeld(): Promise<Held> {
  const opened = await openApp(NOTES, CONFIG)
  const store = await openSqliteStore({ path: opened.memory.indexFile ?? '' })
  onTestFinished(() => store.close())
  const lease = await store.acquireLease('write')
  return {
    ...opened,
    release: async () => lease?.release(),
    left: async () => {
      const { indexed } = await opened.memory.sync({ force: false }, { caller: {} })
      return indexed
    },
  }
}

test('P74: a sync over HTTP stops when its client goes', async () => {
  const { app, left, release } = await openHeld()
  const aborted = Promise.withResolvers<void>()
  const fetch = (request: Request): Response | Promise<Response> => {
    request.signal.addEventListener('abort', () => aborted.resolve())
    return app.fetch(request)
  }
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const asked = once(server, 'request')
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'content-length': '2' }
  const call = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/sync', headers })
  call.on('error', () => {})
  call.end('{}')
  await asked
  call.destroy()
  await aborted.promise
  await release()
  expect(await left()).toBeGreaterThan(0)
})

test('P74: a search over HTTP that is given up stops the first index', async () => {
  const { ask, left, release } = await openHeld()
  const abort = new AbortController()
  const call = ask('/v1/search', { method: 'POST', body: '{"query":"a"}', signal: abort.signal })
  // By then it waits for the other process; were it not so far yet, the test would show less, and not fail.
  for (let turns = 0; turns < 500; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  abort.abort()
  await (await call).body?.cancel()
  await release()
  expect(await left()).toBeGreaterThan(0)
})

test('P74: so does a call of a tool that its MCP client cancels', async () => {
  const { ask, left, release } = await openHeld()
  const send = (body: object, session = ''): Promise<Response> =>
    ask('/mcp', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      headers: { accept: 'application/json, text/event-stream', ...(session === '' ? {} : { 'mcp-session-id': session }) },
    })
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const begun = await send({ id: 1, method: 'initialize', params })
  await begun.text()
  const session = begun.headers.get('mcp-session-id') ?? ''
  await send({ id: 2, method: 'tools/call', params: { name: 'memory_search', arguments: { query: 'a' } } }, session)
  const cancelled = await send({ method: 'notifications/cancelled', params: { requestId: 2 } }, session)
  expect(cancelled.status).toBe(202)
  await release()
  expect(await left()).toBeGreaterThan(0)
})

test('P74: a call that nobody cancels indexes everything', async () => {
  const { ask, left, release } = await openHeld()
  const call = ask('/v1/search', { method: 'POST', body: '{"query":"a"}' })
  await release()
  expect((await call).status).toBe(200)
  expect(await left()).toBe(0)
})
