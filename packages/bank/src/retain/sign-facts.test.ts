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

test('older lines that become facts by the change are signed, and facts that a person wrote before are not', () => {
  const text = '## Retain\n- W: x\n- B: y\n'
  expect(signFacts(text, { path, before: '- W: x\n', startLine: 3, endLine: 3, author: 'agent' })).toBe(
    '## Retain\n- W: x (by: agent)\n- B: y (by: agent)\n',
  )
})

/** A note, one edit of it by an agent, and the lines that are signed. A person wrote every line before. */
function afterEdit(before: string, old: string, made: string): readonly string[] {
  const start = before.indexOf(old)
  const text = before.slice(0, start) + made + before.slice(start + old.length)
  const startLine = before.slice(0, start).split('\n').length
  const endLine = startLine + made.replace(/\r?\n$/u, '').split('\n').length - 1
  const signed = signFacts(text, { path, before, startLine, endLine, author: 'agent' })
  if (signed === null) return ['not signed']
  expect(signed.replaceAll(' (by: agent)', '')).toBe(text)
  return signed.split('\n').flatMap((line) => (line.includes('(by: agent)') ? line.replace(' (by: agent)', '').trim() : []))
}

test.each([
  ['a heading put above', 'Rain.\n- W: x\n', 'Rain.\n', 'Rain.\n## Retain\n'],
  ['a heading made of a line', '# Day\nretain\n- W: x\n', 'retain', '## Retain'],
  ['a heading taken away below', '## Retain\n- W: own\n## Log\n- W: x\n', '## Log\n', ''],
  ['a heading underlined', 'Retain\n\n- W: x\n', 'Retain\n', 'Retain\n---\n'],
  ['a fence opened before', '```\n## Retain\n- W: x\n', '```\n', 'Rain.\n'],
  ['a fence closed above', '```\nRain.\n## Retain\n- W: x\n', 'Rain.\n', '```\n'],
  ['front matter closed above', '---\ntitle: a\n## Retain\n- W: x\n---\n', 'title: a\n', 'title: a\n---\n'],
  ['a comment closed above', '<!--\nRain.\n## Retain\n- W: x\n', 'Rain.\n', '-->\n'],
  [
    'a managed block taken away',
    '## Retain\n<!-- mnemark:bank:start -->\n- W: x\n<!-- mnemark:bank:end -->\n',
    '<!-- mnemark:bank:start -->\n',
    '',
  ],
  ['a legend renamed', '## Retain\n### Format\n- W: x\n', '### Format', '### Facts'],
  ['a quote beside it', '## Retain\n- W: own\n\n> quoted\n- W: x\n', '> quoted\n', '\n'],
  ['carriage returns', 'Rain.\r\n- W: x\r\n', 'Rain.\r\n', 'Rain.\r\n## Retain\r\n'],
])('a line that was no fact before is signed where an edit makes it one: %s', (_case, before, old, made) => {
  const after = afterEdit(before, old, made)
  expect([['- W: x'], []]).toContainEqual(after)
  const isFact = (text: string): boolean => readFacts(text, { path }).facts.some(({ content }) => content === 'x')
  const start = before.indexOf(old)
  expect(after.length > 0).toBe(isFact(before.slice(0, start) + made + before.slice(start + old.length)) && !isFact(before))
})

test.each([
  ['the day of the heading', '## Retain 2026-03-01\n- W: own\n', '2026-03-01', '2026-04-01'],
  ['a line above', 'Rain.\n## Retain\n- W: own\n', 'Rain.\n', 'Sun.\nWind.\n'],
  ['a line below', '## Retain\n- W: own\n\n## Log\nRain.\n', 'Rain.', 'Sun.'],
  ['the section written again', '## Retain 2026-03-01\n- W: own\n', '2026-03-01\n- W: own\n', '2026-04-01\n- W: own\n'],
  ['evidence below it', '## Retain\n- O(c=0.8): own\n', 'own\n', 'own\n  - Evidence: memory/2026-02-01.md\n'],
])("a fact that was one before stays a person's: %s", (_case, before, old, made) => {
  expect(afterEdit(before, old, made)).toEqual([])
})

test.each([
  ['its words', '## Retain\n- W: owns a boat\n', 'a boat', 'two boats'],
  ['its confidence', '## Retain\n- O(c=0.5): own\n', '0.5', '0.9'],
  ['its day', '## Retain\n- W: own (on: 2026-02-01)\n', '02-01', '01-01'],
  ['what it corrects', '## Retain\n- W: own\n', 'own', 'own (corrects: ^ab12cd34ef)'],
  ['a line that goes on', '## Retain\n- W: own\n', 'own\n', 'own\n  and owes me money\n'],
])('a fact of a person that the edit changes is signed: %s', (_case, before, old, made) => {
  expect(afterEdit(before, old, made)).toHaveLength(1)
})

test.each([
  ['by a child', '## Retain\n- O: own\n\nRain.\n', '\nRain.', '  - Confidence: 0.9\nRain.'],
  ['by taking a line of it away', '## Retain\n- W: own boat\n  and car\n- B: x\n', '  and car\n', ''],
])('what makes a fact of a person say something else beside its line is refused: %s', (_case, before, old, made) => {
  expect(afterEdit(before, old, made)).toEqual(['not signed'])
})

test("an agent's fact does not lose its author by an edit beside it, and words it prepared do not join a fact of a person", () => {
  const parted = '## Retain\n- W: x\n\n  and y (by: agent)\n'
  const before = '## Retain\n- W: x\n  and y (by: agent)\n'
  expect(signFacts(parted, { path, before, startLine: 3, endLine: 3, author: 'agent' })).toContain('- W: x (by: agent)')
  const prepared = '## Retain\n- W: own\n\n  and owes me money\n'
  const joined = '## Retain\n- W: own\n  and owes me money\n'
  expect(signFacts(joined, { path, before: prepared, startLine: 3, endLine: 3, author: 'agent' })).toContain('money (by: agent)')
})

test("of equal lines the one that was a fact stays a person's, and the one that became one is signed", () => {
  const before = '## Retain\n- W: x\n\n## Log\n- W: x\n'
  const text = '## Retain\n- W: x\n\n## Retain\n- W: x\n'
  expect(signFacts(text, { path, before, startLine: 4, endLine: 4, author: 'agent' })).toBe(
    '## Retain\n- W: x\n\n## Retain\n- W: x (by: agent)\n',
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
