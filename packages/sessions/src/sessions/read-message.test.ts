import { expect, test } from 'vitest'
import { MAIN, newFolder, sessionsIn } from '../__fixtures__/sessions-folder.ts'
import { readMessage } from './read-message.ts'

test('a message as JSON is read with all it says, and goes through a transcript unchanged', async () => {
  const value = {
    role: 'assistant',
    content: [
      { type: 'text', text: 'hi' },
      { type: 'toolCall', id: 'c1', name: 'look' },
    ],
    id: 'm1',
    parentId: null,
    timestamp: '2026-03-01T10:00:00Z',
    usage: { input: 1, output: 2, cacheRead: null, other: 'x' },
    model: 'm',
    unknown: true,
  }
  const message = readMessage(value)
  expect(message).toEqual({
    role: 'assistant',
    content: [
      { type: 'text', text: 'hi' },
      { type: 'toolCall', id: 'c1', name: 'look', arguments: {} },
    ],
    id: 'm1',
    parentId: null,
    timeMs: Date.parse(value.timestamp),
    usage: { input: 1, output: 2 },
    model: 'm',
  })
  const session = await (await sessionsIn(newFolder())).openSession(MAIN)
  await session.append(message)
  for await (const { message: stored, timeMs } of session.messages()) {
    expect([stored.content, timeMs]).toEqual([message.content, message.timeMs])
  }
})

test('a message of unknown time has none in the transcript, and is no sign of anybody', async () => {
  const sessions = await sessionsIn(newFolder())
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'once', timeMs: null })
  expect(JSON.parse(sessions.lines(session.id).at(-1) ?? '')).not.toHaveProperty('timestamp')
  expect(session.counters.interaction).toBeNull()
})

test.each([
  [null, 'a message: expected an object; got object.'],
  [[], 'a message: expected an object; got object.'],
  [{ role: 'human', content: 'x' }, 'role: expected user, assistant, toolResult, system; got "human".'],
  [{ role: 'user' }, 'content: expected a text or a list of blocks; got nothing.'],
  [{ role: 'user', content: [{ type: 'video' }] }, 'type of a block: expected text, image, thinking, toolCall; got "video".'],
  [{ role: 'user', content: 'x', timestamp: 'yesterday' }, 'timestamp: expected an ISO time, or ms since 1970; got "yesterday".'],
  [{ role: 'user', content: 'x', usage: { input: -1 } }, 'usage.input: expected a number, 0 or more; got number.'],
  [{ role: 'toolResult', content: 'x' }, 'toolCallId: expected the id of the call it answers; got nothing.'],
  [{ role: 'user', content: 'x', id: 7 }, 'id: expected a text; got number.'],
])('%j is refused in words', (value, message) => {
  expect(() => readMessage(value)).toThrow(message)
})
