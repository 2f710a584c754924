import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PruneReport } from '../folder/prune.ts'
import { clockAt, DAY, MAIN, newFolder, sessionsIn, textsOf } from '../__fixtures__/sessions-folder.ts'

test('a transcript tells its key, agent, chat type and predecessor by itself, readable by its owner alone', async () => {
  const folder = newFolder()
  const clock = clockAt('2026-03-01T10:00:00Z')
  const sessions = await sessionsIn(folder, { now: clock.now })
  const session = await sessions.openSession('agent:main:telegram:group:7', { spawnedBy: MAIN })
  await session.append([
    { role: 'user', content: 'move lunch to one' },
    { role: 'assistant', content: 'Moved.', usage: { input: 900, output: 12, totalTokens: 912 } },
  ])
  const file = join(folder, `${session.id}.jsonl`)
  const [header, first, second] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toEqual({
    type: 'session',
    version: 3,
    id: session.id,
    timestamp: '2026-03-01T10:00:00.000Z',
    key: 'agent:main:telegram:group:7',
    agent: 'main',
    chatType: 'group',
    channel: 'telegram',
    previous: null,
    spawnedBy: MAIN,
    format: 1,
  })
  expect(first).toMatchObject({ type: 'message', parentId: null, message: { role: 'user', content: 'move lunch to one' } })
  expect(second).toMatchObject({ parentId: first.id, counters: { messages: 2, totals: [900, 12, 0, 0], context: 912 } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'sessions.json')).mode & 0o777).toBe(0o600)
})

test.each([
  ['half a line', '{"type":"message","id":"x","te', ['one', 'two']],
  ['a cut inside a character', Buffer.concat([Buffer.from('{"a":"'), Buffer.from('é').subarray(0, 1)]), ['one', 'two']],
  [
    'a whole record without its line feed',
    '{"type":"message","id":"y","parentId":null,"message":{"role":"user","content":"whole"}}',
    ['whole', 'two'],
  ],
])('after %s the next message is readable, and reading alone changes nothing', async (_, torn, texts) => {
  const folder = newFolder()
  const first = await sessionsIn(folder)
  const { id } = await first.openSession(MAIN)
  await (await first.openSession(MAIN)).append({ role: 'user', content: 'one' })
  await first.close()
  const file = join(folder, `${id}.jsonl`)
  appendFileSync(file, torn)
  const before = readFileSync(file)
  const second = await sessionsIn(folder)
  await textsOf(second, MAIN)
  expect(readFileSync(file).equals(before)).toBe(true)
  await (await second.openSession(MAIN)).append({ role: 'user', content: 'two' })
  expect(await textsOf(second, MAIN)).toEqual(texts)
  expect((await second.faults(id)).unreadable).toBe(texts.includes('whole') ? 0 : 1)
  expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true)
})

test.each(['', '{', '[]', 'null', '{"agent:main:main":{"sessionId":'])(
  'a damaged sessions.json (%j) is kept aside, told once, and made anew from the transcripts',
  async (damage) => {
    const folder = newFolder()
    const first = await sessionsIn(folder)
    for (const key of ['agent:main:a', 'agent:main:b', 'agent:main:c']) {
      await (await first.openSession(key)).append({ role: 'user', content: `in ${key}` })
    }
    await first.close()
    writeFileSync(join(folder, 'sessions.json'), damage)
    rmSync(join(folder, '.keys'), { recursive: true })
    const second = await sessionsIn(folder)
    expect(second.list().map(({ key }) => key)).toHaveLength(3)
    await (await second.openSession('agent:main:b')).append({ role: 'user', content: 'more' })
    await second.close()
    expect(second.problems.map(({ code }) => code)).toEqual(['list-damaged'])
    const kept = readdirSync(folder).filter((name) => name.startsWith('sessions.json.damaged.'))
    expect(kept.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([damage])
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'))).toSorted()).toEqual([
      'agent:main:a',
      'agent:main:b',
      'agent:main:c',
    ])
  },
)

test('the list of another program keeps its entries, and names the keys of its transcripts', async () => {
  const folder = newFolder()
  writeFileSync(
    join(folder, 'sessions.json'),
    '{"agent:main:main":{"sessionId":"old","skillsSnapshot":[1]},"x":{"sessionId":"gone"}}',
  )
  const lines = [
    '{"type":"session","version":3,"id":"old","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/p"}',
    '{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"hi"}}',
    '{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Hello."}],"usage":{"input":9,"output":3,"cacheRead":0,"cacheWrite":0,"totalTokens":12}}}',
  ]
  writeFileSync(join(folder, 'old.jsonl'), `${lines.join('\n')}\n`)
  const clock = clockAt('2026-03-01T10:05:00Z')
  const sessions = await sessionsIn(folder, { now: clock.now })
  const session = await sessions.openSession('main')
  expect([session.id, session.counters.messages, session.counters.context]).toEqual(['old', 2, 12])
  await session.append({ role: 'user', content: 'go on' })
  await sessions.close()
  const list = JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'))
  expect(list['x']).toEqual({ sessionId: 'gone' })
  expect(list[MAIN]).toMatchObject({ sessionId: 'old', skillsSnapshot: [1], inputTokens: 9, totalTokens: 12 })
})

test('what was left by a rewind is a branch: found when asked for, and back when one goes back', async () => {
  const sessions = await sessionsIn(newFolder())
  const session = await sessions.openSession(MAIN)
  const { written } = await session.append([
    { role: 'user', content: 'm1' },
    { role: 'assistant', content: 'm2 the code is 4711' },
  ])
  await session.rewind(written[0]!.id)
  await session.append([
    { role: 'user', content: 'm3' },
    { role: 'assistant', content: 'm4' },
  ])
  expect(await textsOf(sessions, MAIN)).toEqual(['m1', 'm3', 'm4'])
  expect(await textsOf(sessions, MAIN, true)).toEqual(['m1', 'm2 the code is 4711', 'm3', 'm4'])
  await session.rewind(written[1]!.id)
  expect(await textsOf(sessions, MAIN)).toEqual(['m1', 'm2 the code is 4711'])
  await session.append({ role: 'user', content: 'beside m2', parentId: written[0]!.id })
  expect(await textsOf(sessions, MAIN)).toEqual(['m1', 'beside m2'])
  await expect(session.rewind('none')).rejects.toThrow('No message none')
})

test('a message that is appended again by its id counts once', async () => {
  const sessions = await sessionsIn(newFolder())
  const session = await sessions.openSession(MAIN)
  const message = { role: 'assistant', content: 'once', id: 'm1', usage: { input: 5, output: 5, totalTokens: 10 } } as const
  await session.append(message)
  expect((await session.append(message)).written).toEqual([{ id: 'm1', isNew: false }])
  expect(await textsOf(sessions, MAIN)).toEqual(['once'])
  expect(session.counters.totals).toEqual([5, 5, 0, 0])
})

test('transcripts without header, with duplicate ids and with cycles of parents are read by one rule', async () => {
  const folder = newFolder()
  const line = (id: string, parentId: string | null, content: string): string =>
    JSON.stringify({ type: 'message', id, parentId, message: { role: 'user', content } })
  const lines = [line('a', 'c', 'a'), line('b', 'a', 'b'), line('c', 'b', 'c'), line('b', 'a', 'again'), line('d', 'c', 'd')]
  writeFileSync(join(folder, 'bare.jsonl'), `${lines.join('\n')}\n`)
  const sessions = await sessionsIn(folder)
  expect(await textsOf(sessions, 'bare')).toEqual(['a', 'b', 'c', 'd'])
  expect(await sessions.faults('bare')).toEqual({ unreadable: 0, duplicates: 1, strayParents: 1, extraHeaders: 0 })
})

test('a header with fields of any kind is read as far as it goes', async () => {
  const folder = newFolder()
  writeFileSync(
    join(folder, 'a.jsonl'),
    '{"type":"session","id":"a","timestamp":5,"key":["x"],"chatType":"room","previous":{},"agent":null}\n',
  )
  writeFileSync(join(folder, 'b.jsonl'), '')
  writeFileSync(join(folder, 'c.jsonl'), Buffer.from([0, 255, 10, 0]))
  const sessions = await sessionsIn(folder)
  const found = sessions.list().map(({ id, key, chatType, agent, previous }) => [id, key, chatType, agent, previous])
  expect(found.toSorted()).toEqual(['a', 'b', 'c'].map((id) => [id, null, 'direct', 'main', null]))
  for (const id of ['a', 'b', 'c']) expect(await textsOf(sessions, id)).toEqual([])
})

test('the name of a file is its id whatever its lines say, and the conflict is told once', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'a.jsonl'), '{"type":"session","version":3,"id":"b","timestamp":"2026-03-01T10:00:00.000Z"}\n')
  const sessions = await sessionsIn(folder)
  expect(sessions.list().map(({ id }) => id)).toEqual(['a'])
  sessions.list()
  expect(sessions.problems.map(({ code }) => code)).toEqual(['other-id'])
})

test('a copied transcript, and a fork under new time stamps, repeat no message, in whatever order the files are read', async () => {
  const line = (id: string, parentId: string | null, minute: number): string =>
    JSON.stringify({
      type: 'message',
      id,
      parentId,
      timestamp: `2026-03-01T10:0${minute}:00.000Z`,
      message: { role: 'user', content: id },
    })
  const original = [line('m1', null, 1), line('m2', 'm1', 2)]
  const fork = [line('m1', null, 5), line('m2', 'm1', 6), line('m3', 'm2', 7)]
  for (const names of [
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
  ]) {
    const folder = newFolder()
    for (const [index, lines] of [original, original, fork].entries()) {
      const timestamp = index === 2 ? '2026-03-01T10:04:00.000Z' : '2026-03-01T10:00:00.000Z'
      const header = JSON.stringify({ type: 'session', version: 3, id: 'x', timestamp, key: MAIN })
      writeFileSync(join(folder, `${names[index]}.jsonl`), `${[header, ...lines].join('\n')}\n`)
    }
    const sessions = await sessionsIn(folder)
    const times: string[] = []
    for await (const { id, timeMs } of sessions.history(MAIN)) times.push(`${id} ${new Date(timeMs ?? 0).getUTCMinutes()}`)
    expect(times).toEqual(['m1 1', 'm2 2', 'm3 7'])
  }
})

test('archives of other programs are history, and their copies and side files are not', async () => {
  const folder = newFolder()
  const header = (id: string): string => `{"type":"session","version":3,"id":"${id}","timestamp":"2026-03-01T04:00:00.000Z"}\n`
  for (const name of ['s1.jsonl', 's2.jsonl.reset.2026-03-01T04-00-00Z', 's5.jsonl.deleted.2026-03-01T04-00-00.000Z']) {
    writeFileSync(join(folder, name), header(name.slice(0, 2)))
  }
  for (const name of ['s3.checkpoint.0b6c.jsonl', 's4.trajectory.jsonl', 's1.jsonl.bak.1', 'archive-tier.s1.jsonl', 'x.txt']) {
    writeFileSync(join(folder, name), header('noise'))
  }
  const sessions = await sessionsIn(folder)
  expect(
    sessions
      .list()
      .map(({ id, state }) => `${id} ${state}`)
      .toSorted(),
  ).toEqual(['s1 active', 's2 archived', 's5 deleted'])
})

test.each(['agent:main:../../etc/passwd', `agent:main:${'k'.repeat(1000)}`, 'agent:main:über/日本 :x', '__proto__'])(
  'a key never becomes the name of a file: %s',
  async (key) => {
    const folder = newFolder()
    const sessions = await sessionsIn(folder)
    const session = await sessions.openSession(key)
    await session.append({ role: 'user', content: 'hi' })
    await sessions.close()
    expect(readdirSync(folder).toSorted()).toEqual(['.keys', `${session.id}.jsonl`, 'sessions.json'].toSorted())
    const again = await sessionsIn(folder)
    expect((await again.openSession(key)).id).toBe(session.id)
  },
)

test.each(['', '  ', 'a\u0000b', 'k'.repeat(2000), '\ud800'])('a key that cannot be one is refused: %j', async (key) => {
  const sessions = await sessionsIn(newFolder())
  await expect(sessions.openSession(key)).rejects.toMatchObject({ code: 'refused' })
})

test('two holders of one key write into one transcript, nothing is lost, and it is told once', async () => {
  const folder = newFolder()
  const [left, right] = [await sessionsIn(folder), await sessionsIn(folder)]
  const [one, two] = [await left.openSession(MAIN), await right.openSession(MAIN)]
  for (let turn = 0; turn < 5; turn += 1) {
    await one.append({ role: 'user', content: `one ${turn}` })
    await two.append({ role: 'user', content: `two ${turn}` })
  }
  expect(await textsOf(left, MAIN)).toEqual([0, 1, 2, 3, 4].flatMap((turn) => [`one ${turn}`, `two ${turn}`]))
  await one.reset('new')
  await two.append({ role: 'user', content: 'after' })
  expect(two.id).toBe(one.id)
  expect([left, right].map(({ problems }) => problems.map(({ code }) => code))).toEqual([['shared-session'], ['shared-session']])
})

test('sessions.json is written at most once a second, and for many sessions less often', async () => {
  const clock = clockAt('2026-03-01T10:00:00Z')
  const folder = newFolder()
  const sessions = await sessionsIn(folder, { now: clock.now })
  const listed = (): string => readFileSync(join(folder, 'sessions.json'), 'utf8')
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'one' })
  const first = listed()
  await session.append({ role: 'user', content: 'two' })
  expect(listed()).toBe(first)
  clock.ms += 1_000
  await session.append({ role: 'user', content: 'three' })
  expect(listed()).not.toBe(first)
})

test('a failed write takes back what it wrote', async () => {
  const folder = newFolder()
  const sessions = await sessionsIn(folder)
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'one' })
  const file = join(folder, `${session.id}.jsonl`)
  const size = statSync(file).size
  // A message that no JSON can hold fails before a byte is written.
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  const content = [{ type: 'toolCall', id: 'c1', name: 'x', arguments: circular }] as const
  await expect(session.append({ role: 'assistant', content })).rejects.toThrow('circular')
  expect(statSync(file).size).toBe(size)
  await session.append({ role: 'user', content: 'two' })
  expect(await textsOf(sessions, MAIN)).toEqual(['one', 'two'])
})

test('an append to a transcript of many megabytes reads under one', async () => {
  const folder = newFolder()
  const first = await sessionsIn(folder)
  const session = await first.openSession(MAIN)
  for (let part = 0; part < 12; part += 1) {
    await session.append(
      Array.from({ length: 500 }, (_, turn) => ({ role: 'user', content: `${part} ${turn} ${'x'.repeat(1000)}` })),
    )
  }
  await first.close()
  const second = await sessionsIn(folder)
  await (await second.openSession(MAIN)).append({ role: 'user', content: 'last', id: 'given' })
  expect(statSync(join(folder, `${session.id}.jsonl`)).size).toBeGreaterThan(7_000_000)
  expect(second.io.read).toBeLessThan(1_000_000)
})

test('deleted sessions stay readable until pruned, and their key begins anew', async () => {
  const clock = clockAt('2026-03-01T10:00:00Z')
  const sessions = await sessionsIn(newFolder(), { now: clock.now })
  const session = await sessions.openSession('agent:main:telegram:direct:1')
  await session.append({ role: 'user', content: 'old' })
  const before = session.id
  await sessions.delete(before)
  clock.ms += 1_000
  await session.append({ role: 'user', content: 'new' })
  expect(session.id).not.toBe(before)
  expect(await textsOf(sessions, before)).toEqual(['old'])
  expect(sessions.find('agent:main:telegram:direct:1').map(({ state }) => state)).toEqual(['deleted', 'active'])
  await expect(sessions.delete('nobody')).rejects.toThrow('There is no session nobody')
})

test('old transcripts go by age, but never the main one, an open one, a pinned one or that of a group', async () => {
  const folder = newFolder()
  const first = await sessionsIn(folder)
  const keys = [MAIN, 'agent:main:t:direct:1', 'agent:main:t:group:1', 'agent:main:t:direct:2', 'agent:main:t:direct:3']
  for (const key of keys) {
    const session = await first.openSession(key, { isPinned: key.endsWith('direct:2') })
    await session.append({ role: 'user', content: key })
    await session.reset('new')
    await session.append({ role: 'user', content: key })
  }
  await first.close()
  const warned = await sessionsIn(folder, { now: () => Date.now() + 31 * DAY, maintenance: { mode: 'warn' } })
  expect([warned.prune().removed.length, warned.list().length, warned.problems.length]).toEqual([6, 10, 1])
  const reports: number[] = []
  const onPrune = ({ removed: gone }: PruneReport): void => void reports.push(gone.length)
  const second = await sessionsIn(folder, { now: () => Date.now() + 31 * DAY, onPrune })
  await second.openSession('agent:main:t:direct:3')
  const { removed } = second.prune()
  expect(removed.filter(({ why }) => why === 'age')).toHaveLength(5)
  expect(reports).toEqual([5])
  expect(second.list().filter(({ key }) => key === MAIN)).toHaveLength(2)
  expect(
    second
      .list()
      .map(({ key, state }) => `${key?.slice(11)} ${state}`)
      .toSorted(),
  ).toEqual(
    ['main active', 'main archived', 't:direct:2 active', 't:direct:3 active', 't:group:1 active']
      .map((text) => text.replace(/^main/u, 'main'))
      .toSorted(),
  )
})

test('a session that was pruned, or whose file somebody removed, begins anew with its next message', async () => {
  const folder = newFolder()
  const clock = clockAt('2026-03-01T10:00:00Z')
  clock.ms = Date.now()
  const sessions = await sessionsIn(folder, { now: clock.now, reset: { mode: 'off' } })
  const session = await sessions.openSession('agent:main:t:direct:1')
  const ids: string[] = []
  for (const how of ['pruned', 'removed']) {
    await session.append({ role: 'user', content: how })
    ids.push(session.id)
    clock.ms += 40 * DAY
    if (how === 'removed') rmSync(join(folder, `${session.id}.jsonl`))
    expect(sessions.prune().removed).toHaveLength(how === 'pruned' ? 1 : 0)
    expect((await session.context()).ids).toEqual([])
  }
  await session.append({ role: 'user', content: 'new' })
  expect(await textsOf(sessions, 'agent:main:t:direct:1')).toEqual(['new'])
  expect(ids).not.toContain(session.id)
})

test('the lines of a citation are those of the file', async () => {
  const sessions = await sessionsIn(newFolder())
  const session = await sessions.openSession(MAIN)
  await session.append([
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
  ])
  expect(sessions.lines(session.id, { from: 3, lines: 5 }).map((line) => JSON.parse(line).message.content)).toEqual(['two'])
  expect(() => sessions.lines('nobody')).toThrow('There is no session nobody')
})

test('under a disk budget archives go first, the oldest first, down to the low-water mark', async () => {
  const folder = newFolder()
  const sessions = await sessionsIn(folder, { maintenance: { pruneAfter: false, diskBudget: 30_000, lowWater: 0.5 } })
  for (const user of [1, 2, 3, 4]) {
    const session = await sessions.openSession(`agent:main:t:direct:${user}`)
    await session.append({ role: 'user', content: 'x'.repeat(10_000) })
    await session.reset('new')
  }
  await sessions.close()
  const again = await sessionsIn(folder, { maintenance: { pruneAfter: false, diskBudget: 30_000, lowWater: 0.5 } })
  expect(again.prune().removed).toHaveLength(3)
  expect(again.list().reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(15_000)
  expect(again.list().filter(({ state }) => state === 'active')).toHaveLength(4)
})

test('over the number of entries the oldest go', async () => {
  const folder = newFolder()
  const first = await sessionsIn(folder)
  for (const user of [1, 2, 3, 4]) {
    const session = await first.openSession(`agent:main:t:direct:${user}`)
    await session.append({ role: 'user', content: 'hi' })
    utimesSync(join(folder, `${session.id}.jsonl`), user, user)
  }
  await first.close()
  const second = await sessionsIn(folder, { maintenance: { pruneAfter: 0, maxEntries: 2 } })
  expect(second.prune({ dryRun: true })).toMatchObject({ isDryRun: true, removed: [{ why: 'entries' }, { why: 'entries' }] })
  expect(second.prune().removed.map(({ key }) => key)).toEqual(['agent:main:t:direct:1', 'agent:main:t:direct:2'])
})

test('forget erases the bytes of a session, and a restored copy stays out', async () => {
  const folder = newFolder()
  const sessions = await sessionsIn(folder)
  const session = await sessions.openSession('agent:main:t:direct:1')
  await session.append({ role: 'user', content: 'my secret plan' })
  const { id } = session
  const copy = readFileSync(join(folder, `${id}.jsonl`))
  expect(await sessions.forget('agent:main:t:direct:1')).toMatchObject({ sessions: [id] })
  writeFileSync(join(folder, `${id}.jsonl`), copy)
  const again = await sessionsIn(folder)
  expect(again.list()).toEqual([])
  expect(again.isForgotten(id)).toBe(true)
  expect(again.problems.map(({ code }) => code)).toEqual(['forgotten-file'])
  await session.append({ role: 'user', content: 'new' })
  expect(session.id).not.toBe(id)
})

test('forgetting one message leaves a tombstone of its length, and every other line where it was', async () => {
  const folder = newFolder()
  const sessions = await sessionsIn(folder)
  const session = await sessions.openSession(MAIN)
  await session.append([
    { role: 'user', content: 'one', id: 'm1' },
    { role: 'user', content: 'the code is 4711 ✓', id: 'm2' },
    { role: 'user', content: 'three', id: 'm3' },
  ])
  const file = join(folder, `${session.id}.jsonl`)
  const before = readFileSync(file)
  expect(await sessions.forget(MAIN, { messages: ['m2'] })).toMatchObject({ lines: 1, sessions: [] })
  const after = readFileSync(file, 'utf8')
  expect(Buffer.byteLength(after)).toBe(before.length)
  expect(after).not.toContain('4711')
  expect(await textsOf(sessions, MAIN)).toEqual(['one', 'three'])
  await session.append({ role: 'user', content: 'four' })
  expect((await sessions.faults(session.id)).strayParents).toBe(0)
})

test('a file that lost its end goes on from what is left', async () => {
  const folder = newFolder()
  const sessions = await sessionsIn(folder)
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'one' })
  await session.append({ role: 'user', content: 'two' })
  const file = join(folder, `${session.id}.jsonl`)
  truncateSync(file, statSync(file).size - 10)
  await session.append({ role: 'user', content: 'three' })
  expect(await textsOf(sessions, MAIN)).toEqual(['one', 'three'])
})

test('closed sessions refuse', async () => {
  const sessions = await sessionsIn(newFolder())
  const session = await sessions.openSession(MAIN)
  await sessions.close()
  await sessions.close()
  await expect(session.append({ role: 'user', content: 'x' })).rejects.toThrow('closed')
  await expect(sessions.openSession(MAIN)).rejects.toThrow('closed')
})

test.each([
  { folder: 'relative' },
  { folder: '/tmp/x', timeZone: 'Mars/Base' },
  { folder: '/tmp/x', reset: { atHour: 24 } },
  { folder: '/tmp/x', maintenance: { pruneAfter: '30' } },
  { folder: '/tmp/x', maintenance: { maxEntries: 0 } },
])('options that cannot be used are named: %j', async (options) => {
  const { openSessions } = await import('./open-sessions.ts')
  await expect(openSessions(options)).rejects.toMatchObject({ name: 'ConfigError', code: 'invalid-value' })
})
