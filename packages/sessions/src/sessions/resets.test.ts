import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clockAt, DAY, HOUR, MAIN, MINUTE, newFolder, sessionsIn, textsOf } from '../__fixtures__/sessions-folder.ts'
import { readCommand } from '../lifecycle/read-command.ts'
import { ruleFor } from '../lifecycle/reset-policy.ts'
import { sessionDay } from '../lifecycle/session-day.ts'
import { readSessionKey } from '../lifecycle/session-key.ts'
import type { ResetEvent } from './session-settings.ts'

const HEARTBEAT = { role: 'user', content: 'heartbeat', origin: 'heartbeat' } as const

test('machinery keeps no session alive: an idle reset comes by the last message of a person', async () => {
  const clock = clockAt('2026-03-01T10:00:00Z')
  const sessions = await sessionsIn(newFolder(), { now: clock.now, reset: { mode: 'idle', idleMinutes: 60 } })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'at ten' })
  for (const minutes of [30, 60, 90]) {
    clock.ms = Date.parse('2026-03-01T10:00:00Z') + minutes * MINUTE
    expect((await session.append(HEARTBEAT)).reset).toBeNull()
  }
  clock.ms = Date.parse('2026-03-01T12:05:00Z')
  expect((await session.append({ role: 'user', content: 'at noon' })).reset).toBe('idle')
  expect(await textsOf(sessions, session.id)).toEqual(['at noon'])
})

test('a heartbeat after the boundary neither resets nor stands for the person', async () => {
  const clock = clockAt('2026-03-01T23:00:00Z')
  const sessions = await sessionsIn(newFolder(), { now: clock.now })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'late' })
  clock.ms = Date.parse('2026-03-02T04:10:00Z')
  expect((await session.append(HEARTBEAT)).reset).toBeNull()
  clock.ms = Date.parse('2026-03-02T08:00:00Z')
  expect((await session.append({ role: 'user', content: 'early' })).reset).toBe('daily')
})

test('four o’clock is that of the user: one reset, and the excerpt belongs to the day before', async () => {
  const events: ResetEvent[] = []
  const clock = clockAt('2026-03-01T19:30:00Z')
  const options = { now: clock.now, timeZone: 'Asia/Shanghai', onReset: (event: ResetEvent) => void events.push(event) }
  const sessions = await sessionsIn(newFolder(), options)
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: '03:30' })
  for (const [time, reset] of [
    ['2026-03-01T19:59:00Z', null],
    ['2026-03-01T20:01:00Z', 'daily'],
    ['2026-03-02T04:01:00Z', null],
  ] as const) {
    clock.ms = Date.parse(time)
    expect((await session.append({ role: 'user', content: time })).reset).toBe(reset)
  }
  expect(events.map(({ day, reason, excerpt }) => [day, reason, excerpt?.lines.length])).toEqual([['2026-03-02', 'daily', 2]])
})

test.each([
  ['Europe/Berlin', '2026-03-29', 'forward'],
  ['Europe/Berlin', '2026-10-25', 'back'],
  ['America/New_York', '2026-11-01', 'back'],
  ['Australia/Lord_Howe', '2026-04-05', 'back by half an hour'],
  ['Africa/Cairo', '2026-04-24', 'forward at midnight'],
])('in %s the day %s, when clocks go %s, begins once at four', (timeZone, day) => {
  const seen: string[] = []
  for (let ms = Date.parse(`${day}T00:00:00Z`) - DAY; ms < Date.parse(`${day}T00:00:00Z`) + 2 * DAY; ms += 10 * MINUTE) {
    const now = sessionDay(ms, { timeZone, atHour: 4 })
    if (seen.at(-1) !== now) seen.push(now)
    const hour = Number(new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(ms))
    expect(now === sessionDay(ms, { timeZone })).toBe(hour >= 4)
  }
  expect(seen).toEqual(seen.toSorted())
  expect(new Set(seen).size).toBe(seen.length)
})

test.each([
  ['2026-03-28T22:30:00Z', '2026-03-29T01:59:00Z', '2026-03-29T02:01:00Z'],
  ['2026-10-24T21:30:00Z', '2026-10-25T02:59:00Z', '2026-10-25T03:01:00Z'],
])(
  'in the night that clocks change, from %s, one reset comes at four and none in the hour that is there twice or not at all',
  async (evening, before, after) => {
    const clock = clockAt(evening)
    const sessions = await sessionsIn(newFolder(), { now: clock.now, timeZone: 'Europe/Berlin' })
    const session = await sessions.openSession(MAIN)
    const resets: unknown[] = []
    for (let ms = Date.parse(evening); ms < Date.parse(before); ms += 15 * MINUTE) {
      clock.ms = ms
      resets.push((await session.append({ role: 'user', content: 'awake' })).reset)
    }
    expect(new Set(resets)).toEqual(new Set([null]))
    for (const [at, reset] of [
      [before, null],
      [after, 'daily'],
      [after, null],
    ] as const) {
      clock.ms = Date.parse(at)
      expect((await session.append({ role: 'user', content: at })).reset).toBe(reset)
    }
  },
)

test('a clock that jumps back resets nothing', async () => {
  const clock = clockAt('2026-03-05T10:00:00Z')
  const sessions = await sessionsIn(newFolder(), { now: clock.now, reset: { mode: 'both', idleMinutes: 30 } })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'one' })
  clock.ms -= 3 * DAY
  expect((await session.append({ role: 'user', content: 'two' })).reset).toBeNull()
})

test('rules by channel come before those by chat type, and jobs and hooks know none', () => {
  const policy = {
    mode: 'daily',
    byChatType: { group: { mode: 'idle', idleMinutes: 5 } },
    byChannel: { telegram: { mode: 'off' } },
  } as const
  const modeOf = (key: string): string => ruleFor(readSessionKey(key), policy).mode
  expect(modeOf('agent:main:telegram:group:1')).toBe('off')
  expect(modeOf('agent:main:slack:group:1')).toBe('idle')
  expect(modeOf('agent:main:slack:channel:1:thread:4')).toBe('daily')
  expect(modeOf(MAIN)).toBe('daily')
  expect([modeOf('cron:daily'), modeOf('agent:main:cron:daily:run:4'), modeOf('hook:8e')]).toEqual(['off', 'off', 'off'])
})

test('the excerpt is taken before anything moves, of this very session, and of nothing there is none', async () => {
  const folder = newFolder()
  const seen: (readonly [ResetEvent['excerpt'], boolean])[] = []
  const onReset = ({ excerpt, sessionId }: ResetEvent): void => {
    seen.push([excerpt, existsSync(join(folder, `${sessionId}.jsonl`))])
  }
  const sessions = await sessionsIn(folder, { onReset })
  await (await sessions.openSession('agent:main:t:direct:2')).append({ role: 'user', content: 'of a stranger' })
  const session = await sessions.openSession(MAIN)
  await session.reset('new')
  await session.append([
    { role: 'user', content: 'buy milk' },
    { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name: 'shop', arguments: {} }] },
    { role: 'toolResult', content: 'bought', toolCallId: 'c1', toolName: 'shop' },
    { role: 'assistant', content: 'Done.\n\nNO_REPLY' },
    HEARTBEAT,
    { role: 'assistant', content: 'NO_REPLY' },
  ])
  await session.reset('new')
  const lines = [
    { role: 'user', text: 'buy milk' },
    { role: 'assistant', text: 'Done.' },
  ]
  expect(seen).toEqual([
    [null, true],
    [{ sessionId: expect.any(String), key: MAIN, lines }, true],
  ])
})

test('messages that come together to a stale session reset it once, and all stand in the new one', async () => {
  const clock = clockAt('2026-03-01T10:00:00Z')
  const seen: ResetEvent[] = []
  const onReset = async (event: ResetEvent): Promise<void> => {
    seen.push(event)
    await new Promise(setImmediate)
  }
  const sessions = await sessionsIn(newFolder(), { now: clock.now, onReset })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'yesterday' })
  clock.ms += DAY
  const said = ['one', 'two', 'three']
  const replies = await Promise.all(said.map((content) => session.append({ role: 'user', content })))
  expect(replies.map(({ reset }) => reset)).toEqual(['daily', null, null])
  expect([seen.length, await textsOf(sessions, session.id)]).toEqual([1, said])
})

test('a hook that fails ends the reset, and nothing has changed', async () => {
  const sessions = await sessionsIn(newFolder(), {
    onReset: () => {
      throw new Error('the disk of notes is full')
    },
  })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'kept' })
  const { id } = session
  await expect(session.reset()).rejects.toThrow('full')
  expect([session.id, sessions.list().length]).toEqual([id, 1])
})

test('the history of a key goes back through all its sessions, also without any list or pointer', async () => {
  const folder = newFolder()
  const clock = clockAt('2026-03-01T10:00:00Z')
  const first = await sessionsIn(folder, { now: clock.now })
  const session = await first.openSession(MAIN)
  for (const turn of [1, 2, 3, 4]) {
    if (turn > 1) await session.reset('new')
    await session.append({ role: 'user', content: `in ${turn}` })
    if (turn === 2) clock.ms -= HOUR
  }
  await first.close()
  rmSync(join(folder, 'sessions.json'))
  rmSync(join(folder, '.keys'), { recursive: true })
  const second = await sessionsIn(folder)
  expect(await textsOf(second, MAIN)).toEqual(['in 1', 'in 2', 'in 3', 'in 4'])
  expect((await second.openSession(MAIN)).id).toBe(session.id)
  expect(readdirSync(folder).filter((name) => name.endsWith('.jsonl'))).toHaveLength(4)
})

test.each([
  ['/new', { name: 'new', rest: '' }],
  ['  /NEW gpt-9', { name: 'new', rest: 'gpt-9' }],
  ['/reset\nand then this', { name: 'reset', rest: 'and then this' }],
  ['/compact keep the dates ', { name: 'compact', rest: 'keep the dates' }],
  ['/newest', null],
  ['what does /new do?', null],
  ['/news', null],
])('%j as a command', (text, command) => expect(readCommand(text)).toEqual(command))
