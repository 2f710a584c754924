import { expect, test } from 'vitest'
import { plainHeading } from './plain-heading.ts'

test.each([
  ['<font color="red">Red</font> alert', 'Red alert'],
  ['🚀 Launch 👩‍💻 day 🇩🇪', 'Launch day'],
  ['14:30 - Standup', 'Standup'],
  ['Standup (2:30 PM)', 'Standup'],
  ['**Bold** and `code` and _soft_', 'Bold and code and soft'],
  ['snake_case_name and C++ and C#', 'snake_case_name and C++ and C#'],
  ['[Link](https://x.example/a_(b)) and [[Note|shown]] and [[Note]]', 'Link and shown and Note'],
  ['Map<string> stays, <https://x.example> too', 'Map<string> stays, <https://x.example> too'],
  ['2026-02-14', '2026-02-14'],
  ['18:30', ''],
  ['Title <!-- hidden -->', 'Title'],
  ['会议 ✅ 计划', '会议 计划'],
])('%s is called %s', (raw, plain) => {
  expect(plainHeading(raw)).toBe(plain)
})

test('a heading without end is cut', () => {
  expect(plainHeading('x_ '.repeat(1_000_000)).length).toBeLessThanOrEqual(200)
})
