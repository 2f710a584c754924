import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { serveConfig, TOKEN } from '../harness/serve-process.ts'
import type { ServeProcess } from '../harness/serve-process.ts'
import { answerOf, at } from '../harness/session-answers.ts'
import { startServe } from '../harness/start-serve.ts'

const MAIN = 'agent:main:main'
const MARA = 'agent:main:telegram:direct:mara'
const PETER = 'agent:main:telegram:direct:peter'
const GROUP = 'agent:main:telegram:group:7'
const SECRET = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'

function box(visibility?: string, serve: object = {}): Sandbox {
  const config = { ...JSON.parse(serveConfig(serve)), tools: { sessions: { enabled: true, ...(visibility && { visibility }) } } }
  return new Sandbox({ 'MEMORY.md': '# Memory\n', 'mnemark.json5': JSON.stringify(config) })
}

const as = (key: string): Readonly<Record<string, string>> => ({ 'Mnemark-Session-Key': key })
const message = (content: string): object => ({ messages: [{ role: 'user', content }] })

/** One word of each chat, which only that chat may read. */
const WORDS: Readonly<Record<string, string>> = { [MAIN]: 'quokka', [MARA]: 'wombat', [PETER]: 'numbat', [GROUP]: 'bilby' }

async function withChats(server: ServeProcess): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {}
  for (const [key, word] of Object.entries(WORDS)) {
    const body = answerOf(await server.post(at(key, '/messages'), message(`the word is ${word}`)))
    ids[key] = body.sessionId
  }
  return ids
}

/** Everything that a caller can get at by any way that knows sessions. */
async function allThatIsTold(
  server: ServeProcess,
  caller: Readonly<Record<string, string>>,
  ids: readonly string[],
): Promise<string> {
  const answers: Promise<unknown>[] = [server.get('/v1/sessions', caller), server.post('/v1/tools/sessions_list', {}, caller)]
  for (const name of [...Object.keys(WORDS), ...ids, 'main']) {
    answers.push(
      server.get(at(name), caller),
      server.get(at(name, '/messages?tools=true&branches=true'), caller),
      server.post('/v1/tools/sessions_history', { session: name }, caller),
    )
  }
  for (const id of ids) {
    const path = `session:${id}.jsonl`
    answers.push(
      server.get(`/v1/note?path=${encodeURIComponent(path)}`, caller),
      server.get(`/v1/note?path=${encodeURIComponent(`${path}#L2`)}`, caller),
      server.post('/v1/tools/memory_get', { path: `${path}#L2` }, caller),
      server.post('/v1/tools/memory_get', { path: `Source: ${path}:1` }, caller),
    )
  }
  return JSON.stringify(await Promise.all(answers))
}

const wordsIn = (told: string): readonly string[] => Object.values(WORDS).filter((word) => told.includes(word))

test.each([
  ['tree', MARA, ['wombat']],
  ['tree', MAIN, ['quokka']],
  ['self', GROUP, ['bilby']],
  ['agent', MARA, ['wombat', 'bilby']],
  ['agent', GROUP, ['bilby']],
  ['all', MARA, ['quokka', 'wombat', 'numbat', 'bilby']],
] as const)('with visibility %s, %s is told the words of no other chat than it may', async (visibility, key, words) => {
  const server = await startServe(box(visibility))
  const ids = Object.values(await withChats(server))
  expect(wordsIn(await allThatIsTold(server, as(key), ids))).toEqual(words)
})

test('the owner is told all; a chat without a session, and one that only says it is direct on a channel, nothing', async () => {
  const server = await startServe(box())
  const ids = Object.values(await withChats(server))
  expect(wordsIn(await allThatIsTold(server, {}, ids))).toHaveLength(4)
  for (const caller of [
    { 'Mnemark-Chat-Type': 'group' },
    { 'Mnemark-Chat-Type': 'direct', 'Mnemark-Channel': 'telegram' },
    { ...as('agent:main:telegram:direct:nobody') },
    { ...as(`${MARA}:thread:1`) },
    { ...as(MARA.toUpperCase()) },
  ]) {
    expect(wordsIn(await allThatIsTold(server, caller, ids))).toEqual([])
  }
})

test('what may not be seen answers as what is not there', async () => {
  const server = await startServe(box())
  const ids = await withChats(server)
  const none = '00000000-0000-4000-8000-000000000000'
  for (const rest of ['', '/messages']) {
    const [hidden, missing] = [await server.get(at(ids[PETER] ?? '', rest), as(MARA)), await server.get(at(none, rest), as(MARA))]
    expect(hidden.status).toBe(404)
    expect(JSON.stringify(hidden).replace(ids[PETER] ?? '', none)).toBe(JSON.stringify(missing))
  }
  const cited = (id: string): Promise<{ readonly body: unknown }> =>
    server.get(`/v1/note?path=${encodeURIComponent(`session:${id}.jsonl#L2`)}`, as(MARA))
  const [hidden, missing] = [await cited(ids[PETER] ?? ''), await cited(none)]
  expect(hidden.body).toMatchObject({ status: 'not-found', text: '' })
  expect(JSON.stringify(hidden).replace(ids[PETER] ?? '', none)).toBe(JSON.stringify(missing))
})

test('a chat appends to itself alone; only the owner resets, compacts, deletes and forgets', async () => {
  const server = await startServe(box('all'))
  const ids = await withChats(server)
  expect(await server.post(at(MARA, '/messages'), message('mine'), as(MARA))).toMatchObject({ status: 200 })
  for (const name of [PETER, ids[PETER] ?? '', 'main', 'agent:main:telegram:direct:new'])
    expect(await server.post(at(name, '/messages'), message('forged'), as(MARA))).toMatchObject({ status: 404 })
  for (const caller of [as(MARA), as(MAIN), { 'Mnemark-Chat-Type': 'channel' }, { 'Mnemark-Channel': 'telegram' }]) {
    const denied = { status: 403, body: { error: { code: 'denied' } } }
    expect(await server.post(at(MARA, '/reset'), {}, caller)).toMatchObject(denied)
    expect(await server.post(at(MARA, '/compact'), { window: 8_000 }, caller)).toMatchObject(denied)
    expect(await server.post(at(MARA, '/forget'), { all: true }, caller)).toMatchObject(denied)
    expect((await server.fetch(at(MARA), { method: 'DELETE', headers: caller })).status).toBe(403)
  }
  expect((await server.get('/v1/sessions')).body).toMatchObject({ total: 4 })
})

test('keys that are paths, control characters or long become no files and no faults', async () => {
  const place = box()
  const server = await startServe(place)
  const long = `agent:main:x:group:${'ü'.repeat(1_000 - 19)}`
  const kept = [
    'a/../../../etc/passwd',
    '../../x',
    '%2e%2e%2f',
    'agent:main:x:group:\u202Eevil',
    long,
    'C:\\x',
    '-',
    'a?b#c&d=e',
    '.jsonl',
  ]
  for (const key of kept) {
    expect(await server.post(at(key, '/messages'), message('hello'))).toMatchObject({ status: 200 })
    expect((await server.get(at(key))).body).toMatchObject({ key })
  }
  const refused: readonly (readonly [string, readonly number[]])[] = [
    ['\0', [400]],
    ['a\0b', [400]],
    ['a\nb', [400]],
    ['   ', [400]],
    ['x'.repeat(1_025), [400]],
    ['..', [404, 405]],
    ['.', [404, 405]],
  ]
  for (const [key, statuses] of refused) {
    const answer = await server.post(at(key, '/messages'), message('hello'))
    const { status } = answer
    expect([JSON.stringify(key), statuses.includes(status), answerOf(answer).error.next]).toEqual([
      JSON.stringify(key),
      true,
      expect.stringMatching(/\w/),
    ])
    expect((await server.get(at(key))).status).toBeGreaterThanOrEqual(key === '..' || key === '.' ? 200 : 400)
  }
  for (const raw of ['/v1/sessions/%00/messages', '/v1/sessions/%ff', '/v1/sessions/%', '/v1/sessions//messages'])
    expect((await server.get(raw)).status).toBeGreaterThanOrEqual(400)
  expect((await server.get('/v1/sessions?limit=200')).body).toMatchObject({ total: kept.length })
  const names = readdirSync(join(place.home, '.local/share/mnemark/agents/main/sessions')).filter((name) =>
    name.endsWith('.jsonl'),
  )
  expect(names).toHaveLength(kept.length)
  for (const name of names) expect(name).toMatch(/^[\da-f-]{36}\.jsonl$/)
})

test('bodies and cursors out of bounds are refused, and quote nothing of what was said', async () => {
  const server = await startServe(box())
  const bad = (body: unknown): Promise<{ readonly status: number; readonly body: unknown }> =>
    server.post(at(MAIN, '/messages'), body)
  const huge = 'x'.repeat(1_100_000)
  expect(await bad(message(huge))).toMatchObject({ status: 413 })
  for (const body of [
    {},
    { messages: [] },
    { messages: Array.from({ length: 1_001 }, () => ({ role: 'user', content: 'x' })) },
    { messages: ['x'] },
    {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'owner', content: 'the wombat sleeps in the attic at noon' },
      ],
    },
    { messages: [{ role: 'user', content: { text: 'the wombat sleeps in the attic at noon' } }] },
    { messages: [{ role: 'toolResult', content: 'the wombat sleeps in the attic at noon' }] },
    { messages: [{ role: 'user', content: 'x', usage: { input: -1 } }] },
  ]) {
    const answer = await bad(body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad-input' } } })
    expect(JSON.stringify(answer)).not.toContain('wombat')
  }
  expect((await server.get('/v1/sessions')).body).toMatchObject({ total: 0 })
  await bad(message('x'))
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=x',
    'before=x',
    'before=session:x.jsonl',
    'before=session:..%2Fx.jsonl%23L1',
    'tools=yes',
  ])
    expect((await server.get(at(MAIN, `/messages?${query}`))).status).toBe(400)
  for (const query of ['limit=0', 'limit=201', 'after=x', 'after=1e9:x'])
    expect((await server.get(`/v1/sessions?${query}`)).status).toBe(400)
  expect((await fetch(`${server.url}/v1/sessions`)).status).toBe(401)
  expect((await fetch(`${server.url}/v1/sessions`, { headers: { authorization: `Bearer ${TOKEN}x` } })).status).toBe(401)
})

test('secrets are hidden on every way out, whole, wherever a text is cut or a line is escaped', async () => {
  const place = box()
  const server = await startServe(place)
  const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(3)}-----END PRIVATE KEY-----`
  const key = `agent:main:x:group:${SECRET}`
  const appended = answerOf(
    await server.post(at(key, '/messages'), {
      messages: [
        { role: 'user', content: `use ${SECRET} for it`, speaker: `Mara ${SECRET}` },
        { role: 'user', content: `${'long words '.repeat(363)}${SECRET} and on`, id: 'cut' },
        { role: 'user', content: `this is it:\n${pem}` },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: `noted: ${SECRET}` },
            { type: 'toolCall', id: 'c', name: 'set', arguments: { token: SECRET } },
          ],
        },
        { role: 'toolResult', content: 'password: hunter2-forever', toolCallId: 'c', toolName: 'set' },
        { role: 'user', content: 'was it hunter2-forever?' },
      ],
    }),
  )
  const id = appended.sessionId
  const note = (lines: string): Promise<unknown> =>
    server.get(`/v1/note?path=${encodeURIComponent(`session:${id}.jsonl`)}${lines}`)
  const told = JSON.stringify(
    await Promise.all([
      server.get('/v1/sessions'),
      server.get(at(id)),
      server.get(at(id, '/messages?tools=true')),
      server.get(at(id, '/messages?limit=1')),
      note(''),
      note('&from=3&lines=1'),
      server.post('/v1/tools/sessions_list', {}),
      server.post('/v1/tools/sessions_history', { session: id, tools: true }),
      server.post('/v1/tools/memory_get', { path: `session:${id}.jsonl#L2-L6` }),
    ]),
  )
  for (const secret of [SECRET.slice(0, 8), SECRET.slice(-8), 'MIIEvQ'])
    expect([secret, told.includes(secret)]).toEqual([secret, false])
  expect(told).toContain('(hidden)')
  const last = answerOf(await server.get(at(id, '/messages?tools=true')))
  expect(JSON.stringify(last)).not.toContain('hunter2')
})

test('a citation of a transcript reads its lines, over HTTP and as a tool', async () => {
  const server = await startServe(box())
  const ids = await withChats(server)
  const page = answerOf(await server.get(at(MARA, '/messages')))
  const citation = page.messages[0]?.citation
  const read = answerOf(await server.post('/v1/tools/memory_get', { path: citation }, as(MARA)))
  expect(read.text).toContain('the word is wombat')
  expect(read.data).toMatchObject({ status: 'ok', startLine: 2, endLine: 2 })
  const range = answerOf(await server.get(`/v1/note?path=${encodeURIComponent(`session:${ids[MARA]}.jsonl#L1-L2`)}`, as(MARA)))
  expect(range.text.split('\n')).toHaveLength(2)
  const whole = answerOf(await server.get(`/v1/note?path=${encodeURIComponent(`session:${ids[MARA]}.jsonl`)}&lines=1`, as(MARA)))
  expect(whole).toMatchObject({ status: 'ok', startLine: 1, endLine: 1, nextFrom: 2 })
  expect(JSON.parse(whole.text)).toMatchObject({ type: 'session', key: MARA })
  for (const path of [
    'session:../../../etc/passwd.jsonl',
    'session:sessions.json',
    'session:.keys/x.jsonl',
    'session:\0.jsonl',
  ]) {
    const body = answerOf(await server.get(`/v1/note?path=${encodeURIComponent(path)}`))
    expect(body.status ?? body.error.code).toMatch(/^(?:not-found|refused|bad-input)$/)
  }
})

test('two files that share an id are shown only to whom both may be shown', async () => {
  const place = box()
  const server = await startServe(place)
  await withChats(server)
  const folder = join(place.home, '.local/share/mnemark/agents/main/sessions')
  const fileOf = (key: string, word: string): string =>
    [
      { type: 'session', version: 3, id: 'twice', timestamp: '2026-03-01T10:00:00.000Z', key },
      {
        type: 'message',
        id: word,
        parentId: null,
        timestamp: '2026-03-01T10:00:01.000Z',
        message: { role: 'user', content: word },
      },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  writeFileSync(join(folder, 'twice.jsonl'), fileOf(PETER, 'numbat'))
  writeFileSync(join(folder, 'twice.jsonl.reset.2026-03-01T04-00-00.000Z'), fileOf(MARA, 'wombat too'))
  const told = await allThatIsTold(server, as(MARA), ['twice'])
  expect(wordsIn(told)).toEqual(['wombat'])
  expect(told).not.toContain('wombat too')
  expect(wordsIn(await allThatIsTold(server, {}, ['twice']))).toHaveLength(4)
})
