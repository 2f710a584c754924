import { BackendError, type CallerContext } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { openNotes } from '../../test/open-notes.ts'
import type { Scope } from './judge-scope.ts'
import { withScope } from './with-scope.ts'

const DIRECT_CHATS: Scope = { default: 'deny', rules: [{ action: 'allow', match: { chatType: 'direct' } }] }
const SECRET_WORD = 'sesame'
const CHANNEL: CallerContext = { agentId: 'main', sessionKey: 'agent:main:slack:channel:c01' }
const OWNER: CallerContext = { agentId: 'main', sessionKey: 'agent:main:main' }

async function guarded() {
  const { memory } = await openNotes({ 'MEMORY.md': `The word is ${SECRET_WORD}.` })
  const denials: string[] = []
  return { memory: withScope(memory, { scope: DIRECT_CHATS, log: (message) => denials.push(message) }), denials }
}

test('the built-in engine answers whom the rules allow, without a log line', async () => {
  const { memory, denials } = await guarded()
  expect((await memory.search({ text: SECRET_WORD, caller: OWNER })).hits).toHaveLength(1)
  expect((await memory.read({ path: 'MEMORY.md', caller: OWNER })).status).toBe('not-found')
  expect(denials).toEqual([])
})

test('a denied search finds nothing, says why, and logs channel and chat type but not the question', async () => {
  const { memory, denials } = await guarded()
  const reply = await memory.search({ text: SECRET_WORD, caller: CHANNEL })
  expect(reply).toMatchObject({ hits: [], mode: 'unavailable', degraded: [{ code: 'scope-denied' }] })
  expect(denials).toEqual(['memory search denied by scope (channel=slack, chatType=channel)'])
})

test('a denied list holds nothing, counts nothing, and says why', async () => {
  const { memory, denials } = await guarded()
  expect(await memory.list({ caller: OWNER, tags: true })).toMatchObject({ total: 1, notes: [{ path: 'MEMORY.md' }] })
  const reply = await memory.list({ caller: CHANNEL, tags: true })
  expect(reply).toMatchObject({ notes: [], total: 0, degraded: [{ code: 'scope-denied' }] })
  expect(JSON.stringify(reply)).not.toContain('MEMORY')
  expect(denials).toEqual(['memory list denied by scope (channel=slack, chatType=channel)'])
})

test('a denied read is refused without a word of the note', async () => {
  const { memory, denials } = await guarded()
  const error: unknown = await memory.read({ path: 'MEMORY.md', caller: CHANNEL }).catch((reason: unknown) => reason)
  expect(BackendError.isInstance(error) && error.code).toBe('denied')
  expect(String(error)).not.toContain(SECRET_WORD)
  expect(denials).toEqual(['memory read denied by scope (channel=slack, chatType=channel)'])
})

test('an unknown caller is told so in the log', async () => {
  const { memory, denials } = await guarded()
  await memory.search({ text: SECRET_WORD, caller: { agentId: 'main' } })
  expect(denials).toEqual(['memory search denied by scope (channel=unknown, chatType=unknown)'])
})

test('a program may know who calls without a name', async () => {
  const { memory } = await openNotes({ 'MEMORY.md': SECRET_WORD })
  const whoIs = (caller: CallerContext): CallerContext => ({ chatType: 'direct', ...caller })
  const known = withScope(memory, { scope: DIRECT_CHATS, whoIs })
  expect((await known.search({ text: SECRET_WORD, caller: { agentId: 'main' } })).hits).toHaveLength(1)
  expect((await known.search({ text: SECRET_WORD, caller: { agentId: 'main', chatType: 'group' } })).hits).toEqual([])
})
