import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { faultsOfMutation, faultsOfSection } from './__fixtures__/check-section.ts'
import { readFacts } from './read-facts.ts'
import { writeFact } from './write-fact.ts'

const PATH = 'memory/2026-03-01.md'
const section = (...lines: readonly string[]): string => ['# Monday', 'We talked.', '', '## Retain', ...lines, ''].join('\n')
const factsIn = (...lines: readonly string[]) => readFacts(section(...lines), { path: PATH }).facts
const written = (...lines: readonly string[]) => factsIn(...lines).map(writeFact)

test.each([
  ['- W @Mara: lives in Bergen', '- W @Mara: lives in Bergen'],
  ['* B: the build broke', '- B: the build broke'],
  ['O(c=0.8) @Mara: likes tea', '- O(c=0.80) @Mara: likes tea'],
  ['- O (c = .9) @Mara：likes tea', '- O(c=0.90) @Mara: likes tea'],
  ['- Ｏ（ｃ＝０．９） @麻里：紅茶が好き', '- O(c=0.90) @麻里: 紅茶が好き'],
  ['- **O(c=0,75)** @Mara — likes tea', '- O(c=0.75) @Mara: likes tea'],
  ['- **O(c=90%) @Mara:** likes tea', '- O(c=0.90) @Mara: likes tea'],
  ['- **W @Mara: all of it is bold** (by: agent)', '- W @Mara: all of it is bold (by: agent)'],
  ['- O(0.8): tea is best', '- O(c=0.80): tea is best'],
  ['- O(c=0.95) She prefers tea', '- O(c=0.95): She prefers tea'],
  ['- O(c=0.8)@Mara: likes tea', '- O(c=0.80) @Mara: likes tea'],
  ['- O: tea is best', '- O: tea is best'],
  ['- O(c=٠٫٨) @مريم: تحب القهوة', '- O(c=0.80) @مريم: تحب القهوة'],
  ['- O(c=80٪) @王伟：喜欢茶', '- O(c=0.80) @王伟: 喜欢茶'],
  ['- ✅ B @build: green again', '- B @build: green again'],
  ['- [x] B @build: green again', '- B @build: green again'],
  ['(14:30) [High] W @Mara: took the pill', '- (14:30) [High] W @Mara: took the pill'],
  ['- 8:05 W @Mara: took the pill', '- (08:05) W @Mara: took the pill'],
  ['- [P1][2026-02-10] W @Mara: pays the rent', '- [P1] W @Mara: pays the rent (on: 2026-02-10)'],
  ['1. W @Mara: lives in Bergen', '- W @Mara: lives in Bergen'],
  ['- W @Mara @Nils: met', '- W @Mara @Nils: met'],
  ['- W @Mara, @Nils & @router: met', '- W @Mara @Nils @router: met'],
  ['- W @مريم، @أحمد: التقيا', '- W @مريم @أحمد: التقيا'],
  ['- W [[Mara]]: lives in Bergen', '- W [[Mara]]: lives in Bergen'],
  ['- W [[people/Mara|M.]] — lives in Bergen', '- W [[people/Mara|M.]]: lives in Bergen'],
  ['- W @"The Old Mill": is closed', '- W @"The Old Mill": is closed'],
  ['- W @[The Old Mill]: is closed', '- W @"The Old Mill": is closed'],
  ['- W @Peter Lund: pays the rent', '- W @"Peter Lund": pays the rent'],
  ['- W @"محمد علي": يسكن في فاس', '- W @"محمد علي": يسكن في فاس'],
  ['- W: Mara and Nils moved', '- W: Mara and Nils moved'],
  ['- W @Mara moved to Oslo', '- W @Mara: moved to Oslo'],
  ['- World: the river is high', '- W: the river is high'],
  ['- Summary (c=0.5) @Team: met', '- S(c=0.50) @Team: met'],
  ['- O: Mara — likes short replies', '- O: Mara — likes short replies'],
  [
    '- W @Mara: in Fez (27 Nov–1 Dec 2025) for a birthday (see memory/2025-11-27.md#L12).',
    '- W @Mara: in Fez (27 Nov–1 Dec 2025) for a birthday (see memory/2025-11-27.md#L12)',
  ],
  ['- S @Team: met (meaning 24 Feb 2026)', '- S @Team: met (meaning 24 Feb 2026)'],
  ['- ~~W @Mara: lives in Oslo~~ (on: 2026-02-01)', '- ~~W @Mara: lives in Oslo~~ (on: 2026-02-01)'],
  ['- W @Mara: ~~Oslo~~ Bergen', '- W @Mara: ~~Oslo~~ Bergen'],
  ['- W @Mara: ~~lives in Oslo~~', '- ~~W @Mara: lives in Oslo~~'],
  ['- W @Mara: lives in Bergen (corrects: “lives in Oslo”)', '- W @Mara: lives in Bergen (corrects: "lives in Oslo")'],
  ['- F @Mara: lives in Oslo', '- F @Mara: lives in Oslo'],
  [
    '- O(c=0.91) @Mara: prefers mail (stated: 0.8 on 2026-02-14) #mail (since: 2025-11-01) ^k7f2q9x4wd',
    '- O(c=0.91) @Mara: prefers mail #mail (since: 2025-11-01) (stated: 0.80 on 2026-02-14) ^k7f2q9x4wd',
  ],
  ['- B @ci: failed #123', '- B @ci: failed #123'],
  ['[[reply_to_current]] W @Mara: is in', '- W @Mara: is in'],
  ['- W @Mara: reads (among others) Kafka', '- W @Mara: reads (among others) Kafka'],
])('%s is a fact, written %s', (line, form) => {
  expect(written(line)).toEqual([form])
})

test.each([
  '- B 12: seat',
  '- W. Smith called',
  "- O'Brien: hello",
  '- Only then',
  '- w @Mara: a small letter',
  '- [Lint](https://x.example) is a linter',
  '- [[Lint]] is a linter',
  '> [!info] B: note',
  '- [00:01:11] B said hello',
  '- [/] half done',
  '- <font color="#4285F4">W: x</font>',
  '- uses [[A]] and [[B]] daily',
  '- [رابط](https://x.example) أداة',
  '- [[工具]] 是一个工具',
  '> - W @مريم: اقتباس',
  '- الدليل W: نص',
  '- 会议 B: 改期',
  '- ✅ تم B',
  '- `W @x: y`',
  '- ``O(c=0.8) @x: y``',
  '- W user@example.com wrote',
  '- W @scope/name: broke',
  '- S://share/x',
  '- C:\\notes',
  '```\n- W @x: y\n```',
  '- ```md\n  - W @x: y\n  ```',
  '<!-- W @x: y -->',
  '<!--\n- W @x: y\n-->',
  '| W | @x | y |',
  '<!-- mnemark:bank:start v=1 -->\n- W @x: y\n<!-- mnemark:bank:end -->',
])('B104: %s is no fact', (line) => {
  expect(written(line)).toEqual([])
})

test('B104: links in plain bullets stay, and mentions in facts are no heads', () => {
  const { facts, candidates } = readFacts(
    section('- uses [[A]] and [[B]] daily', '- W @Mara: met @Nils at [[Old Mill|the mill]], not mara@example.com or `@x`'),
    { path: PATH },
  )
  expect(candidates).toEqual([5])
  expect(facts[0]?.mentions.map(({ name }) => name)).toEqual(['Nils', 'Old Mill'])
})

test.each([
  ['- X @Mara: x', 'unknown-kind', 3],
  ['- W/B @Mara: x', 'two-kinds', 3],
  ['- O(c=high) @Mara: x', 'bad-confidence', 7],
  ['- O(c=1.2) @Mara: x', 'bad-confidence', 7],
  ['- O(c=-0.1) @Mara: x', 'bad-confidence', 7],
  ['- O(c=95) @Mara: x', 'bad-confidence', 7],
  ['- O(c=عالية) @مريم: نص', 'bad-confidence', 7],
  ['- O(c=１２０%) @王伟: 好', 'bad-confidence', 7],
  ['- W @Mara:', 'empty-content', 11],
  ['- W: ', 'empty-content', 6],
  ['- W @: x', 'empty-entity', 5],
  ['- W [[]]: x', 'empty-entity', 5],
  ['- W @"": x', 'empty-entity', 5],
  ['- W [[Mara: x', 'unclosed', 5],
  ['- W @"Mara: x', 'unclosed', 5],
  ['- W @「麻里: 好', 'unclosed', 5],
  ['- O(c=0.8 @Mara: x', 'unclosed', 7],
  ['- O(', 'unclosed', 4],
  ['- W @Mara: ~~x', 'unclosed', 12],
  ['- ~~W @Mara: x', 'unclosed', 14],
  ['- W @Mara: one.\\ntwo', 'literal-newline', 12],
  ['- W @Mara: one\\n- W @Nils: two', 'literal-newline', 12],
])('%s is the error %s in column %i, and no fact', (line, code, column) => {
  const { facts, problems } = readFacts(section('- W @Nils: stays', line), { path: PATH })
  expect(problems).toMatchObject([{ line: 6, column, code, severity: 'error' }])
  expect(facts.map(({ content }) => content)).toEqual(['stays'])
})

test('an error proposes the line as it would be read', () => {
  expect(readFacts(section('- X @Mara: x'), { path: PATH }).problems[0]?.proposed).toBe('- W @Mara: x')
  expect(readFacts(section('- W @محمد علي: يسكن في فاس'), { path: PATH }).problems[0]).toMatchObject({
    code: 'unquoted-name',
    severity: 'warning',
    proposed: '@"محمد علي"',
  })
})

test.each([
  ['- W(c=0.9) @Mara: x', 'unused-confidence'],
  ['- W @Mara: x (on: 2026-02-30)', 'bad-day'],
  ['- W @Mara: x (on: 3/4/2026)', 'bad-day'],
  ['- W @Mara: x (on: 2026-03-05..2026-03-01)', 'range-order'],
  ['- W @Mara: x (corrects: )', 'relation-target'],
  [`- W @Mara: ${'x '.repeat(1_200)}`, 'too-long'],
])('%s is a fact with the warning %s', (line, code) => {
  const { facts, problems } = readFacts(section(line), { path: PATH })
  expect(problems).toMatchObject([{ line: 5, code, severity: 'warning' }])
  expect(facts).toHaveLength(1)
  const isUndated = code === 'bad-day' || code === 'range-order'
  expect(facts[0]?.days === undefined).toBe(isUndated)
})

test('a marker of a merge is named, and the facts of both sides are read', () => {
  const { facts, problems } = readFacts(
    section('<<<<<<< HEAD', '- W @Mara: lives in Oslo', '>>>>>>> other', '', '- W @Mara: lives in Bergen'),
    { path: PATH },
  )
  expect(problems.map(({ code, line }) => [code, line])).toEqual([
    ['conflict-marker', 5],
    ['conflict-marker', 7],
  ])
  expect(facts).toHaveLength(2)
})

test.each([
  '- O(c=0.0-1.0) @entity: what you think',
  '- O(c=0..1) @Mara: x',
  '- O(c=0.x) @Mara: x',
  '- W @Entity: x',
  '- W @实体: 内容',
  '- W @<name>: x',
  '- B @Mara: …',
  '- W @Mara: <content>',
])('%s describes the form and is counted, without a problem', (line) => {
  expect(readFacts(section(line), { path: PATH })).toMatchObject({ facts: [], problems: [], formatLines: 1 })
})

test.each(['### Format', '### Legend', '### Template', '### الصيغة', '### 格式'])(
  'lines below %s describe the form',
  (heading) => {
    expect(readFacts(section(heading, '- W @Mara: lives in Bergen'), { path: PATH })).toMatchObject({ facts: [], formatLines: 1 })
  },
)

test.each([
  ['## Retain', true],
  ['### 3. Retain:', true],
  ['# 🧠 RETAIN', true],
  ['## Retain (evening)', true],
  ['## Retain 2026-03-01', true],
  ['## **Retain**', true],
  ['## Mantieni', true],
  ['## Reter', true],
  ['Retain\n------', true],
  ['## Retained evidence', false],
  ['## Retaining data', false],
  ['## Retain or drop?', false],
  ['## What to retain', false],
])('a heading %s opens a section: %s', (heading, opens) => {
  expect(readFacts(`# Day\nText.\n\n${heading}\n- W @Mara: x\n`, { path: PATH }).facts).toHaveLength(opens ? 1 : 0)
})

test('names of sections are a setting', () => {
  const text = '## احتفظ\n- W @مريم: تسكن في فاس\n\n## 记住\n- W @王伟: 住在北京\n'
  expect(readFacts(text, { path: PATH }).facts).toHaveLength(0)
  expect(readFacts(text, { path: PATH, headings: ['احتفظ', '记住'] }).facts).toHaveLength(2)
})

test('several sections of a day count, each up to the next heading of its level', () => {
  const text =
    '## Retain\n- W @a: one\n### More\n- W @b: two\n## Log\n- W @c: none\n### Retain\n- W @d: three\n## End\n- W @e: none\n'
  expect(readFacts(text, { path: PATH }).facts.map(({ startLine }) => startLine)).toEqual([2, 4, 8])
})

test('lines below a fact continue it or are its children; an indented head is a fact unless its parent is one', () => {
  const facts = factsIn(
    '- O(c=0.6) @Mara: prefers mail',
    '  to calls',
    '  - Evidence: memory/2026-02-03.md',
    '  - **Last reinforced**: 2026-02-03',
    '  - W @Nils: belongs to the parent',
    '- O @Mara: likes tea',
    '  - Belege:',
    '    - memory/a.md',
    '    - memory/b.md',
    '  - الثقة: ٠٫٧',
    '- Morning',
    '  - W @Nils: went out',
    '- Plain',
    '  text',
  )
  expect(facts.map(({ content, startLine, endLine }) => [content, startLine, endLine])).toEqual([
    ['prefers mail to calls', 5, 9],
    ['likes tea', 10, 14],
    ['went out', 16, 16],
  ])
  expect(facts[0]?.children).toEqual([
    { key: 'evidence', value: 'memory/2026-02-03.md' },
    { key: 'last reinforced', value: '2026-02-03' },
  ])
  expect(facts[1]).toMatchObject({
    confidence: 0.7,
    children: [{ key: 'evidence', value: 'memory/a.md' }, { key: 'evidence', value: 'memory/b.md' }, { key: 'confidence' }],
  })
})

test('on a page of the bank the letter is optional and the kind comes from the file', () => {
  const kinds = (path: string, text: string) =>
    readFacts(text, { path }).facts.map(({ kind, content, confidence }) => [kind, content, confidence])
  expect(
    kinds(
      'bank/opinions.md',
      '# Opinions\n- Prefers tea\n  - Confidence: 0.8\n- B @ci: failed\n- (c=0.7) @Mara: likes mail\n- `opinion`: reads at night\n',
    ),
  ).toEqual([
    ['opinion', 'Prefers tea', 0.8],
    ['experience', 'failed', undefined],
    ['opinion', 'likes mail', 0.7],
    ['opinion', 'reads at night', undefined],
  ])
  expect(kinds('bank/world.md', '- [ ] a task\n- [[Only a link]]\n- A: an option\n\nProse stays prose.\n')).toEqual([
    ['world', 'A: an option', undefined],
  ])
  expect(kinds('bank/opinions.md', '')).toEqual([])
  const [fact] = readFacts('---\ntitle: مريم\naliases: [Maryam]\n---\n- تسكن في فاس\n', { path: 'bank/entities/Maryam.md' }).facts
  expect(fact).toMatchObject({ kind: 'world', entities: [{ name: 'مريم' }] })
})

test('days come from the trailer, the mark, the nearest dated heading, the note', () => {
  const days = (text: string, path = PATH) => readFacts(text, { path }).facts.map((fact) => fact.days)
  expect(
    days(
      section('- W @a: x', '- W @a: y (on: 2026-02-01..2026-02-03)', '- W @a: z (since: 2026-01-05)', '- [2026-02-09] W @a: q'),
    ),
  ).toEqual([
    { from: '2026-03-01', to: '2026-03-01' },
    { from: '2026-02-01', to: '2026-02-03' },
    { from: '2026-01-05', isOpen: true },
    { from: '2026-02-09', to: '2026-02-09' },
  ])
  expect(
    days('# 2026-02-03: trip\n- B @Fez: saw the old town\n# 2026-02-01: before\n- B @Fez: packed\n', 'bank/experience.md'),
  ).toEqual([
    { from: '2026-02-03', to: '2026-02-03' },
    { from: '2026-02-01', to: '2026-02-01' },
  ])
  expect(days('---\ncreated: 2026-01-01\n---\n- The sky is blue\n', 'bank/world.md')).toEqual([undefined])
  expect(days('## 2026-03-09\nx\n### Retain\n- W @a: y\n', 'memory/2026-03.md')).toEqual([
    { from: '2026-03-09', to: '2026-03-09' },
  ])
})

test.each([
  '十万年前地球更冷',
  '3000 years ago it was colder',
  'قبل مليون سنة كان البحر هنا',
  'it was in year 0',
  'ends 9999-12-31',
  '400 weeks before 0001-01-05',
])('B110: %s is a fact like any other', (content) => {
  expect(factsIn(`- W @Earth: ${content}`, '- W @Mara: x').map((fact) => fact.content)).toEqual([content, 'x'])
})

test('B110: far days in trailers are read or named, never thrown', () => {
  const { facts, problems } = readFacts(
    section(
      '- W @a: x (on: 0000-01-01)',
      '- W @a: y (on: 9999-12-31)',
      '- W @a: z (since: 0001-01-01)',
      '- W @a: q (on: 10000-01-01)',
    ),
    { path: PATH },
  )
  expect(facts).toHaveLength(4)
  expect(problems.map(({ line, code }) => [line, code])).toEqual([
    [5, 'bad-day'],
    [8, 'bad-day'],
  ])
})

test('a bullet of a megabyte is a fact with a warning', () => {
  const { facts, problems } = readFacts(section(`- W @Mara: ${'x '.repeat(500_000)}`, '- W @Nils: y'), { path: PATH })
  expect(facts).toHaveLength(2)
  expect(problems.map(({ code }) => code)).toEqual(['too-long'])
})

test.each([
  'x ',
  '(',
  ')',
  ' (see a.md)',
  ' #tag',
  '@a ',
  '~~',
  '[[',
  '@"',
  '`@',
  '*',
  '\\n',
  '\n  - Evidence: x',
  '\n- W @a: x',
  '\n- [x] ',
])('the work for a bullet grows with its length: %j', (part) => {
  assertGrowsLinearly((length) => readFacts(section(`- W @Mara: ${part.repeat(length / part.length)}`), { path: PATH }), 200_000)
})

test('generated sections are read as they were made, and no line that is none becomes a fact', () => {
  const seeds = Array.from({ length: 1_000 }, (_, at) => at + 1)
  expect(seeds.flatMap(faultsOfSection)).toEqual([])
})

test('whatever is read of mutated sections is written and read the same', () => {
  const seeds = Array.from({ length: 1_000 }, (_, at) => at + 1)
  expect(seeds.flatMap(faultsOfMutation)).toEqual([])
})
