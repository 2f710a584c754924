import fc from 'fast-check'
import { WorkspaceError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { makeFact } from './make-fact.ts'
import { readFacts } from './read-facts.ts'
import { type ChangeNote, retain, type RetainOptions } from './retain.ts'
import type { WritableFact } from './write-fact.ts'

const path = 'memory/2026-03-01.md'
const day = '2026-03-01'
const clock = { nowMs: Date.UTC(2026, 2, 1), timeZone: 'UTC' }

function factOf(text: string): WritableFact {
  const fact = makeFact({ text }, clock)
  if ('code' in fact) throw new Error(fact.message)
  return fact
}

/** A note in memory, and what was written to it. */
async function retained(text: string, statement: string, options: Partial<RetainOptions> = {}) {
  let written = text
  const change: ChangeNote = async (_path, make) => {
    written = make(text) ?? text
    return { conflict: null }
  }
  const report = await retain(change, factOf(statement), { path, day, ...options })
  return { written, report }
}

const NEW = '- W @Mara: lives in Bergen'

test.each([
  ['a new log', '', `# 2026-03-01\n\n## Retain\n\n${NEW}\n`],
  ['a log without the section', '# Day\n\nA walk.\n', `# Day\n\nA walk.\n\n## Retain\n\n${NEW}\n`],
  ['no line end at the end', '# Day\nA walk.', `# Day\nA walk.\n\n## Retain\n\n${NEW}\n`],
  ['a blank line at the end', '# Day\n\n', `# Day\n\n## Retain\n\n${NEW}\n`],
  ['carriage returns', '# Day\r\n\r\nA walk.\r\n', `# Day\r\n\r\nA walk.\r\n\r\n## Retain\r\n\r\n${NEW}\r\n`],
  ['a section with facts', '## Retain\n- B: x\n- O: y\n\n## Log\nz\n', `## Retain\n- B: x\n- O: y\n${NEW}\n\n## Log\nz\n`],
  ['the last fact at the end, open', '## Retain\n- B: x', `## Retain\n- B: x\n${NEW}\n`],
  ['mixed line ends', 'a\n## Retain\r\n- B: x\r\n- plain\n', `a\n## Retain\r\n- B: x\r\n${NEW}\r\n- plain\n`],
  ['a deeper section', '# Day\n### Retain\n* B: x\n### Next\n', `# Day\n### Retain\n* B: x\n${NEW}\n### Next\n`],
  ['an empty section', '## Retain\n## Log\n', `## Retain\n\n${NEW}\n\n## Log\n`],
  ['an empty section with room', '## Retain\n\n## Log\n', `## Retain\n\n${NEW}\n\n## Log\n`],
  ['a section of prose', '## Retain (evening)\nSoon.\n\n## Log\n', `## Retain (evening)\nSoon.\n\n${NEW}\n\n## Log\n`],
  [
    'lines below the fact',
    '## Retain\n- B: x\n  more\n  - Evidence: a.md\n- plain\n',
    `## Retain\n- B: x\n  more\n  - Evidence: a.md\n${NEW}\n- plain\n`,
  ],
  ['a paragraph that goes on', '## Retain\n- B: x\ngoes on\n\nEnd.\n', `## Retain\n- B: x\ngoes on\n${NEW}\n\nEnd.\n`],
  [
    'code below the fact',
    '## Retain\n- B: x\n\n  ```\n  y\n  ```\n- z\n',
    `## Retain\n- B: x\n\n  \`\`\`\n  y\n  \`\`\`\n${NEW}\n- z\n`,
  ],
  ['a heading inside code', '```\n## Retain\n- B: x\n```\n', `\`\`\`\n## Retain\n- B: x\n\`\`\`\n\n## Retain\n\n${NEW}\n`],
  ['a heading inside a comment', '<!--\n## Retain\n- B: x\n-->\n', `<!--\n## Retain\n- B: x\n-->\n\n## Retain\n\n${NEW}\n`],
  ['a comment in the section', '## Retain\n<!-- W B O S -->\n', `## Retain\n<!-- W B O S -->\n\n${NEW}\n`],
  [
    'a section that describes the form',
    '## Retain\n\n### Format\n- W @Entity: …\n',
    `## Retain\n\n${NEW}\n\n### Format\n- W @Entity: …\n`,
  ],
  ['two sections', '## Retain\n- B: x\n## Log\n## Retain\n- B: y\n', `## Retain\n- B: x\n## Log\n## Retain\n- B: y\n${NEW}\n`],
])('a fact goes into %s, and every other byte stays', async (_case, text, after) => {
  const { written, report } = await retained(text, NEW)
  expect(written).toBe(after)
  const lines = after.split(/\r\n|\n/)
  expect(report).toMatchObject({ path, status: 'written', startLine: lines.indexOf(NEW) + 1, endLine: lines.indexOf(NEW) + 1 })
  expect(report.factId).toBe(readFacts(after, { path }).facts.find(({ content }) => content === 'lives in Bergen')?.id)
})

test('the same fact is reported with its place, written again on demand; a struck one, another day or digit is another', async () => {
  const text = `# Day\n\n## Retain\n- B: x\n  more\n* **W @mara — Lives in Bergen.** (see memory/a.md)\n`
  const { written, report } = await retained(text, NEW)
  expect(written).toBe(text)
  expect(report).toMatchObject({ status: 'exists', startLine: 6, endLine: 6 })
  expect((await retained(text, NEW, { again: true })).report).toMatchObject({ status: 'written', startLine: 7 })
  expect((await retained(text, `${NEW} (on: 2026-02-01)`)).report.status).toBe('written')
  expect((await retained('## Retain\n- ~~W @Mara: lives in Bergen~~\n', NEW)).report.status).toBe('written')
  expect((await retained('## Retain\n- W @Mara: pays 450\n', 'W @Mara: pays 540')).report.status).toBe('written')
  const place = { path: 'memory/2026-02-01.md', startLine: 9, endLine: 9 }
  const elsewhere = await retained('', NEW, { find: (id) => (id === report.factId ? place : undefined) })
  expect(elsewhere).toEqual({ written: '', report: { ...place, factId: report.factId, status: 'exists', conflict: null } })
})

test.each([
  ['a code block', '# Day\n```\nnever closed\n'],
  ['a template', '---\ntags: template\n---\n# Format\n'],
])('where no line would be read as a fact, nothing is written: %s', async (_case, text) => {
  await expect(retained(text, NEW)).rejects.toSatisfy((error) => WorkspaceError.isInstance(error) && error.code === 'refused')
})

const PIECES = [
  '## Retain',
  '### Retain (evening)',
  '# Day',
  '## Format',
  '- W @Nils: moved',
  '* O(c=0.5): maybe',
  '  - Evidence: a.md',
  '  goes on',
  'text',
  '',
  '',
  '```',
  '~~~',
  '<!-- a',
  'b -->',
  '<!-- c -->',
  '> quote',
  '| a | b |',
  '| - | - |',
  '---',
  '- plain',
  '1. W: x',
  '\tcode',
  'Title\n===',
  '<!-- mnemark:bank:start v=1 -->',
  '<!-- mnemark:bank:end -->',
  '- X @Nils: no kind',
  '- [ ] W @Nils: task',
  '<div>',
  '$$',
  '- W @محمد: في فاس',
]

test('one run of lines is added to any note, none is taken or changed, and all other facts read as before', async () => {
  const note = fc
    .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 14 })
    .chain((lines) =>
      fc.boolean().map((isOpen) =>
        lines
          .map((line) => line.join(''))
          .join('')
          .slice(0, isOpen ? -1 : undefined),
      ),
    )
  await fc.assert(
    fc.asyncProperty(note, async (text) => {
      const result = await retained(text, NEW).catch((error: unknown) => error)
      if (WorkspaceError.isInstance(result)) return
      const { written, report } = result as Awaited<ReturnType<typeof retained>>
      const added = written.length - text.length
      const head = [...text].findIndex((_, at) => text[at] !== written[at])
      const kept = head === -1 ? text.length : head
      const isOneRun = Array.from({ length: Math.min(kept, added) + 1 }, (_, back) => kept - back).some(
        (at) => written.slice(0, at) + written.slice(at + added) === text,
      )
      expect(isOneRun).toBe(true)
      const before = readFacts(text, { path }).facts.map(({ id }) => id)
      const after = readFacts(written, { path }).facts
      expect(after.find(({ startLine }) => startLine === report.startLine)).toMatchObject({ id: report.factId, author: 'person' })
      expect(after.filter(({ startLine }) => startLine !== report.startLine).map(({ id }) => id)).toEqual(before)
    }),
    { seed: 20_261_201, numRuns: 500 },
  )
})
