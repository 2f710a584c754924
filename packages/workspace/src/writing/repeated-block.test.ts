import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { findRepeatedBlock, withoutTimeStamp } from './repeated-block.ts'

test.each([
  ['## 14:05 Heartbeat', '## 09:30 Heartbeat'],
  ['## Heartbeat 14:05:31 UTC', '## Heartbeat 09:30:02 UTC'],
  ['- 14:05 inbox checked', '- 9:30 inbox checked'],
  ['- **14:05** inbox checked', '- **09:30** inbox checked'],
  ['- [14:05] inbox checked', '- [09:30] inbox checked'],
  ['[2026-03-14 14:05 GMT+7] deployed', '[2026-03-14 15:05 GMT+7] deployed'],
  ['inbox checked (2:05 PM)', 'inbox checked (9:30 am)'],
  ['at 2026-03-14T14:05:00.123Z: ok', 'at 2026-03-14T09:30:59Z: ok'],
  ['⏰ ١٤:٠٥ نبضة', '⏰ ٠٩:٣٠ نبضة'],
  ['- 14：05 心跳', '- 09：30 心跳'],
  ['**Time:** 14:05 UTC', '**Time:** 09:30 UTC'],
  ['- Last check: 2026-03-14 14:05', '- Last check: 2026-03-14 09:30'],
  ['10:00 - 11:00 focus', '13:00–14:00 focus'],
  ['  -  same   words', '- same words'],
])('%s and %s differ in their time stamp only', (one, other) => {
  expect(withoutTimeStamp(one)).toBe(withoutTimeStamp(other))
})

test.each([
  ['Standup moved to 16:00', 'Standup moved to 17:00'],
  ['- dentist at 15:00', '- dentist at 16:00'],
  ['[2026-03-14 14:05] deployed', '[2026-03-15 14:05] deployed'],
  ['- 14:05 inbox checked', '- 14:05 outbox checked'],
  ['3 mails', '4 mails'],
])('%s and %s say different things', (one, other) => {
  expect(withoutTimeStamp(one)).not.toBe(withoutTimeStamp(other))
})

test('a block is found as often as it stands, with the last place of it', () => {
  const text = '# Day\n\n## 10:00 Beat\n- ok\n\nother\n\n## 11:00 Beat\n\n- ok\n'
  expect(findRepeatedBlock(text, '## 12:00 Beat\n- ok')).toEqual({ count: 2, startLine: 8, endLine: 10 })
  expect(findRepeatedBlock(text, '## 12:00 Beat\n- not ok')).toBeNull()
  expect(findRepeatedBlock(text, 'o')).toBeNull()
  expect(findRepeatedBlock('', 'a')).toBeNull()
})

test('a heading that is only a time counts in a block with words, and a block of only a time equals none but itself', () => {
  expect(findRepeatedBlock('## 10:00\n- all quiet\n', '## 10:30\n- all quiet')).toMatchObject({ count: 1 })
  expect(findRepeatedBlock('## 10:00\n', '## 10:30')).toBeNull()
  expect(findRepeatedBlock('## 10:00\n', '## 10:00')).toMatchObject({ count: 1 })
})

test.each(['12:', '1', ' ', '2026-03-01 ', '[', 'time ', '[2026-03-01, '])(
  'P101: the work for a line grows with its length: %s',
  (part) => {
    assertGrowsLinearly((length) => withoutTimeStamp(`${part.repeat(length / part.length)} 12:30:00`), 200_000)
  },
)
