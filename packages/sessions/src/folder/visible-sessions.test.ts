import { expect, test } from 'vitest'
import { newFolder, sessionsIn } from '../__fixtures__/sessions-folder.ts'
import { type SessionVisibility, visibleSessions } from './visible-sessions.ts'

const MAIN = 'agent:main:main'
const MARA = 'agent:main:telegram:direct:mara'
const PETER = 'agent:main:telegram:direct:peter'
const GROUP = 'agent:main:telegram:group:42'
const HELPER = 'agent:other:subagent:1'
const NESTED = 'agent:main:subagent:2'
const CRON = 'cron:daily'
const THREAD = `${PETER}:thread:3`
const SHAPED = 'agent:main:direct:peter:group:9'
const FREE = 'notes about the group'

const STARTED_BY: Readonly<Record<string, string>> = { [HELPER]: MARA, [NESTED]: HELPER }

async function seenBy(key: string, visibility: SessionVisibility): Promise<readonly (string | null)[]> {
  const sessions = await sessionsIn(newFolder())
  for (const each of [MAIN, MARA, PETER, GROUP, HELPER, NESTED, CRON, THREAD, SHAPED, FREE]) {
    const spawnedBy = STARTED_BY[each]
    const session = await sessions.openSession(each, spawnedBy === undefined ? {} : { spawnedBy })
    if (each === GROUP) await session.reset('new')
  }
  return visibleSessions(sessions.list(), key, visibility)
    .map((record) => record.key)
    .toSorted()
}

test.each([
  ['self', MARA, [MARA]],
  ['tree', MARA, [NESTED, MARA, HELPER]],
  ['tree', GROUP, [GROUP, GROUP]],
  ['tree', HELPER, [NESTED, HELPER]],
  ['tree', 'agent:main:telegram:direct:nobody', []],
  ['agent', MARA, [NESTED, MARA, GROUP, GROUP, HELPER, CRON]],
  ['agent', GROUP, [GROUP, GROUP, CRON]],
  ['agent', MAIN, [MAIN, GROUP, GROUP, CRON]],
] as const)('%s shows %s its own, and no direct chat of another', async (visibility, key, seen) => {
  expect(await seenBy(key, visibility)).toEqual(seen)
})

test('all shows every session', async () => {
  expect(await seenBy(MARA, 'all')).toHaveLength(11)
})

test('sessions that started each other are each seen once', async () => {
  const sessions = await sessionsIn(newFolder())
  await sessions.openSession('a', { spawnedBy: 'b' })
  await sessions.openSession('b', { spawnedBy: 'a' })
  await sessions.openSession('c', { spawnedBy: 'c' })
  expect(visibleSessions(sessions.list(), 'a', 'tree')).toHaveLength(2)
  expect(visibleSessions(sessions.list(), 'c', 'tree')).toHaveLength(1)
})
