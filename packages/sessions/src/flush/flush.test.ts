import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProviderError, WorkspaceError } from '@mnemark/spec'
import { openWorkspace, type Workspace } from '@mnemark/workspace'
import { expect, test } from 'vitest'
import { clockAt, MAIN, newFolder, sessionsIn, textsOf } from '../__fixtures__/sessions-folder.ts'
import { isFlush, scriptedModel, summaryOf } from '../__fixtures__/scripted-model.ts'
import type { Session } from '../sessions/session.ts'
import type { FlushNotes } from './flush-to-notes.ts'

const LONG = 'The printer of the second floor stands on VLAN 20 and Huda prefers pnpm over npm. '.repeat(12)
const WINDOW = 16_000
const NOTE = 'memory/2026-03-01.md'

async function talk(session: Session, turns = 30): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await session.append([
      { role: 'user', content: `question ${turn} ${LONG}` },
      { role: 'assistant', content: `answer ${turn} ${LONG}` },
    ])
  }
}

interface Notes {
  readonly root: string
  readonly workspace: Workspace
  read(path?: string): string
}

async function notesFolder(text?: string): Promise<Notes> {
  const root = newFolder()
  mkdirSync(join(root, 'memory'))
  if (text !== undefined) writeFileSync(join(root, NOTE), text)
  const workspace = await openWorkspace({ root, timeZone: 'UTC' })
  return { root, workspace, read: (path = NOTE) => readFileSync(join(root, path), 'utf8') }
}

const clock = clockAt('2026-03-01T10:00:00Z')

/** One bullet a flush, worded differently every time. */
const bullets = (request: Parameters<typeof summaryOf>[0], count: number): string =>
  isFlush(request) ? `- the printer is on VLAN 20, said in wording ${count}` : summaryOf(request, count)

test('one flush in each cycle, before its compaction, into the note of the user’s day', async () => {
  const { workspace, read } = await notesFolder()
  const generator = scriptedModel(bullets)
  const sessions = await sessionsIn(newFolder(), { generator, notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  for (let cycle = 0; cycle < 4; cycle += 1) {
    await talk(session)
    expect(await session.flush({ window: WINDOW })).toMatchObject({ status: 'written', path: NOTE })
    expect(await session.flush({ window: WINDOW })).toMatchObject({ status: 'done' })
    const { flush, compaction } = await session.nextContext({ window: WINDOW })
    expect([flush?.status, compaction?.status]).toEqual(['done', 'compacted'])
    expect((await session.nextContext({ window: WINDOW })).flush).toBeNull()
    // With nothing to summarise there is nothing to save first.
    expect(await session.compact({ window: WINDOW })).toMatchObject({ status: 'nothing', flush: null })
  }
  expect(generator.requests.filter(isFlush)).toHaveLength(4)
  expect(read().match(/VLAN 20/gu)).toHaveLength(4)
  expect(read().startsWith('# 2026-03-01\n\n- ')).toBe(true)
})

test('a jump past the limit, an overflow and /compact flush first as well', async () => {
  const order: string[] = []
  const { workspace } = await notesFolder()
  const generator = scriptedModel((request, count) => {
    order.push(isFlush(request) ? 'flush' : 'summary')
    return bullets(request, count)
  })
  const sessions = await sessionsIn(newFolder(), { generator, notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  await talk(session)
  await session.nextContext({ window: WINDOW })
  await talk(session, 2)
  await session.nextContext({ window: WINDOW, overflow: true })
  await talk(session)
  await session.compact({ window: WINDOW })
  const firsts = order.filter((step, index) => step !== order[index - 1])
  expect(firsts).toEqual(['flush', 'summary', 'flush', 'summary', 'flush', 'summary'])
})

test('near the limit the notes are saved while there is room for an answer', async () => {
  const { workspace } = await notesFolder()
  const sessions = await sessionsIn(newFolder(), { generator: scriptedModel(bullets), notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  await session.append([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello', usage: { totalTokens: 157_000 } },
  ])
  const { flush, compaction } = await session.nextContext({ window: 200_000 })
  expect([flush?.status, compaction]).toEqual(['written', null])
})

test('messages that come during a flush are stored once and in order, and it leaves no trace among them', async () => {
  const { workspace, read } = await notesFolder()
  const open: Session[] = []
  const sessions = await sessionsIn(newFolder(), {
    notes: workspace,
    now: clock.now,
    generator: {
      generate: async (request) => {
        if (isFlush(request)) await open[0]?.append({ role: 'user', content: 'and eggs' })
        return { text: bullets(request, 1), finishReason: 'stop' }
      },
    },
  })
  const session = await sessions.openSession(MAIN)
  open.push(session)
  await talk(session)
  await session.append({ role: 'user', content: 'buy milk' })
  const { context } = await session.nextContext({ window: WINDOW })
  const texts = context.messages.flatMap(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')))
  expect(texts.slice(-2)).toEqual(['buy milk', 'and eggs'])
  const all = await textsOf(sessions, MAIN, true)
  expect(all.filter((text) => /milk|eggs/u.test(text))).toEqual(['buy milk', 'and eggs'])
  expect(all.join()).not.toMatch(/VLAN 20, said|notes of the day|NO_REPLY/u)
  expect(read()).toContain('VLAN 20, said')
})

test('a model that repeats the note adds what is new, and nothing is ever removed', async () => {
  const { workspace, read } = await notesFolder('# 2026-03-01\n\n- A\n')
  const answers = ['- A\n- B', '# 2026-03-01\n\n```\n- A\n- B\n- C\n```\n']
  const generator = scriptedModel((request, count) => (isFlush(request) ? (answers.shift() ?? '') : summaryOf(request, count)))
  const sessions = await sessionsIn(newFolder(), { generator, notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  for (const _ of [1, 2]) {
    await talk(session)
    await session.compact({ window: WINDOW })
  }
  expect(read()).toBe('# 2026-03-01\n\n- A\n- B\n- C\n')
})

test('two agents that flush at once both have their lines in the note', async () => {
  const { workspace, read } = await notesFolder()
  const agents = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async (name) => {
      const generator = scriptedModel(() => `- from ${name}`)
      const sessions = await sessionsIn(newFolder(), { generator, notes: workspace, now: clock.now })
      const session = await sessions.openSession(MAIN)
      await session.append({ role: 'user', content: 'hi' })
      return session
    }),
  )
  await Promise.all(agents.map((session) => session.flush({ window: WINDOW })))
  expect(
    read()
      .match(/from \w+/gu)
      ?.toSorted(),
  ).toEqual(['from four', 'from one', 'from three', 'from two'])
})

test.each([
  ['NO_REPLY', 'silent'],
  ['**no_reply**', 'silent'],
  ['Saved two notes.\n\nNO_REPLY', 'silent'],
  ['# Notes\n\n---', 'silent'],
  ['', 'missed'],
])('the answer %j is %s, and no note is made', async (answer, status) => {
  const { root, workspace } = await notesFolder()
  const sessions = await sessionsIn(newFolder(), { generator: scriptedModel(() => answer), notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'hi' })
  expect(await session.flush({ window: WINDOW })).toMatchObject({ status })
  expect(readdirSync(join(root, 'memory'))).toEqual([])
})

test('a failed flush is tried once more, then recorded as missed, and compaction goes on', async () => {
  const { workspace } = await notesFolder()
  const down = new ProviderError('unavailable', 'It is down.', { provider: 'test' })
  const generator = scriptedModel((request, count) => (isFlush(request) ? down : summaryOf(request, count)))
  const sessions = await sessionsIn(newFolder(), { generator, notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  await talk(session)
  const report = await session.compact({ window: WINDOW })
  expect([report.status, report.flush]).toEqual([
    'compacted',
    { status: 'missed', path: null, text: null, why: 'test: unavailable' },
  ])
  expect(generator.requests.filter(isFlush)).toHaveLength(2)
  expect(session.counters.flush).toEqual({ cycle: 0, state: 'missed' })
})

test('a flush that works the second time is no failure', async () => {
  const { workspace, read } = await notesFolder()
  const generator = scriptedModel((_, count) => (count === 1 ? '' : '- kept'))
  const sessions = await sessionsIn(newFolder(), { generator, notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'hi' })
  expect(await session.flush({ window: WINDOW })).toMatchObject({ status: 'written' })
  expect(read()).toBe('# 2026-03-01\n\n- kept\n')
})

test('without notes to write the flush is skipped and recorded, and no model is asked', async () => {
  const generator = scriptedModel(bullets)
  const sessions = await sessionsIn(newFolder(), { generator, notes: null })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'hi' })
  expect(await session.flush({ window: WINDOW })).toMatchObject({ status: 'skipped' })
  expect(generator.requests).toEqual([])
})

test('a text that a crash kept from the note is written by the next flush, once', async () => {
  const { workspace, read } = await notesFolder()
  const generator = scriptedModel(() => '- decided before the crash')
  const broken: FlushNotes = {
    dailyLog: async (nowMs) => await workspace.dailyLog(nowMs),
    change: () => Promise.reject(new TypeError('killed here')),
  }
  const folder = newFolder()
  const first = await sessionsIn(folder, { generator, notes: broken, now: clock.now })
  const session = await first.openSession(MAIN)
  await session.append({ role: 'user', content: 'hi' })
  await expect(session.flush({ window: WINDOW })).rejects.toThrow('killed here')
  expect(session.counters.flush?.state).toBe('ahead')
  const second = await sessionsIn(folder, { generator, notes: workspace, now: clock.now })
  const again = await second.openSession(MAIN)
  for (const _ of [1, 2]) expect(await again.flush({ window: WINDOW })).toMatchObject({ status: 'done' })
  expect(read()).toBe('# 2026-03-01\n\n- decided before the crash\n')
  expect(generator.requests).toHaveLength(1)
})

test('a note that may not be written is missed with its reason', async () => {
  const notes: FlushNotes = {
    dailyLog: async () => NOTE,
    change: () => Promise.reject(new WorkspaceError('refused', `${NOTE} is read-only; nothing was changed.`)),
  }
  const sessions = await sessionsIn(newFolder(), { generator: scriptedModel(() => '- x'), notes, now: clock.now })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'hi' })
  expect(await session.flush({ window: WINDOW })).toMatchObject({
    status: 'missed',
    why: `${NOTE} is read-only; nothing was changed.`,
  })
})

test('the default prompt names the silent answer, and one of the user’s own gets it added', async () => {
  const { workspace } = await notesFolder()
  const prompts: string[] = []
  for (const prompt of [undefined, 'Write to {path} for YYYY-MM-DD at {time}.']) {
    const generator = scriptedModel(() => 'NO_REPLY')
    const sessions = await sessionsIn(newFolder(), {
      generator,
      notes: workspace,
      now: () => Date.parse('2026-03-01T20:30:00Z'),
      timeZone: 'Asia/Shanghai',
      compaction: { memoryFlush: prompt === undefined ? {} : { prompt } },
    })
    const session = await sessions.openSession(MAIN)
    await session.append({ role: 'user', content: 'hi' })
    await session.flush({ window: WINDOW })
    prompts.push(generator.requests[0]?.prompt ?? '')
  }
  expect(prompts[0]).toContain('NO_REPLY')
  expect(prompts[1]).toMatch(
    /Write to memory\/2026-03-0\d\.md for 2026-03-02 at 04:30 GMT\+08:00 \(Asia\/Shanghai\)\.\nAnswer NO_REPLY/u,
  )
})

test('of a conversation without words no model is asked', async () => {
  const { workspace } = await notesFolder()
  const generator = scriptedModel(bullets)
  const sessions = await sessionsIn(newFolder(), { generator, notes: workspace, now: clock.now })
  const session = await sessions.openSession(MAIN)
  expect(await session.flush({ window: WINDOW })).toMatchObject({ status: 'silent' })
  expect(generator.requests).toEqual([])
})

test('switched off, nothing is asked and nothing is written', async () => {
  const generator = scriptedModel(bullets)
  const sessions = await sessionsIn(newFolder(), { generator, compaction: { memoryFlush: { enabled: false } } })
  const session = await sessions.openSession(MAIN)
  await talk(session)
  expect((await session.compact({ window: WINDOW })).flush).toBeNull()
  expect(generator.requests.filter(isFlush)).toEqual([])
})
