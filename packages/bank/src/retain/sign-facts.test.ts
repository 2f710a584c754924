import { expect, test } from 'vitest'
import { readFacts } from './read-facts.ts'
import { signFacts } from './sign-facts.ts'

const path = 'memory/2026-03-01.md'

/** Adds lines to a note and signs them. */
function added(before: string, lines: string, notePath = path): string | null {
  const startLine = before.split('\n').length
  const endLine = startLine + lines.split('\n').length - 1
  return signFacts(before + lines, { path: notePath, before, startLine, endLine, author: 'agent' })
}

test.each([
  ['a fact', '## Retain\n', '- W @Mara: moved', '- W @Mara: moved (by: agent)'],
  ['its own heading', '# Day\n', '## Retain\n- B: x\n- plain\n', '## Retain\n- B: x (by: agent)\n- plain\n'],
  ['trailers and an id', '## Retain\n', '- W: x (see a.md) ^abcd ', '- W: x (see a.md) (by: agent) ^abcd '],
  ['emphasis', '## Retain\n', '- **O(c=90%) @Mara: x**', '- **O(c=90%) @Mara: x** (by: agent)'],
  ['a struck fact', '## Retain\n', '- ~~W: x~~', '- ~~W: x~~ (by: agent)'],
  ['lines that go on', '## Retain\n', '- W: x\n  and y\n  - Evidence: a.md', '- W: x\n  and y (by: agent)\n  - Evidence: a.md'],
  ['carriage returns', '## Retain\r\n', '- W: x\r\n- B: y\r\n', '- W: x (by: agent)\r\n- B: y (by: agent)\r\n'],
  ['a person named', '## Retain\n', '- W: x (by: person)', '- W: x (by: person) (by: agent)'],
  ['a line signed already', '## Retain\n', '- W: x (by: model)', '- W: x (by: model)'],
  ['a comment behind it', '## Retain\n', '- W: x <!-- y -->', '- W: x <!-- y --> (by: agent)'],
  ['a line outside of the section', '## Log\n', '- W @Mara: moved', '- W @Mara: moved'],
  ['code', '## Retain\n', '```\n- W @Mara: moved\n```', '```\n- W @Mara: moved\n```'],
  ['a copy of a line of a person', '## Retain\n- W: x\n', '- W: x', '- W: x (by: agent)'],
])('lines that are added are signed where they are facts: %s', (_case, before, lines, signed) => {
  expect(added(before, lines)).toBe(before + signed)
})

test('on a page of the bank every bullet is a fact', () => {
  expect(added('# World\n\n- from a person\n', '- from an agent\n', 'bank/world.md')).toBe(
    '# World\n\n- from a person\n- from an agent (by: agent)\n',
  )
})

test('a fact that stays as it was keeps its author when the text around it is replaced; a changed one does not', () => {
  const before = '## Retain\n- W @Mara: likes tea\n- W @Nils: moved (by: agent)\n'
  const sign = (text: string): string | null => signFacts(text, { path, before, startLine: 2, endLine: 3, author: 'agent' })
  expect(sign('## Retain\n- W @Mara: likes tea\n- B: x\n')).toBe('## Retain\n- W @Mara: likes tea\n- B: x (by: agent)\n')
  expect(sign('## Retain\n- W @Mara: hates tea\n- W @Nils: moved\n')).toBe(
    '## Retain\n- W @Mara: hates tea (by: agent)\n- W @Nils: moved (by: agent)\n',
  )
})

test('lines that the change did not touch stay, though they become facts by it', () => {
  const text = '## Retain\n- W: x\n- B: y\n'
  expect(signFacts(text, { path, before: '- W: x\n', startLine: 3, endLine: 3, author: 'agent' })).toBe(
    '## Retain\n- W: x\n- B: y (by: agent)\n',
  )
})

test('where a line cannot be signed it is said, so that nobody speaks as a person', () => {
  expect(added('## Retain\n', '- W: x <!-- y\n-->')).toBeNull()
})

test('what is signed reads as before but for its author', () => {
  const text = '- W: x\n- O(c=0.5) @Mara: y #tag (on: 2026-02-01) ^abcd\n'
  const facts = (note: string | null) => readFacts(note ?? '', { path }).facts.map((fact) => ({ ...fact, author: '' }))
  expect(facts(added('## Retain\n', text))).toEqual(facts(`## Retain\n${text}`))
})
