import { describe, expect, test } from 'vitest'
import { LimitByAddress } from '../../src/serve/guards/rate-limit.ts'
import type { Caller } from '@mnemark/tools'
import { openApp } from '../harness/in-process-app.ts'
import type { InProcessApp } from '../harness/in-process-app.ts'

const NOTES = { 'MEMORY.md': '# Memory\n\n- VLAN 10 is for guests\n', 'memory/big.md': 'x'.repeat(11_000_000) }
const STRANGER = { authorization: 'Bearer wrong' }

async function statusOf(asked: Promise<Response>): Promise<number> {
  const response = await asked
  await response.body?.cancel()
  return response.status
}

describe('P74: limits count after authentication', () => {
  // Ten at once of sixty a minute.
  const limited = (): Promise<InProcessApp> => openApp(NOTES, { serve: { requestsPerMinute: 60 } })
  const flood = async ({ ask }: InProcessApp, address: string): Promise<readonly number[]> => {
    const statuses: number[] = []
    for (let count = 0; count < 30; count += 1) statuses.push(await statusOf(ask('/v1/tools', { address, headers: STRANGER })))
    return statuses
  }

  test('strangers of the same address do not lock the owner out', async () => {
    const served = await limited()
    expect((await flood(served, '127.0.0.1')).filter((status) => status === 429)).toHaveLength(20)
    expect(await statusOf(served.ask('/v1/tools', { address: '127.0.0.1' }))).toBe(200)
  })

  test('each address of strangers is counted for itself, and may try again later', async () => {
    const served = await limited()
    await flood(served, '10.0.0.1')
    const tryFrom = (address: string): Promise<number> => statusOf(served.ask('/v1/tools', { address, headers: STRANGER }))
    expect([await tryFrom('10.0.0.1'), await tryFrom('10.0.0.2'), await tryFrom('fe80::1')]).toEqual([429, 401, 401])
    served.wait(1_000)
    expect(await tryFrom('10.0.0.1')).toBe(401)
  })

  test('the owner who asks too much is told to wait, and strangers get nothing by that', async () => {
    const served = await limited()
    for (let count = 0; count < 10; count += 1) await statusOf(served.ask('/v1/tools'))
    const refused = await served.ask('/v1/tools')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await statusOf(served.ask('/v1/tools', { headers: STRANGER }))).toBe(401)
  })

  test('addresses without number fill no memory: beyond a thousand at a time they share a limit', () => {
    let nowMs = 0
    const limit = new LimitByAddress(60, () => nowMs)
    for (let count = 0; count < 1_000; count += 1) expect(limit.take(`10.0.${count >> 8}.${count & 255}`)).toBe(0)
    const waits = Array.from({ length: 11 }, (_, count) => limit.take(`10.1.0.${count}`))
    expect(waits.map((wait) => wait > 0)).toEqual([...Array.from({ length: 10 }, () => false), true])
    nowMs += 60_000
    expect(limit.take('10.2.0.1')).toBe(0)
    for (let count = 0; count < 9; count += 1) limit.take('10.2.0.1')
    expect([limit.take('10.2.0.1') > 0, limit.take('10.2.0.2')]).toEqual([true, 0])
  })
})

describe('P74: a known path with another method', () => {
  test.each([
    ['GET', '/v1/search', 'POST'],
    ['DELETE', '/v1/note', 'GET, HEAD'],
    ['PUT', '/v1/append', 'POST'],
    ['POST', '/v1/status', 'GET, HEAD'],
    ['GET', '/v1/tools/memory_search', 'POST'],
    ['POST', '/v1/events', 'GET, HEAD'],
    ['PATCH', '/openapi.json', 'GET, HEAD'],
    ['PUT', '/mcp', 'GET, POST, DELETE'],
    ['POST', '/health', 'GET, HEAD'],
  ])('%s %s is told which ones there are', async (method, path, allow) => {
    const { ask } = await openApp(NOTES)
    const answer = await ask(path, { method, ...(method === 'GET' ? {} : { body: '{}' }) })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    expect(await answer.json()).toHaveProperty('error')
  })

  test('what is no path stays unknown, and a stranger is told neither', async () => {
    const { ask } = await openApp(NOTES)
    for (const path of ['/v1/nothing', '/v1', '/v1/tools/', '/v1/tools/a/b', '/v1/search/'])
      expect([path, await statusOf(ask(path))]).toEqual([path, 404])
    expect(await statusOf(ask('/v1/search', { headers: STRANGER }))).toBe(401)
    expect(await statusOf(ask('/v1/status', { method: 'HEAD' }))).toBe(200)
  })
})

test('P74: no answer is kept by browsers or proxies, whatever it is', async () => {
  const { ask } = await openApp(NOTES)
  const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const mcp = { ...post({ ...message, params }), headers: { accept: 'application/json, text/event-stream' } }
  const asked: readonly (readonly [string, RequestInit?])[] = [
    ['/v1/search', post({ query: 'vlan' })],
    ['/v1/note?path=MEMORY.md'],
    ['/v1/note?path=../x'],
    ['/v1/notes'],
    ['/v1/context'],
    ['/v1/status'],
    ['/v1/events'],
    ['/v1/append', post({ text: '- x' })],
    ['/v1/sync', post({})],
    ['/v1/tools'],
    ['/v1/tools/memory_get', post({ path: 'MEMORY.md' })],
    ['/mcp', mcp],
    ['/nothing'],
    ['/v1/tools', { headers: STRANGER }],
  ]
  for (const [path, init] of asked) {
    const answer = await ask(path, init)
    expect([path, answer.headers.get('cache-control')]).toEqual([path, expect.stringMatching(/^no-store(?:, no-transform)?$/)])
    await answer.body?.cancel()
  }
})

describe('P74: where things lie on this machine', () => {
  const GONE = { agents: { defaults: { memorySearch: { extraPaths: ['ROOT/a disk that is gone', '~/other'] } } } }

  test.each([
    ['the owner', {}],
    ['a group', { 'mnemark-chat-type': 'group' }],
  ])('is not in the status for %s', async (_who, headers) => {
    const { ask, root } = await openApp(NOTES, GONE)
    await statusOf(ask('/v1/sync', { method: 'POST', body: '{}' }))
    const text = await (await ask('/v1/status', { headers })).text()
    expect(JSON.parse(text)).toMatchObject({ degraded: [{ code: 'source-failed', message: expect.stringContaining('…') }] })
    expect(text).not.toContain(root)
    expect(text).not.toContain('disk that is gone')
    expect(text).not.toMatch(/"(?:\/|[A-Z]:\\)/u)
  })

  test('is in no search, refusal and event either', async () => {
    const { ask, root } = await openApp(NOTES, GONE)
    const search = { method: 'POST', body: '{"query":"vlan"}' }
    for (const [path, init] of [['/v1/search', search], ['/v1/notes'], ['/v1/note?path=../x']] as const) {
      const text = await (await ask(path, init)).text()
      expect(`${path}: ${text}`).not.toContain(root)
    }
    const degraded = [{ message: expect.stringContaining('…') }]
    expect(await (await ask('/v1/search', search)).json()).toMatchObject({ degraded })
    expect(await (await ask('/v1/notes')).json()).toMatchObject({ degraded })
    const events = (await ask('/v1/events')).body?.pipeThrough(new TextDecoderStream()).getReader()
    await statusOf(ask('/v1/sync', { method: 'POST', body: '{}' }))
    let told = ''
    while (!told.includes('event: synced')) told += (await events?.read())?.value ?? ''
    await events?.cancel()
    expect(told).not.toContain(root)
  })

  test('is not told a group by a tool, but the owner is', async () => {
    const { memory, root } = await openApp(NOTES, GONE, { isRemote: false })
    const told = async (caller: Caller): Promise<string> =>
      JSON.stringify((await memory.search({ text: 'vlan' }, { caller })).degraded)
    expect(await told({ chatType: 'group' })).not.toContain(root)
    expect(await told({ chatType: 'direct' })).toContain(root)
  })

  test('but paths of notes are, for the owner', async () => {
    const { ask } = await openApp(NOTES)
    expect(await (await ask('/v1/status')).json()).toMatchObject({ details: { skipped: [{ path: 'memory/big.md' }] } })
  })
})
