import { expect, test } from 'vitest'
import { killConversation } from '../__fixtures__/conversation/kill-conversation.ts'

test('a conversation of killed processes is whole: each message once, each flushed text in the notes once, sums exact', async () => {
  const report = await killConversation({ turns: 120, turnsPerDay: 40, turnsPerKill: 25 })
  expect(report.faults).toEqual([])
  expect(report.kills).toBeGreaterThan(4)
  expect(report.compactions).toBeGreaterThan(2)
  expect(report.flushed).toBeGreaterThan(2)
})
