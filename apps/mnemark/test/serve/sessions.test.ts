import { chatCompletionsWire, startChatServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox } from '../harness/launcher.ts'
import { serveConfig } from '../harness/serve-process.ts'
import type { ServeProcess } from '../harness/serve-process.ts'
import { answerOf, at, type SessionAnswer } from '../harness/session-answers.ts'
import { startServe } from '../harness/start-serve.ts'

const MAIN = 'agent:main:main'
const GROUP = 'agent:main:telegram:group:a/b c'

function box(serve: object = {}): Sandbox {
  return new Sandbox({ 'MEMORY.md': '# Memory\n', 'mnemark.json5': serveConfig(serve) })
}

async function say(server: ServeProcess, session: string, ...messages: readonly object[]): Promise<SessionAnswer> {
  const { status, body } = await server.post(at(session, '/messages'), { messages })
  expect({ status, body }).toMatchObject({ status: 200 })
  return answerOf({ body })
}

const user = (content: string, rest: object = {}): object => ({ role: 'user', content, ...rest })
const textsOf = (body: SessionAnswer): readonly string[] => body.messages.map(({ text }: { readonly text: string }) => text)

test('messages are appended, listed and read back in pages, through a reset of the key', async () => {
  const server = await startServe(box())
  expect(await server.get('/v1/sessions')).toEqual({ status: 200, body: { sessions: [], total: 0 } })
  await say(server, MAIN, user('one', { id: 'm1' }), {
    role: 'assistant',
    content: 'two',
    usage: { input: 9, output: 3, totalTokens: 12 },
  })
  const again = await say(server, MAIN, user('one', { id: 'm1' }))
  expect(again.written).toEqual([{ id: 'm1', isNew: false }])
  const moved = answerOf(await server.post(at('main', '/reset'), { reason: 'new' }))
  await say(
    server,
    MAIN,
    user('three', { origin: 'heartbeat' }),
    { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name: 'look', arguments: {} }] },
    { role: 'toolResult', content: 'seen', toolCallId: 'c1', toolName: 'look' },
    user('four', { speaker: 'Mara', timestamp: '2026-03-01T10:00:00Z' }),
  )
  await say(server, GROUP, user('elsewhere'))

  const shown = answerOf(await server.get(at('main')))
  expect(shown).toMatchObject({ key: MAIN, id: moved.sessionId, messages: 4, sessions: [moved.previous, moved.sessionId] })
  expect((await server.get(at(moved.previous))).body).toMatchObject({
    state: 'archived',
    context: 12,
    totals: { input: 9, output: 3, cacheRead: 0, cacheWrite: 0 },
  })

  const last = answerOf(await server.get(at(MAIN, '/messages?limit=2')))
  expect(last.messages).toMatchObject([
    { role: 'assistant', text: '', calls: ['look'] },
    { role: 'user', text: 'four', speaker: 'Mara', timestamp: '2026-03-01T10:00:00.000Z' },
  ])
  const first = answerOf(await server.get(at(MAIN, `/messages?limit=9&before=${encodeURIComponent(last.earlier ?? '')}`)))
  expect(textsOf(first)).toEqual(['one', 'two', 'three'])
  expect(first.earlier).toBeUndefined()
  expect(first.messages[2]).toMatchObject({ origin: 'heartbeat', sessionId: moved.sessionId, line: 2 })
  expect(textsOf(answerOf(await server.get(at(MAIN, '/messages?tools=true'))))).toEqual([
    'one',
    'two',
    'three',
    '',
    'seen',
    'four',
  ])
  expect(textsOf(answerOf(await server.get(at(moved.previous, '/messages'))))).toEqual(['one', 'two'])

  const pages: string[] = []
  for (let after = ''; ; ) {
    const body = answerOf(await server.get(`/v1/sessions?limit=1${after}`))
    expect(body.total).toBe(3)
    pages.push(...body.sessions.map(({ id }: { readonly id: string }) => id))
    if (body.next === undefined) break
    after = `&after=${encodeURIComponent(body.next)}`
  }
  expect(new Set(pages).size).toBe(3)
})

test('a page holds as many messages as it says at every border between sessions', async () => {
  const server = await startServe(box())
  const said: string[] = []
  for (const session of [1, 2, 3]) {
    if (session > 1) await server.post(at(MAIN, '/reset'), {})
    const words = [1, 2, 3].map((turn) => `${session}.${turn}`)
    said.push(...words)
    await say(server, MAIN, ...words.map((word) => user(word)))
  }
  for (const limit of [1, 2, 3, 4, 8, 9, 10]) {
    const read: string[] = []
    let before = ''
    for (;;) {
      const body = answerOf(await server.get(at(MAIN, `/messages?limit=${limit}${before}`)))
      read.unshift(...textsOf(body))
      if (body.earlier === undefined) break
      expect(body.messages).toHaveLength(limit)
      before = `&before=${encodeURIComponent(body.earlier)}`
    }
    expect(read).toEqual(said)
  }
})

test('the owner deletes and forgets; nothing is forgotten by a body that does not say what', async () => {
  const server = await startServe(box())
  await say(server, MAIN, user('keep'), user('lose', { id: 'm2' }))
  for (const body of [{}, { messages: [] }, { messages: ['m2'], all: true }, { all: false }, { mesages: ['m2'] }])
    expect(await server.post(at(MAIN, '/forget'), body)).toMatchObject({ status: 400, body: { error: { code: 'bad-input' } } })
  expect(await server.post(at(MAIN, '/forget'), { messages: ['m2'] })).toMatchObject({ body: { sessions: [], lines: 1 } })
  expect(textsOf(answerOf(await server.get(at(MAIN, '/messages'))))).toEqual(['keep'])
  const deleted = await (await server.fetch(at(MAIN), { method: 'DELETE' })).json()
  expect(deleted).toEqual({ deleted: [expect.any(String)] })
  const [id] = (deleted as { readonly deleted: readonly string[] }).deleted
  expect((await server.get(at(id ?? ''))).body).toMatchObject({ state: 'deleted' })
  expect(textsOf(answerOf(await server.get(at(MAIN, '/messages'))))).toEqual(['keep'])
  expect(await server.post(at(id ?? '', '/reset'), {})).toMatchObject({ status: 409 })
  expect(await server.post(at(id ?? '', '/messages'), { messages: [user('x')] })).toMatchObject({ status: 409 })
  expect(await server.post(at(MAIN, '/forget'), { all: true })).toMatchObject({ status: 200, body: { sessions: [id] } })
  expect(await server.get(at(MAIN))).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
})

test('without a model a compaction says so, and changes nothing', async () => {
  const server = await startServe(box())
  await say(server, MAIN, user('hello'))
  expect(await server.post(at(MAIN, '/compact'), { window: 8_000, focus: 'dates' })).toMatchObject({
    status: 200,
    body: { status: 'failed', why: expect.stringMatching(/model/), id: null, flush: null },
  })
  expect(await server.post(at(MAIN, '/compact'), { window: 0 })).toMatchObject({ status: 400 })
})

test('served read-only, conversations are read and nothing is changed', async () => {
  const place = box()
  const writing = await startServe(place)
  await say(writing, MAIN, user('hello'))
  const server = await startServe(place, ['--read-only'])
  expect(textsOf(answerOf(await server.get(at(MAIN, '/messages'))))).toEqual(['hello'])
  const refused = { status: 403, body: { error: { code: 'read-only' } } }
  expect(await server.post(at(MAIN, '/messages'), { messages: [user('x')] })).toMatchObject(refused)
  expect(await server.post(at(MAIN, '/reset'), {})).toMatchObject(refused)
  expect(await server.post(at(MAIN, '/compact'), { window: 8_000 })).toMatchObject(refused)
  expect(await server.post(at(MAIN, '/forget'), { all: true })).toMatchObject(refused)
  expect((await server.fetch(at(MAIN), { method: 'DELETE' })).status).toBe(403)
})

test('with a model a compaction saves to the notes first, and neither it nor the model is shown a secret', async () => {
  const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
  await using models = await startChatServer(chatCompletionsWire(), { apiKey: 'a-key-of-the-test-0123456789' })
  const summary = `The team lunch by the river moved to one, for twelve people; Mara asked for a table outside, and the token ${secret} is not to be used.`
  models.behave({
    answer: ({ system }, usual) => ({
      ...usual,
      text: system?.includes('notes of the day') ? '- The lunch moved to one.' : summary,
    }),
  })
  const generate = {
    provider: 'openai-compatible',
    model: 'chat-1',
    baseUrl: models.baseUrl,
    apiKey: 'a-key-of-the-test-0123456789',
  }
  const place = new Sandbox({
    'mnemark.json5': JSON.stringify({ ...JSON.parse(serveConfig()), models: { generate: { ...generate, dailyTokens: 50_000 } } }),
  })
  const server = await startServe(place)
  const talk = Array.from({ length: 40 }, (_, turn) =>
    user(`${turn}: the team lunch by the river, with ${secret}. ${'Twelve people. '.repeat(30)}`),
  )
  await say(server, MAIN, ...talk)
  const { status, body } = await server.post(at(MAIN, '/compact'), { window: 4_000, focus: 'the hour' })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { status: 'compacted', flush: { status: 'written', text: '- The lunch moved to one.' } },
  })
  expect(JSON.stringify(body)).toMatch(/\(hidden\) is not to be used/)
  expect(models.calls.length).toBeGreaterThan(1)
  expect(JSON.stringify(models.calls)).not.toContain(secret)
  const [log = ''] = readdirSync(join(place.workspace, 'memory'))
  expect(readFileSync(join(place.workspace, 'memory', log), 'utf8')).toContain('- The lunch moved to one.')
})
