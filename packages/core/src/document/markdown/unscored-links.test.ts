import { expect, test } from 'vitest'
import { openNotes, pathsFor } from '../../../test/open-notes.ts'
import { outlineOf } from './outline.ts'

function unscored(text: string): string[] {
  return outlineOf(text).unindexed.map(({ start, end }) => text.slice(start, end))
}

test('a list of nothing but links to headings of its file is not scored', () => {
  const contents = '- [[#Plan|Plan]]\n  - [[#Costs]]\n- [Risks](#risks)'
  expect(unscored(`# Note\n\n${contents}\n\n## Plan\ntext`)).toEqual([contents])
})

test.each([
  ['another note', '- [[Other note]]\n- [[#Plan]]'],
  ['more than the link', '- [[#Plan]] first\n- [[#Costs]]'],
  ['a line of its own below an item', '- [[#Plan]]\n  because of it\n- [[#Costs]]'],
  ['a single item', '- [[#Plan]]'],
])('a list with %s is', (_, list) => {
  expect(unscored(`# Note\n\n${list}\n`)).toEqual([])
})

test("agents' directives are not scored, links are", () => {
  expect(unscored('[[reply_to_current]] see [[reply_plan]] and [[reply_to: 17]]')).toEqual([
    '[[reply_to_current]]',
    '[[reply_to: 17]]',
  ])
})

test('a question for a heading finds what stands under it, not the table of contents', async () => {
  const filler = Array.from(
    { length: 80 },
    (_, at) => `Line ${at} about the harbour and its many boats in the morning fog.`,
  ).join('\n')
  const { memory } = await openNotes({
    'long.md': `# Harbour\n\n- [[#Tide tables]]\n- [[#Mooring fees]]\n\n${filler}\n\n## Mooring fees\nforty euro a night\n`,
  })
  expect(await pathsFor(memory, 'reply_to_current')).toEqual([])
  const { hits } = await memory.search({ text: 'mooring fees', caller: { agentId: 'main' } })
  expect(hits[0]?.snippet).toContain('forty euro')
})
